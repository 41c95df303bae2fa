//! Why a file is not a ROM that can be played.

use super::header::MMC1;
use super::identity::{CHR, Identity, TETRIS_SHA1};

/// Why a file is not a ROM that can be played.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The file cannot be read.
    #[error("cannot read the ROM {path} (without one, the built-in cartridge is played)")]
    Read {
        /// Its path.
        path: String,
        /// What the system says.
        source: std::io::Error,
    },
    /// The file is longer than any ROM.
    #[error("{name} is longer than {limit} bytes, and no NES ROM is; if it is an archive, unpack the ROM in it")]
    TooLong {
        /// Name of the file.
        name: String,
        /// Bytes that are read at most.
        limit: u64,
    },
    /// No iNES header, and no known program without one.
    #[error(
        "{name} is not an iNES ROM: expected it to begin with 4E 45 53 1A, found {found}; give an .nes file, or a \
         .zip, .gz or .7z with one in it"
    )]
    NotInes {
        /// Name of the file.
        name: String,
        /// Its first bytes.
        found: String,
    },
    /// The file ends before its header says.
    #[error("{name} is truncated: its header promises {expected} bytes, the file has {found}; get a whole copy")]
    Truncated {
        /// Name of the file.
        name: String,
        /// Bytes promised.
        expected: usize,
        /// Bytes there.
        found: usize,
    },
    /// A known program without its graphics.
    #[error(
        "{name} is truncated: it has the PRG of {}, but not the {CHR} bytes of its CHR; get a whole copy",
        identity.description()
    )]
    NoGraphics {
        /// Name of the file.
        name: String,
        /// Which program it is.
        identity: Identity,
    },
    /// A header with a size that this game's ROM cannot have.
    #[error("{name} has {field} in its header, expected 2 banks each of PRG and CHR; get another copy")]
    BadHeader {
        /// Name of the file.
        name: String,
        /// The field, with its value.
        field: String,
    },
    /// Another board.
    #[error(
        "{name} uses mapper {found}; the game uses mapper {MMC1} (MMC1), so this is another program; roms-README.md \
         names the known ROM"
    )]
    Mapper {
        /// Name of the file.
        name: String,
        /// Its mapper.
        found: u16,
    },
    /// The PAL version.
    #[error("{name} is {}: {} (SHA-1 {TETRIS_SHA1})", Identity::Pal.description(), Identity::Pal.advice())]
    Pal {
        /// Name of the file.
        name: String,
    },
    /// A program with the original's tables that is not the original.
    #[error(
        "{name} is {}: {}; PRG+CHR SHA-1 is {sha1}, expected {TETRIS_SHA1}",
        Identity::Changed.description(),
        Identity::Changed.advice()
    )]
    Changed {
        /// Name of the file.
        name: String,
        /// SHA-1 of its PRG and CHR.
        sha1: String,
    },
    /// Not a program whose RAM is known.
    #[error(
        "{name} is not a known ROM: PRG+CHR SHA-1 is {sha1}, expected {TETRIS_SHA1} ({}); \
         use --force to play it anyway",
        Identity::Tetris.description()
    )]
    Unknown {
        /// Name of the file.
        name: String,
        /// SHA-1 of its PRG and CHR.
        sha1: String,
    },
    /// An archive that cannot be read.
    #[error("{name} cannot be unpacked: {problem}; unpack the ROM in it and give its path, or get a whole copy")]
    Archive {
        /// Name of the file.
        name: String,
        /// What is wrong.
        problem: String,
    },
    /// An archive of a kind that is not read.
    #[error("{name} is {kind}, expected an .nes file, a .zip, .gz or .7z; unpack the ROM in it and give its path")]
    OtherArchive {
        /// Name of the file.
        name: String,
        /// Its kind.
        kind: &'static str,
    },
    /// An archive without a ROM.
    #[error("expected a ROM (.nes) in {name}, found {found}; put the ROM itself into the archive, or give its path")]
    NoRomInside {
        /// Name of the file.
        name: String,
        /// What is in it.
        found: String,
    },
    /// An archive with several ROMs, none of which is known.
    #[error("expected a known ROM in {name}, found several others: {found}; unpack the one you want")]
    SeveralInside {
        /// Name of the file.
        name: String,
        /// The ROMs in it.
        found: String,
    },
    /// A folder without a known ROM.
    #[error(
        "expected a ROM of {} in the folder {folder}, found {found}; put yours there under any name (roms-README.md), \
         or play without one on the built-in cartridge",
        Identity::Tetris.description()
    )]
    NotInFolder {
        /// The folder.
        folder: String,
        /// What is in it.
        found: String,
    },
}

impl Error {
    /// In a few words, for lists.
    pub(super) fn in_short(&self) -> String {
        match self {
            Error::Read { source, .. } => source.to_string(),
            Error::TooLong { .. } => "too long".to_owned(),
            Error::NotInes { .. } => "no iNES ROM".to_owned(),
            Error::Truncated { .. } | Error::NoGraphics { .. } => "truncated".to_owned(),
            Error::BadHeader { field, .. } => format!("{field} in its header"),
            Error::Mapper { found, .. } => format!("mapper {found}: another game"),
            Error::Pal { .. } => Identity::Pal.in_short().to_owned(),
            Error::Changed { .. } => Identity::Changed.in_short().to_owned(),
            Error::Unknown { .. } => Identity::Unknown.in_short().to_owned(),
            Error::Archive { .. } => "an archive that cannot be unpacked".to_owned(),
            Error::OtherArchive { kind, .. } => (*kind).to_owned(),
            Error::NoRomInside { .. } => "no ROM in it".to_owned(),
            Error::SeveralInside { .. } => "several ROMs in it, none known".to_owned(),
            Error::NotInFolder { .. } => "a folder".to_owned(),
        }
    }
}
