//! Recordings as pictures: a film is given the pictures of a run one by one and writes them as they
//! come, as GIF, animated PNG, or MP4 through an installed ffmpeg.
//!
//! ```no_run
//! use maxout_formats::film::{Film, Format, Reel};
//!
//! # fn main() -> Result<(), maxout_formats::film::Error> {
//! let reel = Reel::new(256, 240, 60.0988, Format::Gif);
//! let mut film = Film::create("game.gif".as_ref(), &reel)?;
//! for frame in 0..120 {
//!     film.frame(|| Ok(vec![[frame, 0, 0]; 256 * 240]))?;
//! }
//! film.finish()
//! # }
//! ```
//!
//! Nothing here knows what is filmed. Of the past a film keeps the last two pictures and nothing
//! else, so it may be as long as it likes. Of a picture it writes the smallest rectangle that holds
//! every change, and of a picture that stays nothing at all but a longer showing. The file can be
//! played after every write, also if the program is killed; what is missing then is the picture
//! that was still on show.

mod apng;
mod change;
mod clock;
mod file;
mod format;
mod gif;
mod reel;
mod still;
mod strip;
mod video;

use std::io;
use std::path::Path;

pub use format::Format;
pub use reel::{Reel, ReelError};
pub use still::enlarged;

use strip::Strip;
use video::Video;

/// A colour: red, green, blue.
pub type Rgb = [u8; 3];

/// A film that cannot be written.
#[derive(Debug, thiserror::Error)]
#[error("{context}")]
pub struct Error {
    /// What was being written.
    pub context: String,
    /// Why it cannot be.
    pub source: io::Error,
}

/// A film on its way into a file.
pub struct Film {
    target: Target,
    context: String,
    /// Frames of the run so far, kept or not.
    frames: u64,
    every: u64,
    pixels: usize,
    finished: bool,
}

enum Target {
    Strip(Strip),
    Video(Video),
}

impl Film {
    /// Creates the file, or empties it.
    ///
    /// # Errors
    /// When it cannot be written, or there is no ffmpeg for an MP4.
    pub fn create(path: &Path, reel: &Reel) -> Result<Film, Error> {
        let context = format!("cannot write the recording {}", path.display());
        let target = match reel.format {
            Format::Gif | Format::Apng => Strip::create(path, reel).map(Target::Strip),
            Format::Mp4 => Video::create(path, reel).map(Target::Video),
        };
        let target = target.map_err(|source| Error { context: context.clone(), source })?;
        let pixels = reel.width as usize * reel.height as usize;
        Ok(Film { target, context, frames: 0, every: u64::from(reel.every), pixels, finished: false })
    }

    /// Is the next frame one of those that are kept?
    pub fn wants_next(&self) -> bool {
        self.frames.is_multiple_of(self.every)
    }

    /// Frames of the run that it was given.
    pub fn frames(&self) -> u64 {
        self.frames
    }

    /// Takes the next frame of the run. Its picture, row by row from the top left, is asked for only
    /// if it is one of those that are kept.
    ///
    /// # Errors
    /// When there is no picture, or it cannot be written.
    pub fn frame(&mut self, picture: impl FnOnce() -> io::Result<Vec<Rgb>>) -> Result<(), Error> {
        let (number, is_kept) = (self.frames, self.wants_next());
        self.frames += 1;
        if !is_kept {
            return Ok(());
        }
        let taken = picture().and_then(|picture| {
            if picture.len() != self.pixels {
                let (expected, found) = (self.pixels, picture.len());
                return Err(io::Error::other(format!("expected a picture of {expected} pixels, found {found}")));
            }
            match &mut self.target {
                Target::Strip(strip) => strip.show(number, picture),
                Target::Video(video) => video.show(&picture),
            }
        });
        self.said(taken)
    }

    /// Writes what is held back: the picture that is on show, until the last frame has passed.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn finish(&mut self) -> Result<(), Error> {
        if std::mem::replace(&mut self.finished, true) {
            return Ok(());
        }
        let finished = match &mut self.target {
            Target::Strip(strip) => strip.finish(self.frames),
            Target::Video(video) => video.finish(),
        };
        self.said(finished)
    }

    fn said<T>(&self, result: io::Result<T>) -> Result<T, Error> {
        result.map_err(|source| Error { context: self.context.clone(), source })
    }
}

impl Drop for Film {
    /// A run that fails keeps its pictures.
    fn drop(&mut self) {
        // Nobody is left to tell.
        let _ = self.finish();
    }
}
