//! The files inside an archive, which a stranger may have made: every size has a limit, and nothing
//! is ever unpacked to disk.

use std::io::{self, Cursor, Read};

use flate2::read::MultiGzDecoder;
use sevenz_rust2::{ArchiveReader, Password};
use zip::ZipArchive;

use super::{panics, seven_zip};

/// Members that are looked at; the rest is ignored. Chosen by hand, not measured.
const MAX_MEMBERS: usize = 1000;
/// Most bytes that are unpacked of all members together. Chosen by hand, not measured.
const MAX_UNPACKED: u64 = 64 * 1024 * 1024;

/// A kind of archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Zip,
    Gzip,
    SevenZip,
    /// One that is not read, in words.
    Other(&'static str),
}

/// How each kind begins.
const MAGIC: [(&[u8], Kind); 9] = [
    (b"PK\x03\x04", Kind::Zip),
    // Without any member.
    (b"PK\x05\x06", Kind::Zip),
    (b"\x1F\x8B", Kind::Gzip),
    (b"7z\xBC\xAF\x27\x1C", Kind::SevenZip),
    (b"Rar!\x1A\x07", Kind::Other("a RAR archive")),
    (b"\xFD7zXZ\0", Kind::Other("an XZ archive")),
    (b"BZh", Kind::Other("a bzip2 archive")),
    (b"\x28\xB5\x2F\xFD", Kind::Other("a Zstandard archive")),
    (b"UNIF", Kind::Other("a UNIF file")),
];

/// The kind of archive, if it is one.
pub(super) fn kind(bytes: &[u8]) -> Option<Kind> {
    MAGIC.into_iter().find(|(magic, _)| bytes.starts_with(magic)).map(|(_, kind)| kind)
}

/// A file of an archive: its name, and its bytes or why they cannot be read.
pub(super) struct Member {
    pub name: String,
    pub content: Result<Vec<u8>, String>,
}

/// The files of an archive.
pub(super) struct Unpacked {
    pub members: Vec<Member>,
    /// In words, that it has more bytes than are unpacked: the files from there on are missing.
    pub too_long: Option<String>,
}

/// Unpacks an archive into memory. Of each member, at most `limit` bytes and one more are read.
///
/// # Errors
/// In words, when the archive is damaged.
pub(super) fn unpack(kind: Kind, bytes: &[u8], limit: u64) -> Result<Unpacked, String> {
    let unpacked = panics::caught(|| {
        let mut budget = Budget { limit: limit + 1, left: Some(MAX_UNPACKED), members: Vec::new() };
        match kind {
            Kind::Zip => zip(bytes, &mut budget)?,
            Kind::Gzip => {
                budget.read("its content".to_owned(), MultiGzDecoder::new(bytes));
            }
            Kind::SevenZip => seven_zip(bytes, &mut budget)?,
            Kind::Other(_) => {}
        }
        let too_long = budget.left.is_none().then(|| format!("it unpacks to more than {MAX_UNPACKED} bytes"));
        Ok(Unpacked { members: budget.members, too_long })
    });
    unpacked.unwrap_or_else(|| Err(seven_zip::damaged()))
}

/// What may still be unpacked, and what has been.
struct Budget {
    limit: u64,
    /// `None` when there was more.
    left: Option<u64>,
    members: Vec<Member>,
}

impl Budget {
    /// Reads a member. `false` after the last that is looked at.
    fn read(&mut self, name: String, reader: impl Read) -> bool {
        let mut content = Vec::new();
        // No size that the archive states is trusted.
        let read = reader.take(self.one_too_many().min(self.limit)).read_to_end(&mut content);
        if !self.take(content.len() as u64) {
            return false;
        }
        let content = read.map(|_| content).map_err(|error| seven_zip::io_in_words(&error));
        self.members.push(Member { name, content });
        self.members.len() < MAX_MEMBERS
    }

    /// Reads what a member has left. `false` when that is too much.
    fn skip(&mut self, reader: impl Read) -> Result<bool, String> {
        let skipped = io::copy(&mut reader.take(self.one_too_many()), &mut io::sink());
        Ok(self.take(skipped.map_err(|error| seven_zip::io_in_words(&error))?))
    }

    fn one_too_many(&self) -> u64 {
        self.left.map_or(0, |left| left + 1)
    }

    /// Counts bytes that were unpacked. `false` when they are too many.
    fn take(&mut self, bytes: u64) -> bool {
        self.left = self.left.and_then(|left| left.checked_sub(bytes));
        self.left.is_some()
    }
}

fn zip(bytes: &[u8], budget: &mut Budget) -> Result<(), String> {
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(|error| error.to_string())?;
    for index in 0..archive.len().min(MAX_MEMBERS) {
        match archive.by_index(index) {
            Ok(file) if file.is_dir() => {}
            Ok(file) => {
                let name = file.name().map_or_else(|_| "a member without a name".to_owned(), |name| name.into_owned());
                if !budget.read(name, file) {
                    break;
                }
            }
            Err(error) => {
                let name = format!("member {}", index + 1);
                budget.members.push(Member { name, content: Err(error.to_string()) });
            }
        }
    }
    Ok(())
}

fn seven_zip(bytes: &[u8], budget: &mut Budget) -> Result<(), String> {
    let Some(bytes) = seven_zip::checked(bytes)? else {
        return Ok(());
    };
    let mut archive = ArchiveReader::new(Cursor::new(bytes), Password::empty()).map_err(seven_zip::in_words)?;
    archive.set_thread_count(1);
    let mut damage = None;
    let unpacked = archive.for_each_entries(|entry, reader| {
        if entry.is_directory() {
            return Ok(true);
        }
        // One stream holds all members: the next begins where this one has been read to its end.
        let goes_on = budget.read(entry.name().to_owned(), &mut *reader);
        let skipped = budget.skip(reader);
        Ok(skipped.unwrap_or_else(|problem| {
            damage = Some(problem);
            false
        }) && goes_on)
    });
    match damage {
        Some(problem) => Err(problem),
        None => unpacked.map(|_| ()).map_err(seven_zip::in_words),
    }
}
