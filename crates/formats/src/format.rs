//! The formats of logs and movies, and the format that a file's name stands for.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

/// A format of frames or buttons.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// This program's frame log as CSV.
    Csv,
    /// The same as JSON lines.
    JsonLines,
    /// Movie of FCEUX.
    Fm2,
    /// Movie of BizHawk.
    Bk2,
    /// Raw buttons for replay devices.
    R08,
    /// Frames for NestrisChamps.
    Ngf,
}

impl Format {
    /// All of them.
    pub const ALL: [Format; 6] = [Format::Csv, Format::JsonLines, Format::Fm2, Format::Bk2, Format::R08, Format::Ngf];

    /// The ending of file names.
    pub const fn extension(self) -> &'static str {
        match self {
            Format::Csv => "csv",
            Format::JsonLines => "jsonl",
            Format::Fm2 => "fm2",
            Format::Bk2 => "bk2",
            Format::R08 => "r08",
            Format::Ngf => "ngf",
        }
    }

    /// Is it a log: decoded RAM beside the buttons?
    pub const fn is_log(self) -> bool {
        matches!(self, Format::Csv | Format::JsonLines)
    }

    /// Is it a movie of an emulator: one line of buttons a frame?
    pub const fn is_movie(self) -> bool {
        matches!(self, Format::Fm2 | Format::Bk2)
    }

    /// Is it text, so that `.gz` makes it smaller?
    const fn is_text(self) -> bool {
        matches!(self, Format::Csv | Format::JsonLines | Format::Fm2)
    }
}

/// A format, and whether the whole file is compressed with gzip.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileFormat {
    /// The format.
    pub format: Format,
    /// `.gz`: text formats only. An NGF file is gzip by itself.
    pub gzip: bool,
}

impl FileFormat {
    /// The format that a file's name stands for, or else `other`, in its gzip form if the name ends
    /// in `.gz`.
    pub fn of_path_or(path: &Path, other: FileFormat) -> FileFormat {
        FileFormat::of_path(path).unwrap_or(other.at(path))
    }

    /// This format at a path: in its gzip form if the name ends in `.gz`.
    pub fn at(self, path: &Path) -> FileFormat {
        let is_gz = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("gz"));
        FileFormat { gzip: self.gzip || (is_gz && self.format.is_text()), ..self }
    }

    /// The format that a file's name stands for, in upper or lower case.
    pub fn of_path(path: &Path) -> Option<FileFormat> {
        // Only the ending counts: the rest need not be UTF-8.
        let name = path.file_name()?.to_string_lossy();
        let (stem, extension) = name.rsplit_once('.')?;
        let text = match stem.rsplit_once('.') {
            Some((_, inner)) if extension.eq_ignore_ascii_case("gz") => format!("{inner}.gz"),
            _ => extension.to_owned(),
        };
        text.parse().ok()
    }
}

impl From<Format> for FileFormat {
    fn from(format: Format) -> FileFormat {
        FileFormat { format, gzip: false }
    }
}

impl fmt::Display for FileFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.format.extension())?;
        if self.gzip { f.write_str(".gz") } else { Ok(()) }
    }
}

/// A text that names no format.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected one of csv, jsonl, fm2, bk2, r08, ngf, csv.gz, jsonl.gz or fm2.gz, found {found:?}")]
pub struct ParseFormatError {
    found: String,
}

impl FromStr for FileFormat {
    type Err = ParseFormatError;

    fn from_str(text: &str) -> Result<FileFormat, ParseFormatError> {
        let lower = text.to_ascii_lowercase();
        let (extension, gzip) = lower.strip_suffix(".gz").map_or((&lower[..], false), |inner| (inner, true));
        Format::ALL
            .into_iter()
            .find(|format| format.extension() == extension && (!gzip || format.is_text()))
            .map(|format| FileFormat { format, gzip })
            .ok_or_else(|| ParseFormatError { found: text.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_the_format() {
        let of = |name: &str| FileFormat::of_path(Path::new(name)).map(|format| format.to_string());
        assert_eq!(of("a/game.csv").as_deref(), Some("csv"));
        assert_eq!(of("GAME.FM2").as_deref(), Some("fm2"));
        assert_eq!(of("game.v2.jsonl.gz").as_deref(), Some("jsonl.gz"));
        assert_eq!(of("game.bk2").as_deref(), Some("bk2"));
        for name in ["game", "game.txt", "game.gz", "game.bk2.gz", ".gz", "csv"] {
            assert_eq!(of(name), None, "{name}");
        }
    }

    #[test]
    fn a_name_that_tells_only_gzip_gets_that() {
        let of = |name: &str, other: Format| FileFormat::of_path_or(Path::new(name), other.into()).to_string();
        assert_eq!(of("g.gz", Format::Csv), "csv.gz");
        assert_eq!(of("G.GZ", Format::JsonLines), "jsonl.gz");
        assert_eq!(of("g.fm2.gz", Format::Csv), "fm2.gz");
        assert_eq!(of("g.txt", Format::Csv), "csv");
        assert_eq!(of("g.gz", Format::Bk2), "bk2");
    }

    #[test]
    fn formats_survive_their_text() {
        for format in Format::ALL {
            let file = FileFormat::from(format);
            assert_eq!(file.to_string().parse(), Ok(file));
        }
        assert!("mmo".parse::<FileFormat>().unwrap_err().to_string().contains("\"mmo\""));
    }
}
