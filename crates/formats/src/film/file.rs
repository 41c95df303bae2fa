//! A file that can be played after every write: a run may be killed at any time.

use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::Path;

/// What makes a film whole if nothing follows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Ending {
    /// Bytes after the content; the next piece overwrites them.
    pub tail: Vec<u8>,
    /// Bytes near the beginning that change with the content, and where they stand.
    pub patch: Option<(u64, Vec<u8>)>,
}

/// A file on its way.
pub(super) struct Output {
    file: File,
    /// A pipe takes bytes in their order only; then the tail waits for the end.
    can_seek: bool,
    tail: u64,
}

impl Output {
    /// Creates the file, or empties it.
    pub(super) fn create(path: &Path) -> io::Result<Output> {
        let mut file = File::create(path)?;
        let can_seek = file.stream_position().is_ok();
        Ok(Output { file, can_seek, tail: 0 })
    }

    /// May what was written be written anew?
    pub(super) fn can_seek(&self) -> bool {
        self.can_seek
    }

    /// Adds content, and the ending as it is now.
    pub(super) fn append(&mut self, content: &[u8], ending: Ending) -> io::Result<()> {
        if !self.can_seek {
            if ending.patch.is_some() {
                let error = "expected a file, found a pipe: this format counts its pictures at the beginning";
                return Err(io::Error::other(error));
            }
            return self.file.write_all(content);
        }
        self.file.seek(SeekFrom::End(-(self.tail as i64)))?;
        self.tail = ending.tail.len() as u64;
        // In one call to the system.
        self.file.write_all(&[content, &ending.tail].concat())?;
        if let Some((position, bytes)) = ending.patch {
            self.file.seek(SeekFrom::Start(position))?;
            self.file.write_all(&bytes)?;
        }
        Ok(())
    }

    /// Writes the tail where it had to wait.
    pub(super) fn finish(&mut self, ending: &Ending) -> io::Result<()> {
        if self.can_seek { Ok(()) } else { self.file.write_all(&ending.tail) }
    }
}
