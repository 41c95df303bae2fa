//! A film while it is written.

use std::io;
use std::path::Path;

use super::colour::Rgb;
use super::error::FilmError;
use super::format::FilmFormat;
use super::reel::Reel;
use super::strip::Strip;
use super::video::Video;
use crate::whole::Claim;

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
    Strip(Box<Strip>),
    Video(Video),
}

impl Film {
    /// Creates the file, or empties it.
    ///
    /// # Errors
    /// When it cannot be written, or there is no ffmpeg for an MP4.
    pub fn create(path: &Path, reel: &Reel) -> Result<Film, FilmError> {
        let context = || format!("cannot write the recording {}", path.display());
        let claim = Claim::open(path).map_err(|source| FilmError { context: context(), source })?;
        Film::start(claim, reel)
    }

    /// The same with a file that has been claimed before.
    ///
    /// # Errors
    /// As [`Film::create`].
    pub fn start(claim: Claim, reel: &Reel) -> Result<Film, FilmError> {
        let context = format!("cannot write the recording {}", claim.path().display());
        let target = match reel.format {
            FilmFormat::Gif | FilmFormat::Apng => Strip::start(claim, reel).map(|strip| Target::Strip(Box::new(strip))),
            FilmFormat::Mp4 => Video::start(claim, reel).map(Target::Video),
        };
        let target = target.map_err(|source| FilmError { context: context.clone(), source })?;
        let pixels = reel.width as usize * reel.height as usize;
        Ok(Film { target, context, frames: 0, every: u64::from(reel.every), pixels, finished: false })
    }

    /// Is the next frame kept?
    pub fn wants_next(&self) -> bool {
        self.frames.is_multiple_of(self.every)
    }

    /// Frames of the run that it was given.
    pub fn frames(&self) -> u64 {
        self.frames
    }

    /// Takes the next frame of the run. `picture` gives its pixels, row by row from the top left,
    /// and is called only if the frame is kept.
    ///
    /// # Errors
    /// When there is no picture, or it cannot be written.
    pub fn frame(&mut self, picture: impl FnOnce() -> io::Result<Vec<Rgb>>) -> Result<(), FilmError> {
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

    /// Writes the picture that is shown last, until the last frame has passed.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn finish(&mut self) -> Result<(), FilmError> {
        if std::mem::replace(&mut self.finished, true) {
            return Ok(());
        }
        let finished = match &mut self.target {
            Target::Strip(strip) => strip.finish(self.frames),
            Target::Video(video) => video.finish(),
        };
        self.said(finished)
    }

    fn said<T>(&self, result: io::Result<T>) -> Result<T, FilmError> {
        result.map_err(|source| FilmError { context: self.context.clone(), source })
    }
}

impl Drop for Film {
    /// A run that fails keeps its pictures.
    fn drop(&mut self) {
        // No caller can take an error here.
        let _ = self.finish();
    }
}
