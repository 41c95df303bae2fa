//! Any file with buttons, as buttons to be played.

use std::path::Path;

use super::fm2::{Movie, Step};
use super::frame_log::{LogReader, LogShape};
use super::{Error, FileFormat, Format, Provenance, bk2, r08};
use maxout_engine::gamepad::Buttons;

/// The buttons that a console is given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Presses {
    /// Step by step.
    Steps(Vec<Step>),
    /// One entry for each frame that polls; lag frames take none.
    Polls(Vec<Buttons>),
}

/// A log or a movie that has been read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InputFile {
    /// The buttons.
    pub presses: Presses,
    /// Where it comes from; empty where it has nothing that this program understands.
    pub provenance: Provenance,
    /// The movie, if it is one.
    pub movie: Option<Movie>,
    /// Are buttons pressed on a gamepad other than the first? A console is not given them.
    pub uses_other_gamepads: bool,
}

impl InputFile {
    /// Reads a log or a movie.
    ///
    /// # Errors
    /// When it cannot be read, is malformed, or has no buttons.
    pub fn open(path: &Path, format: FileFormat) -> Result<InputFile, Error> {
        let log = |shape| {
            let reader = LogReader::open(path, shape)?;
            let provenance = reader.provenance().clone();
            let presses = Presses::Steps(reader.steps()?);
            Ok(InputFile { presses, provenance, movie: None, uses_other_gamepads: false })
        };
        match format.format {
            Format::Csv => log(LogShape::Csv),
            Format::JsonLines => log(LogShape::JsonLines),
            Format::Fm2 => Movie::open(path).map(InputFile::from),
            Format::Bk2 => bk2::open(path).map(InputFile::from),
            Format::R08 => {
                let entries = r08::open(path)?;
                if entries.buttons.is_empty() {
                    let message = "expected two bytes for each frame, found none".to_owned();
                    return Err(Error::Content { path: path.to_owned(), message });
                }
                Ok(InputFile {
                    presses: Presses::Polls(entries.buttons),
                    provenance: Provenance::default(),
                    movie: None,
                    uses_other_gamepads: entries.uses_other_gamepad,
                })
            }
            Format::Ngf => Err(Error::Content {
                path: path.to_owned(),
                message: "an NGF holds pictures of frames and no buttons, so nothing can be replayed from it"
                    .to_owned(),
            }),
        }
    }
}

impl From<Movie> for InputFile {
    fn from(movie: Movie) -> InputFile {
        InputFile {
            presses: Presses::Steps(movie.steps().collect()),
            provenance: movie.header.provenance(),
            uses_other_gamepads: movie.uses_other_gamepads(),
            movie: Some(movie),
        }
    }
}
