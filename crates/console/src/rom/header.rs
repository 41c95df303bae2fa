//! The 16 bytes before the program of an .nes file: iNES, NES 2.0, and iNES with something else in
//! bytes 7 to 15.

/// Bytes of a header.
pub(super) const HEADER: usize = 16;
/// A trainer, if there is one, is between header and PRG.
pub(super) const TRAINER: usize = 512;
/// MMC1, the board of the original game.
pub(super) const MMC1: u16 = 1;
/// The last mapper that an iNES header has room for.
pub(super) const MAX_MAPPER: u16 = 255;
/// How a header begins.
const MAGIC: &[u8] = b"NES\x1A";
/// Unit of the PRG size.
const PRG_BANK: usize = 16 * 1024;
/// Unit of the CHR size.
const CHR_BANK: usize = 8 * 1024;
/// Bit of byte 6: there is a trainer.
const HAS_TRAINER: u8 = 0x04;
/// Bits of byte 6 for mirroring and battery.
const FLAGS: u8 = 0x0B;
/// Bits of byte 7 that say which form of header it is.
const FORM: u8 = 0x0C;
/// Their value in NES 2.0. In iNES they are 0.
const NES2: u8 = 0x08;

/// What a header says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Header {
    pub mapper: u16,
    prg_banks: u8,
    chr_banks: u8,
    pub has_trainer: bool,
    flags: u8,
    form: Form,
}

/// Why a header cannot be read.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Problem {
    /// The file ends inside it.
    Short,
    /// This field, with its value, is one that the game's ROM cannot have.
    Field(String),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Ines,
    /// Old tools left the last bytes to text ("DiskDude!"): they mean nothing.
    InesWithText,
    Nes2,
}

impl Header {
    /// That of the original and of the cartridge: MMC1, 32 KiB of PRG, 16 KiB of CHR.
    pub(super) const GAME: Header =
        Header { mapper: MMC1, prg_banks: 2, chr_banks: 2, has_trainer: false, flags: 0, form: Form::Ines };

    /// Reads the header of a file; `None` if it begins with something else.
    ///
    /// # Errors
    /// When the file ends inside it, or it has sizes that the game's ROM cannot have.
    pub(super) fn read(bytes: &[u8]) -> Result<Option<Header>, Problem> {
        if !bytes.starts_with(MAGIC) {
            return Ok(None);
        }
        let Some(header) = bytes.first_chunk() else {
            return Err(Problem::Short);
        };
        if header[7] & FORM == NES2 {
            let header = Header::parse(header, Form::Nes2)?;
            // By the rule of NES 2.0: a file that is shorter is none.
            if header.file_size() <= bytes.len() {
                return Ok(Some(header));
            }
        }
        let is_plain = header[7] & FORM == 0 && header[12..] == [0; 4];
        Header::parse(header, if is_plain { Form::Ines } else { Form::InesWithText }).map(Some)
    }

    fn parse(header: &[u8; HEADER], form: Form) -> Result<Header, Problem> {
        let (high_mapper, high_sizes) = match form {
            Form::Nes2 => (u16::from_le_bytes([header[7] & 0xF0, header[8] & 0x0F]), header[9]),
            Form::Ines => (u16::from(header[7] & 0xF0), 0),
            Form::InesWithText => (0, 0),
        };
        // NES 2.0 has sizes of more than 255 banks. No board of this game takes so much.
        let banks = |low: u8, high: u8, what: &str| match high {
            0 => Ok(low),
            _ => Err(Problem::Field(format!("{what} size ${high:X}{low:02X}"))),
        };
        let prg_banks = banks(header[4], high_sizes & 0x0F, "PRG")?;
        if prg_banks == 0 {
            return Err(Problem::Field("PRG size 0".to_owned()));
        }
        Ok(Header {
            mapper: u16::from(header[6] >> 4) | high_mapper,
            prg_banks,
            chr_banks: banks(header[5], high_sizes >> 4, "CHR")?,
            has_trainer: header[6] & HAS_TRAINER != 0,
            flags: header[6] & FLAGS,
            form,
        })
    }

    /// Where PRG begins in the file.
    pub(super) const fn prg_start(&self) -> usize {
        HEADER + if self.has_trainer { TRAINER } else { 0 }
    }

    /// Bytes that the file has by this header.
    pub(super) fn file_size(&self) -> usize {
        self.prg_start() + self.prg_size() + self.chr_size()
    }

    /// Bytes of program.
    pub(super) fn prg_size(&self) -> usize {
        usize::from(self.prg_banks) * PRG_BANK
    }

    /// Bytes of graphics.
    pub(super) fn chr_size(&self) -> usize {
        usize::from(self.chr_banks) * CHR_BANK
    }

    /// The header of a plain iNES file without a trainer. It has room for mappers up to 255.
    pub(super) fn to_ines(&self) -> [u8; HEADER] {
        let [mapper, _] = self.mapper.to_le_bytes();
        let mut header = [0; HEADER];
        header[..4].copy_from_slice(MAGIC);
        header[4..8].copy_from_slice(&[self.prg_banks, self.chr_banks, mapper << 4 | self.flags, mapper & 0xF0]);
        header
    }

    /// What in it is not as in `right`, in words.
    pub(super) fn differences(&self, right: &Header) -> Vec<String> {
        let mut found = Vec::new();
        match self.form {
            Form::Ines => {}
            Form::InesWithText => found.push("text in bytes 7 to 15 of the header".to_owned()),
            Form::Nes2 => found.push("an NES 2.0 header".to_owned()),
        }
        if self.mapper != right.mapper {
            found.push(format!("mapper {} in the header", self.mapper));
        }
        if (self.prg_banks, self.chr_banks) != (right.prg_banks, right.chr_banks) {
            found.push(format!("PRG size {} and CHR size {} in the header", self.prg_size(), self.chr_size()));
        }
        found
    }
}
