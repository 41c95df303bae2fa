//! Positions that somebody asks about: drawn as text, in the notations of other programs, as a frame of
//! a recording, or as a picture of the console's screen.
//!
//! ```
//! use maxout_engine::game::Piece;
//! use maxout_formats::position;
//!
//! let found = position::read("
//!     piece T
//!     level 19
//!     ..##..##..
//!     ..........
//!     .####.####
//! ").unwrap_err();
//! assert_eq!(found.to_string(), "row 17 (0 is the top) has cells, but row 18 below it is empty: a playfield has no \
//!      empty row below a cell");
//!
//! let found = position::read("
//!     piece T
//!     ..##..##..
//!     .####.####
//! ").unwrap();
//! assert_eq!((found.piece, found.next), (Some(Piece::T), None));
//! assert!(found.playfield.occupied(18, 2) && !found.playfield.occupied(18, 1));
//! ```

mod check;
mod error;
mod frame;
mod screen;
mod text;

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

pub use check::{check, check_cells, check_level, check_lines, check_place, check_playfield};
pub use error::PositionError;

use crate::{Error, FileFormat, limited};
use maxout_engine::console::Console;
use maxout_engine::game::{Piece, Placement, Playfield};
use maxout_engine::planner::Falling;
use maxout_engine::ram::Decoder;
use maxout_engine::text::{counted, shortened};

/// Most bytes of a text or a picture. A picture of 4096 by 3840 pixels, the largest that maxout makes,
/// has less than 1 MB.
pub const MAX_BYTES: u64 = 8 * 1024 * 1024;
/// The most characters of a text that an error shows. Chosen by hand, not measured.
const SHOWN: usize = 60;

/// A position, as far as its source tells it.
#[derive(Debug, Clone, PartialEq)]
pub struct ReadPosition {
    /// The locked cells.
    pub playfield: Playfield,
    /// The piece that falls.
    pub piece: Option<Piece>,
    /// The piece in the next box.
    pub next: Option<Piece>,
    /// Does it say that the next box is hidden?
    pub hides_next: bool,
    /// Level.
    pub level: Option<u8>,
    /// Lines.
    pub lines: Option<u16>,
    /// Score.
    pub score: Option<u32>,
    /// The piece at its spawn, where a recording tells it.
    pub falling: Option<Falling>,
    /// Where the piece was in that frame or picture.
    pub place: Option<Placement>,
    /// What it was read from.
    pub source: Source,
    /// What was not clear, and what was assumed: one sentence each.
    pub notes: Vec<String>,
}

/// What a position was read from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// A drawing of rows.
    Drawing,
    /// 200 characters of 0 and 1.
    Bits,
    /// Hex digits of a trace or a log.
    Hex,
    /// A frame of a recording.
    Frame {
        /// The frame that was asked for.
        frame: u64,
        /// The frame in which its piece spawned.
        spawn_frame: u64,
    },
    /// A picture.
    Picture,
}

impl ReadPosition {
    fn of(playfield: Playfield, source: Source) -> ReadPosition {
        ReadPosition {
            playfield,
            piece: None,
            next: None,
            hides_next: false,
            level: None,
            lines: None,
            score: None,
            falling: None,
            place: None,
            source,
            notes: Vec::new(),
        }
    }

    /// Refuses what no game has, as far as it is known, and notes what few games have.
    fn checked(mut self) -> Result<ReadPosition, PositionError> {
        check_playfield(&self.playfield)?;
        if let Some(lines) = self.lines {
            check_cells(&self.playfield, lines)?;
        }
        if check::is_odd(&self.playfield) {
            let cells = counted(self.playfield.cell_count().into(), "cell");
            self.notes.push(format!(
                "{cells}: an odd number is right only in a game that locked a piece partly above the top or cleared row 0"
            ));
        }
        if let (Some(level), Some(lines)) = (self.level, self.lines) {
            check_level(level, lines)?;
        }
        if let Some(place) = self.place {
            check_place(&self.playfield, place)?;
        }
        Ok(self)
    }
}

/// Reads a text: rows of a drawing with values such as `piece T`, `next I`, `level 19`, `lines 60` and
/// `score 250000` on lines of their own; 200 characters of 0 and 1; 400 hex digits of a trace (with or
/// without `P=`) or 50 of a log.
///
/// # Errors
/// The first thing in it that is no position of the game.
pub fn read(text: &str) -> Result<ReadPosition, PositionError> {
    text::read(text)?.checked()
}

/// Reads a text as [`read`] does, or a PNG of the console's picture.
///
/// # Errors
/// As [`read`].
pub fn read_bytes(bytes: &[u8]) -> Result<ReadPosition, PositionError> {
    if bytes.starts_with(PNG) {
        return screen::read(bytes)?.checked();
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => read(text.strip_prefix('\u{FEFF}').unwrap_or(text)),
        Err(_) => Err(PositionError::Neither {
            found: shortened(&String::from_utf8_lossy(bytes), SHOWN).into_owned(),
            reason: "it is neither text nor a PNG".to_owned(),
        }),
    }
}

/// Reads what a person gives on a command line: a position as text, a file with a text or a picture, or a
/// frame of a recording, as in `game.csv@12345`. A movie is played on `console`, which has just been
/// switched on; other inputs leave it alone.
///
/// # Errors
/// As [`read`]; when a file cannot be read, or its frame has no position.
pub fn open(given: &str, console: &mut dyn Console, decoder: &Decoder) -> Result<ReadPosition, PositionError> {
    if given.contains('\n') || text::is_notation(given) {
        return read(given);
    }
    let whole = Path::new(given);
    if let Some((path, frame)) = frame_in(given) {
        return match FileFormat::of_path(&path) {
            Some(format) => frame::read(&path, format, frame, console, decoder),
            None => Err(PositionError::Neither {
                found: shortened(given, SHOWN).into_owned(),
                reason: if path.exists() {
                    "the file before @ is no log and no movie".to_owned()
                } else {
                    "there is no such file, and none before @".to_owned()
                },
            }),
        };
    }
    match limited::read(whole, MAX_BYTES) {
        Ok(bytes) if FileFormat::of_path(whole).is_none() || bytes.starts_with(PNG) => {
            read_bytes(&bytes).map_err(|error| PositionError::InFile { path: whole.to_owned(), error: Box::new(error) })
        }
        Ok(_) => Err(PositionError::NoFrame(whole.to_owned())),
        Err(error) if error.kind() == ErrorKind::FileTooLarge && FileFormat::of_path(whole).is_some() => {
            Err(PositionError::NoFrame(whole.to_owned()))
        }
        Err(error)
            if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::InvalidInput | ErrorKind::InvalidFilename) =>
        {
            // A single row is a drawing, too. No name of a file has two full cells side by side, or is made of cells alone.
            let is_drawing =
                given.contains("##") || given.contains('#') && given.trim().chars().all(|it| "#.".contains(it));
            read(given).map_err(|error| match error {
                error if is_drawing => error,
                _ => PositionError::Neither {
                    found: shortened(given, SHOWN).into_owned(),
                    reason: "there is no such file".to_owned(),
                },
            })
        }
        Err(source) => Err(Error::Read { path: whole.to_owned(), source }.into()),
    }
}

/// The beginning of a PNG.
const PNG: &[u8] = b"\x89PNG\r\n\x1A\n";

/// The path and the frame of `PATH@FRAME`, unless a file has all of this for its name.
fn frame_in(given: &str) -> Option<(PathBuf, u64)> {
    let (path, frame) = given.rsplit_once('@').filter(|_| !Path::new(given).exists())?;
    Some((PathBuf::from(path), frame.parse().ok()?))
}

/// The file that [`open`] would read; `None` for a position that is written out. Whether it is there is not known yet.
pub fn file_of(given: &str) -> Option<PathBuf> {
    if given.contains('\n') || text::is_notation(given) {
        return None;
    }
    Some(frame_in(given).map_or_else(|| PathBuf::from(given), |(path, _)| path))
}
