//! A ROM that a console can be given: made from a dump, whatever its header says.

use md5::Md5;
use sha1::{Digest, Sha1};

use super::error::Error;
use super::header::{HEADER, Header, MAX_MAPPER, MMC1, Problem};
use super::identity::{CARTRIDGE, CHR, Identity, Known, PRG, by_tables, find_known, hexadecimal};

/// The note for a dump with a trainer.
const TRAINER_BEFORE_PRG: &str = "512 bytes before PRG (a trainer)";

/// A ROM that a console can be given.
#[derive(Debug, Clone)]
pub struct Rom {
    name: String,
    bytes: Vec<u8>,
    /// Mapper number.
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
    /// What the file has that a plain dump of this program has not, in words; the console gets the
    /// plain dump.
    pub oddities: Vec<String>,
}

impl Rom {
    /// The cartridge that comes with this program.
    pub fn cartridge() -> Rom {
        Rom::from_bytes("maxout.nes", CARTRIDGE.to_vec()).expect("the embedded cartridge is a valid ROM")
    }

    /// Makes a ROM of a dump. A known program is found by its hash: its header may be wrong or
    /// missing, there may be a trainer, PRG and CHR may be repeated and other bytes may follow. The
    /// console gets a plain iNES file of it. Of other programs, the header must be right.
    ///
    /// # Errors
    /// [`Error::NotInes`], [`Error::Truncated`], [`Error::NoGraphics`], [`Error::BadHeader`],
    /// [`Error::Mapper`].
    pub fn from_bytes(name: &str, bytes: Vec<u8>) -> Result<Rom, Error> {
        let header = Header::read(&bytes);
        let declared = header.as_ref().ok().and_then(Option::as_ref);
        let declared_chr = declared.map_or(PRG, |header| header.prg_start() + header.prg_size());
        match find_known(&bytes, declared_chr) {
            Some(known) => Rom::known(name, &bytes, declared, known),
            None => {
                let header = header.map_err(|problem| match problem {
                    Problem::Short => Error::Truncated { name: name.to_owned(), expected: HEADER, found: bytes.len() },
                    Problem::Field(field) => Error::BadHeader { name: name.to_owned(), field },
                })?;
                Rom::other(name, &bytes, header)
            }
        }
    }

    fn known(name: &str, bytes: &[u8], declared: Option<&Header>, known: Known) -> Result<Rom, Error> {
        let Known { identity, prg, chr, has_own_chr } = known;
        let Some(chr) = chr else {
            return Err(Error::NoGraphics { name: name.to_owned(), identity });
        };
        let mut oddities = declared.map_or_else(Vec::new, |header| header.differences(&Header::GAME));
        match prg.start {
            0 => oddities.push("no header".to_owned()),
            HEADER if declared.is_none() => oddities.push("a damaged header".to_owned()),
            HEADER => {}
            _ => oddities.push(TRAINER_BEFORE_PRG.to_owned()),
        }
        let more = bytes.len() - prg.start - PRG - CHR;
        if more > 0 {
            oddities.push(format!("{more} more bytes than the game has"));
        }
        if !has_own_chr {
            oddities.push("other graphics (CHR)".to_owned());
        }
        Ok(Rom::new(name, &Header::GAME, [&bytes[prg], &bytes[chr]], identity, oddities))
    }

    fn other(name: &str, bytes: &[u8], header: Option<Header>) -> Result<Rom, Error> {
        let name_text = name.to_owned();
        let Some(header) = header else {
            if bytes.len() == PRG + CHR && by_tables(&bytes[..PRG]) != Identity::Unknown {
                let (prg, chr) = bytes.split_at(PRG);
                return Ok(Rom::new(name, &Header::GAME, [prg, chr], by_tables(prg), vec!["no header".to_owned()]));
            }
            return Err(Error::NotInes { name: name_text, found: first_bytes(bytes) });
        };
        if bytes.len() < header.file_size() {
            return Err(Error::Truncated { name: name_text, expected: header.file_size(), found: bytes.len() });
        }
        let (prg, chr) = bytes[header.prg_start()..header.file_size()].split_at(header.prg_size());
        let identity = by_tables(prg);
        if header.mapper > MAX_MAPPER || (identity == Identity::Unknown && header.mapper != MMC1) {
            return Err(Error::Mapper { name: name_text, found: header.mapper });
        }
        let trainer = header.has_trainer.then(|| TRAINER_BEFORE_PRG.to_owned());
        Ok(Rom::new(name, &header, [prg, chr], identity, trainer.into_iter().collect()))
    }

    fn new(name: &str, header: &Header, parts: [&[u8]; 2], identity: Identity, oddities: Vec<String>) -> Rom {
        let program = parts.concat();
        Rom {
            name: name.to_owned(),
            bytes: [&header.to_ines()[..], &program].concat(),
            mapper: header.mapper,
            prg_size: parts[0].len(),
            chr_size: parts[1].len(),
            crc32: crc32fast::hash(&program),
            md5: hexadecimal(&Md5::digest(&program)),
            sha1: hexadecimal(&Sha1::digest(&program)),
            identity,
            oddities,
        }
    }

    /// Refuses a ROM whose RAM is not known.
    ///
    /// # Errors
    /// [`Error::Pal`], [`Error::Changed`], [`Error::Unknown`].
    pub fn require_known(self) -> Result<Rom, Error> {
        let Rom { name, sha1, .. } = self;
        match self.identity {
            Identity::Tetris | Identity::Cartridge => Ok(Rom { name, sha1, ..self }),
            Identity::Pal => Err(Error::Pal { name }),
            Identity::Changed => Err(Error::Changed { name, sha1 }),
            Identity::Unknown => Err(Error::Unknown { name, sha1 }),
        }
    }

    /// Name of the file.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The program: `prg_size` bytes, the last of which is at CPU address `$FFFF`.
    pub fn prg(&self) -> &[u8] {
        &self.bytes[HEADER..HEADER + self.prg_size]
    }

    /// The ROM as a plain iNES file: a right header, PRG, CHR.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

fn first_bytes(bytes: &[u8]) -> String {
    match bytes.get(..bytes.len().min(4)) {
        Some([]) | None => "an empty file".to_owned(),
        Some(first) => first.iter().map(|byte| format!("{byte:02X}")).collect::<Vec<_>>().join(" "),
    }
}
