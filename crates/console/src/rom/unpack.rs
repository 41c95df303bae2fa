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

/// Unpacks an archive into memory. Of each member, at most `limit` bytes and one more are read.
///
/// # Errors
/// In words, when the archive is damaged or has more bytes than are read.
pub(super) fn unpack(kind: Kind, bytes: &[u8], limit: u64) -> Result<Vec<Member>, String> {
    let unpacked = panics::caught(|| {
        let mut budget = Budget { limit: limit + 1, left: MAX_UNPACKED, members: Vec::new() };
        match kind {
            Kind::Zip => zip(bytes, &mut budget)?,
            Kind::Gzip => budget.read("its content".to_owned(), MultiGzDecoder::new(bytes)).map(|_| ())?,
            Kind::SevenZip => seven_zip(bytes, &mut budget)?,
            Kind::Other(_) => {}
        }
        Ok(budget.members)
    });
    unpacked.unwrap_or_else(|| Err(seven_zip::damaged()))
}

/// What may still be unpacked, and what has been.
struct Budget {
    limit: u64,
    left: u64,
    members: Vec<Member>,
}

impl Budget {
    /// Reads a member. `false` after the last that is looked at.
    fn read(&mut self, name: String, reader: impl Read) -> Result<bool, String> {
        let mut content = Vec::new();
        // No size that the archive states is trusted.
        let read = reader.take(self.left.min(self.limit)).read_to_end(&mut content);
        self.left = self.left.saturating_sub(content.len() as u64);
        if self.left == 0 {
            return Err(too_long());
        }
        let content = read.map(|_| content).map_err(|error| seven_zip::io_in_words(&error));
        self.members.push(Member { name, content });
        Ok(self.members.len() < MAX_MEMBERS)
    }

    /// Reads what a member has left.
    fn skip(&mut self, reader: impl Read) -> Result<(), String> {
        let skipped =
            io::copy(&mut reader.take(self.left), &mut io::sink()).map_err(|error| seven_zip::io_in_words(&error))?;
        self.left -= skipped;
        if self.left == 0 { Err(too_long()) } else { Ok(()) }
    }
}

fn too_long() -> String {
    format!("it unpacks to more than {MAX_UNPACKED} bytes")
}

fn zip(bytes: &[u8], budget: &mut Budget) -> Result<(), String> {
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(|error| error.to_string())?;
    for index in 0..archive.len().min(MAX_MEMBERS) {
        match archive.by_index(index) {
            Ok(file) if file.is_dir() => {}
            Ok(file) => {
                let name = file.name().map_or_else(|_| "a member without a name".to_owned(), |name| name.into_owned());
                budget.read(name, file)?;
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
    let mut too_much = None;
    let unpacked = archive.for_each_entries(|entry, reader| {
        if entry.is_directory() {
            return Ok(true);
        }
        // One stream holds all members: the next begins where this one has been read to its end.
        let read = budget.read(entry.name().to_owned(), &mut *reader).and_then(|go_on| {
            budget.skip(reader)?;
            Ok(go_on)
        });
        Ok(read.unwrap_or_else(|problem| {
            too_much = Some(problem);
            false
        }))
    });
    match too_much {
        Some(problem) => Err(problem),
        None => unpacked.map(|_| ()).map_err(seven_zip::in_words),
    }
}
