//! ROM files: what they are, by hash, and why one cannot be used.

mod archive;
mod folder;

use std::fs::File;
use std::io::Read;
use std::path::Path;

use md5::Md5;
use sha1::{Digest, Sha1};

/// The program's own cartridge, built from `cartridge/`.
const CARTRIDGE: &[u8] = include_bytes!("../../../cartridge/maxout.nes");

/// SHA-1 of PRG and CHR of the one original ROM that is known, NES Tetris (Nintendo, NTSC, 1989).
const TETRIS_SHA1: &str = "fd9079cb5e8479eb06d93c2ae5175bfce871746a";

/// An iNES header.
const HEADER: usize = 16;
/// A trainer, if there is one, is between header and PRG.
const TRAINER: usize = 512;
/// Unit of the PRG size in the header.
const PRG_BANK: usize = 16 * 1024;
/// Unit of the CHR size in the header.
const CHR_BANK: usize = 8 * 1024;
/// The longest file that is read, in bytes: the largest that an iNES header can promise is shorter.
const MAX_FILE: u64 = 8 * 1024 * 1024;
/// MMC1, the board of the original game.
const MMC1: u16 = 1;

/// Which program a ROM is, by the hash of its PRG and CHR.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Identity {
    /// NES Tetris by Nintendo, NTSC.
    Tetris,
    /// The cartridge that comes with this program.
    Cartridge,
    /// Something else.
    Unknown,
}

impl Identity {
    /// In words.
    pub const fn description(self) -> &'static str {
        match self {
            Identity::Tetris => "Tetris (Nintendo, NES NTSC, 1989)",
            Identity::Cartridge => "maxout's own cartridge",
            Identity::Unknown => "unknown",
        }
    }

    /// Is it a program whose RAM this program knows?
    pub const fn is_known(self) -> bool {
        !matches!(self, Identity::Unknown)
    }
}

/// A ROM that a console can be given.
#[derive(Debug, Clone)]
pub struct Rom {
    name: String,
    bytes: Vec<u8>,
    /// Mapper number of the header.
    pub mapper: u16,
    /// Bytes of program.
    pub prg_size: usize,
    /// Bytes of graphics.
    pub chr_size: usize,
    /// CRC-32 of PRG and CHR.
    pub crc32: u32,
    /// MD5 of PRG and CHR, hexadecimal.
    pub md5: String,
    /// SHA-1 of PRG and CHR, hexadecimal.
    pub sha1: String,
    /// Which program it is.
    pub identity: Identity,
}

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
    #[error("{name} is longer than {MAX_FILE} bytes, and no NES ROM is; if it is an archive, unpack the ROM in it")]
    TooLong {
        /// Name of the file.
        name: String,
    },
    /// No iNES header.
    #[error(
        "{name} is not an iNES ROM: expected it to begin with 4E 45 53 1A, found {found}; give an .nes file, or a \
         .zip with one in it"
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
    #[error("{name} is a damaged archive: {problem}; unpack the ROM in it and give its path, or get a whole copy")]
    Archive {
        /// Name of the file.
        name: String,
        /// What is wrong.
        problem: String,
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
    #[error("expected a known ROM in {name}, found several others: {found}; unpack the one that is meant")]
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
    fn in_short(&self) -> String {
        match self {
            Error::Read { source, .. } => source.to_string(),
            Error::TooLong { .. } => "too long".to_owned(),
            Error::NotInes { .. } => "no iNES ROM".to_owned(),
            Error::Truncated { .. } => "truncated".to_owned(),
            Error::Mapper { found, .. } => format!("mapper {found}: another game"),
            Error::Unknown { .. } => "a ROM that is not known".to_owned(),
            Error::Archive { .. } => "a damaged archive".to_owned(),
            Error::NoRomInside { .. } => "no ROM in it".to_owned(),
            Error::SeveralInside { .. } => "several ROMs in it, none known".to_owned(),
            Error::NotInFolder { .. } => "a folder".to_owned(),
        }
    }
}

impl Rom {
    /// The cartridge that comes with this program.
    pub fn cartridge() -> Rom {
        Rom::from_bytes("maxout.nes", CARTRIDGE.to_vec()).expect("the embedded cartridge is a valid ROM")
    }

    /// Reads a ROM file, the known ROM of a ZIP archive or that of a folder.
    ///
    /// # Errors
    /// [`Error::Read`], [`Error::TooLong`], those of [`Rom::from_bytes`], and those of archives and
    /// folders.
    pub fn from_file(path: &Path) -> Result<Rom, Error> {
        if path.is_dir() {
            return Rom::find_in(path);
        }
        let name = archive::plain(&path.file_name().unwrap_or(path.as_os_str()).to_string_lossy());
        let read_error = |source| Error::Read { path: path.display().to_string(), source };
        let mut bytes = Vec::new();
        let file = File::open(path).map_err(read_error)?;
        file.take(MAX_FILE + 1).read_to_end(&mut bytes).map_err(read_error)?;
        if bytes.len() as u64 > MAX_FILE {
            return Err(Error::TooLong { name });
        }
        if archive::is_archive(&bytes) { archive::choose(&name, bytes) } else { Rom::from_bytes(&name, bytes) }
    }

    /// The known ROM in a folder, found by its hash under any name; it may be in a ZIP archive.
    ///
    /// # Errors
    /// [`Error::NotInFolder`], which lists what is there.
    pub fn find_in(folder: &Path) -> Result<Rom, Error> {
        folder::find(folder)
    }

    /// Reads the parts of a ROM: iNES, whole, mapper 1. Bytes after the promised end are dropped.
    ///
    /// # Errors
    /// [`Error::NotInes`], [`Error::Truncated`], [`Error::Mapper`].
    pub fn from_bytes(name: &str, mut bytes: Vec<u8>) -> Result<Rom, Error> {
        let name = name.to_owned();
        if bytes.get(..4) != Some(b"NES\x1A") {
            let found = match bytes.get(..bytes.len().min(4)) {
                Some([]) | None => "an empty file".to_owned(),
                Some(first) => first.iter().map(|byte| format!("{byte:02X}")).collect::<Vec<_>>().join(" "),
            };
            return Err(Error::NotInes { name, found });
        }
        let truncated = |name: String, expected, found| Err(Error::Truncated { name, expected, found });
        if bytes.len() < HEADER {
            return truncated(name, HEADER, bytes.len());
        }
        let mapper = u16::from(bytes[6] >> 4) | u16::from(bytes[7] & 0xF0);
        if mapper != MMC1 {
            return Err(Error::Mapper { name, found: mapper });
        }
        let start = HEADER + if bytes[6] & 0x04 == 0 { 0 } else { TRAINER };
        let (prg_size, chr_size) = (bytes[4] as usize * PRG_BANK, bytes[5] as usize * CHR_BANK);
        let end = start + prg_size + chr_size;
        if bytes.len() < end {
            return truncated(name, end, bytes.len());
        }
        bytes.truncate(end);
        let program = &bytes[start..];
        let sha1 = hexadecimal(&Sha1::digest(program));
        let identity = if sha1 == TETRIS_SHA1 {
            Identity::Tetris
        } else if program == &CARTRIDGE[HEADER..] {
            Identity::Cartridge
        } else {
            Identity::Unknown
        };
        Ok(Rom {
            mapper,
            prg_size,
            chr_size,
            crc32: crc32fast::hash(program),
            md5: hexadecimal(&Md5::digest(program)),
            sha1,
            identity,
            name,
            bytes,
        })
    }

    /// Refuses a ROM whose RAM is not known.
    ///
    /// # Errors
    /// [`Error::Unknown`], which names the hash.
    pub fn require_known(self) -> Result<Rom, Error> {
        if self.identity.is_known() { Ok(self) } else { Err(Error::Unknown { name: self.name, sha1: self.sha1 }) }
    }

    /// Name of the file.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The program: `prg_size` bytes, the last of which is at CPU address `$FFFF`.
    pub fn prg(&self) -> &[u8] {
        let start = self.bytes.len() - self.prg_size - self.chr_size;
        &self.bytes[start..start + self.prg_size]
    }

    /// The whole file, header included.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(change: impl Fn(&mut Vec<u8>)) -> String {
        let mut bytes = CARTRIDGE.to_vec();
        change(&mut bytes);
        Rom::from_bytes("x.nes", bytes).and_then(Rom::require_known).expect_err("refused").to_string()
    }

    #[test]
    fn the_embedded_cartridge_is_known_and_has_the_original_s_header() {
        let rom = Rom::cartridge();
        assert_eq!(rom.identity, Identity::Cartridge);
        assert_eq!((rom.mapper, rom.prg_size, rom.chr_size), (1, 32768, 16384));
        assert_eq!(rom.bytes()[..16], [0x4E, 0x45, 0x53, 0x1A, 2, 2, 0x10, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    }

    #[test]
    fn another_header_or_a_tail_does_not_change_what_a_rom_is() {
        let mut bytes = CARTRIDGE.to_vec();
        bytes[15] = 7;
        bytes.extend([1, 2, 3]);
        let rom = Rom::from_bytes("tail.nes", bytes).expect("playable");
        assert_eq!(rom.identity, Identity::Cartridge);
    }

    #[test]
    fn every_other_file_is_refused_in_one_line_that_says_why() {
        assert!(refusal(|bytes| bytes.clear()).contains("an empty file"));
        assert!(refusal(|bytes| bytes[0] = 0x50).contains("found 50 45 53 1A"));
        assert!(refusal(|bytes| bytes.truncate(10)).contains("promises 16 bytes, the file has 10"));
        assert!(refusal(|bytes| bytes.truncate(40_000)).contains("promises 49168 bytes, the file has 40000"));
        assert!(refusal(|bytes| bytes[6] = 0x40).contains("mapper 4"));
        let unknown = refusal(|bytes| bytes[5000] ^= 1);
        assert!(unknown.contains("SHA-1") && unknown.contains("--force"), "{unknown}");
        for change in [|b: &mut Vec<u8>| b.clear(), |b: &mut Vec<u8>| b.truncate(100), |b: &mut Vec<u8>| b[6] = 0] {
            assert!(!refusal(change).contains('\n'));
        }
    }
}
