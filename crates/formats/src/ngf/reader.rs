//! Reads NGF files.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use super::record::{NgfRecord, Version};
use crate::Error;
use crate::members::{GZIP, Members};
use crate::text::{Capped, MAX_BYTES};

/// An NGF file, record by record: gzip, or the plain bytes that a server hands out.
///
/// A file that was cut off is read up to there, with a warning.
pub struct NgfReader {
    path: PathBuf,
    input: Box<dyn Read>,
    version: Option<Version>,
    records: u64,
    is_cut: bool,
}

impl NgfReader {
    /// Opens a file.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn open(path: &Path) -> Result<NgfReader, Error> {
        let file = File::open(path).map_err(|source| Error::Read { path: path.to_owned(), source })?;
        NgfReader::new(path, BufReader::new(file))
    }

    /// Reads the bytes of a file; errors show `path`.
    ///
    /// # Errors
    /// When they cannot be read.
    pub fn new(path: &Path, mut bytes: impl BufRead + 'static) -> Result<NgfReader, Error> {
        let head = bytes.fill_buf().map_err(|source| Error::Read { path: path.to_owned(), source })?;
        let is_gzip = head.starts_with(&GZIP);
        let input: Box<dyn Read> = if is_gzip { Box::new(Members::of(path, bytes)) } else { Box::new(bytes) };
        let input = Box::new(BufReader::new(Capped { input, left: MAX_BYTES }));
        Ok(NgfReader { path: path.to_owned(), input, version: None, records: 0, is_cut: false })
    }

    /// Was the file cut off? It is known after the last record.
    pub fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// The next record, `None` after the last whole one.
    ///
    /// # Errors
    /// When the file cannot be read, or when a record is of a version that is not known or not that of
    /// the first record.
    pub fn next_record(&mut self) -> Result<Option<NgfRecord>, Error> {
        let mut bytes = [0; Version::Three.length()];
        if self.is_cut || !self.fill(&mut bytes[..1])? {
            return Ok(None);
        }
        let version = Version::of(bytes[0]).filter(|version| self.version.is_none_or(|first| first == *version));
        let Some(version) = version else {
            let expected = match self.version {
                Some(first) => format!("version {} as in the first record", first as u8),
                None => "version 1, 2 or 3".to_owned(),
            };
            return Err(Error::Content {
                path: self.path.clone(),
                message: format!("record {}: expected {expected}, found {}", self.records, bytes[0] >> 5),
            });
        };
        self.version = Some(version);
        if !self.fill(&mut bytes[1..version.length()])? {
            self.cut();
            return Ok(None);
        }
        self.records += 1;
        Ok(Some(NgfRecord::of(&bytes[..version.length()], version)))
    }

    /// Fills the buffer; false where the file ends before.
    fn fill(&mut self, buffer: &mut [u8]) -> Result<bool, Error> {
        let mut length = 0;
        while length < buffer.len() {
            match self.input.read(&mut buffer[length..]) {
                Ok(0) => return Ok(false),
                Ok(read) => length += read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                    self.cut();
                    return Ok(false);
                }
                Err(source) => return Err(Error::Read { path: self.path.clone(), source }),
            }
        }
        Ok(true)
    }

    fn cut(&mut self) {
        if !std::mem::replace(&mut self.is_cut, true) {
            log::warn!("{}: the file is cut off after {} records, which are read", self.path.display(), self.records);
        }
    }
}
