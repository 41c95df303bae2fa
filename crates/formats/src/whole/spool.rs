//! Bytes that wait for the end of a run, in a file and not in memory: a run may take hours.

use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::Path;

/// A file without a name, which is gone when the program ends, however it ends. It is made when the first bytes
/// come: beside the output, where the room for it is, or else where the system keeps temporary files.
#[derive(Debug, Default)]
pub(crate) struct Spool {
    file: Option<File>,
}

impl Spool {
    /// Adds bytes. `beside`: the output, if it is a file.
    ///
    /// # Errors
    /// When there is no room; the spool is then of no use any more.
    pub(crate) fn append(&mut self, bytes: &[u8], beside: Option<&Path>) -> io::Result<()> {
        let file = match &mut self.file {
            Some(file) => file,
            none => none.insert(new_file(beside)?),
        };
        file.write_all(bytes)
    }

    /// Writes all of it to `output`, and forgets it.
    ///
    /// # Errors
    /// When either cannot be read or written.
    pub(crate) fn pour(&mut self, output: &mut dyn Write) -> io::Result<()> {
        let Some(mut file) = self.file.take() else { return Ok(()) };
        file.seek(SeekFrom::Start(0))?;
        io::copy(&mut file, output).map(|_| ())
    }
}

fn new_file(beside: Option<&Path>) -> io::Result<File> {
    let folder =
        beside.and_then(Path::parent).map(|folder| if folder == Path::new("") { Path::new(".") } else { folder });
    match folder.map(tempfile::tempfile_in) {
        Some(Ok(file)) => Ok(file),
        // A folder in which only the output may be written.
        _ => tempfile::tempfile().map_err(|error| {
            let folder = std::env::temp_dir();
            io::Error::new(error.kind(), format!("no temporary file in {}: {error}", folder.display()))
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_spooled_comes_out_in_its_order_and_leaves_nothing_behind() {
        let folder = tempfile::tempdir().unwrap();
        let output = folder.path().join("game.csv.gz");
        for beside in [None, Some(output.as_path()), Some(Path::new("/no/such/folder/game.gz"))] {
            let mut spool = Spool::default();
            spool.append(b"one ", beside).unwrap();
            spool.append(b"two", beside).unwrap();
            let mut poured = Vec::new();
            spool.pour(&mut poured).unwrap();
            assert_eq!(poured, b"one two");
            poured.clear();
            spool.pour(&mut poured).unwrap();
            assert!(poured.is_empty());
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
