//! What a growing file is written to: a file of the system, or a disk that a test breaks.

use std::fs;
use std::io::{self, Seek, SeekFrom, Write};

use super::claim::{Claim, ClaimedFile};

/// A file that can be written anywhere and cut.
pub(crate) trait Storage: Write + Seek + Send {
    /// Makes the file shorter.
    fn cut(&mut self, length: u64) -> io::Result<()>;
}

impl Storage for ClaimedFile {
    fn cut(&mut self, length: u64) -> io::Result<()> {
        self.set_len(length)
    }
}

/// One of the changes that together add to a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Edit {
    /// Bytes that a reader does not look at yet, or a single byte: half of them do no harm.
    Write { at: u64, bytes: Vec<u8> },
    /// Bytes of which half would do harm. If they cannot be written, the old ones are written
    /// again; if that fails, too, the file is cut before them.
    Swap { at: u64, old: Vec<u8>, new: Vec<u8> },
    /// Bytes for the end of the file, with which it is whole again.
    Grow(Vec<u8>),
    /// The file ends here, and is whole.
    Cut(u64),
}

/// The content of a file after these changes to an empty one.
#[cfg(test)]
pub(crate) fn applied(edits: impl IntoIterator<Item = Edit>) -> Vec<u8> {
    let mut content = Vec::new();
    for edit in edits {
        let (at, bytes) = match edit {
            Edit::Write { at, bytes } | Edit::Swap { at, new: bytes, .. } => (at as usize, bytes),
            Edit::Grow(bytes) => (content.len(), bytes),
            Edit::Cut(length) => (length as usize, Vec::new()),
        };
        if bytes.is_empty() {
            content.truncate(at);
        }
        content.resize(content.len().max(at + bytes.len()), 0);
        content[at..at + bytes.len()].copy_from_slice(&bytes);
    }
    content
}

/// Where a growing file goes.
pub(super) enum Target {
    File(WholeFile),
    /// A pipe takes bytes in their order only.
    Stream(Box<dyn Write + Send>),
}

impl Target {
    /// Starts a claimed file. What is no regular file is a stream.
    pub(super) fn start(claim: Claim) -> io::Result<Target> {
        Target::resume(claim, 0)
    }

    /// The same after the first `length` bytes of a file.
    pub(super) fn resume(claim: Claim, length: u64) -> io::Result<Target> {
        let is_regular = fs::metadata(claim.path()).is_ok_and(|found| found.is_file());
        let file = Box::new(claim.resume(length)?);
        Ok(if is_regular { Target::File(WholeFile { length, ..WholeFile::new(file) }) } else { Target::Stream(file) })
    }
}

/// A file that is whole after every call, also after one that fails.
pub(super) struct WholeFile {
    storage: Box<dyn Storage>,
    length: u64,
    /// Where the next byte goes if nothing is moved.
    position: u64,
}

impl WholeFile {
    /// An empty file.
    pub(super) fn new(storage: Box<dyn Storage>) -> WholeFile {
        WholeFile { storage, length: 0, position: 0 }
    }

    pub(super) fn length(&self) -> u64 {
        self.length
    }

    /// Adds bytes to the end: all or none.
    pub(super) fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        let (start, result) = (self.length, self.write_at(self.length, bytes).1);
        result.inspect_err(|_| self.cut_back(start))
    }

    /// Adds lines to the end: all, or as many whole ones as there is room for. The number of bytes
    /// that were added.
    pub(super) fn append_lines(&mut self, lines: &[u8]) -> (usize, io::Result<()>) {
        let start = self.length;
        let (written, result) = self.write_at(start, lines);
        if result.is_ok() {
            return (written, result);
        }
        let whole = lines[..written].iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        self.cut_back(start + whole as u64);
        (whole, result)
    }

    /// Makes changes, one after the other. If one fails, what was added is cut off again.
    pub(super) fn edit(&mut self, edits: &[Edit]) -> io::Result<()> {
        let mut start = self.length;
        for edit in edits {
            let result = match edit {
                Edit::Write { at, bytes } => self.write_at(*at, bytes).1,
                Edit::Swap { at, old, new } => {
                    let result = self.write_at(*at, new).1;
                    if result.is_err() && self.write_at(*at, old).1.is_err() {
                        start = *at;
                    }
                    result
                }
                Edit::Grow(bytes) => {
                    let result = self.write_at(self.length, bytes).1;
                    result.inspect(|()| start = self.length)
                }
                Edit::Cut(length) => {
                    start = *length;
                    self.storage.cut(*length).inspect(|()| self.length = *length)
                }
            };
            if let Err(error) = result {
                self.cut_back(start.min(self.length));
                return Err(error);
            }
        }
        Ok(())
    }

    pub(super) fn flush(&mut self) -> io::Result<()> {
        self.storage.flush()
    }

    /// Bytes written, and the error that ended it.
    fn write_at(&mut self, at: u64, bytes: &[u8]) -> (usize, io::Result<()>) {
        if self.position != at
            && let Err(error) = self.storage.seek(SeekFrom::Start(at))
        {
            return (0, Err(error));
        }
        let mut written = 0;
        let mut result = Ok(());
        while written < bytes.len() {
            match self.storage.write(&bytes[written..]) {
                Ok(0) => result = Err(io::ErrorKind::WriteZero.into()),
                Ok(count) => written += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => result = Err(error),
            }
            if result.is_err() {
                break;
            }
        }
        self.position = at + written as u64;
        self.length = self.length.max(self.position);
        (written, result)
    }

    /// After an error. If the system refuses this as well, the last row is cut, and readers leave
    /// it out.
    fn cut_back(&mut self, length: u64) {
        if self.storage.cut(length).is_ok() {
            self.length = length;
        }
        // Not known after an error.
        self.position = u64::MAX;
    }
}
