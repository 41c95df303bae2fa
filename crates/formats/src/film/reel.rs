//! What a film is to be: size, speed, and which frames of the run are kept.

use super::colour::Rgb;
use super::format::FilmFormat;

/// The highest speed, as a multiple of the run's. Chosen by hand, not measured.
const FASTEST: u32 = 64;
/// The largest scale. Chosen by hand, not measured.
const LARGEST: u32 = 8;

/// A film before its first picture.
#[derive(Debug, Clone, PartialEq)]
pub struct Reel {
    /// Pixels in a row of a picture.
    pub(super) width: u32,
    /// Rows of a picture.
    pub(super) height: u32,
    pub(super) format: FilmFormat,
    /// Frames of the run in a second of the film.
    pub(super) frames_per_second: f64,
    /// One of this many frames is kept.
    pub(super) every: u32,
    /// Pixels of the film across a pixel of a picture.
    pub(super) scale: u32,
    /// Colours to be expected.
    pub(super) colours: Vec<Rgb>,
}

/// A reel that the format cannot show.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ReelError {
    /// A speed out of range.
    #[error("expected a speed of a film from 1 to {FASTEST}, found {0}")]
    Speed(u32),
    /// A size out of range.
    #[error("expected a scale of a film from 1 to {LARGEST}, found {0}")]
    Scale(u32),
    /// Pictures that follow each other too fast.
    #[error(
        "expected at most one frame of {fewest}, found one of {found}: {} films show a picture for {} ms at least",
        .format.name(),
        (1000.0 * .format.shortest_showing()) as u32
    )]
    TooMany {
        /// The format can show one of this many frames.
        fewest: u32,
        /// The requested number.
        found: u32,
        /// The format.
        format: FilmFormat,
    },
}

impl Reel {
    /// Pictures of this size in pixels, of a run with this many frames a second, at the run's own
    /// speed and size, with as many frames as the format can show.
    pub fn new(width: u32, height: u32, frames_per_second: f64, format: FilmFormat) -> Reel {
        let (every, scale, colours) = (1, 1, Vec::new());
        let reel = Reel { width, height, format, frames_per_second, every, scale, colours };
        Reel { every: reel.fewest(), ..reel }
    }

    /// This many times as fast; the number of frames that are kept follows from it.
    ///
    /// # Errors
    /// When it is not 1 to 64.
    pub fn at_speed(mut self, speed: u32) -> Result<Reel, ReelError> {
        if !(1..=FASTEST).contains(&speed) {
            return Err(ReelError::Speed(speed));
        }
        self.frames_per_second *= f64::from(speed);
        // A faster film is not a finer one.
        self.every = self.fewest().max(speed);
        Ok(self)
    }

    /// Every n-th frame is kept, and shown for as long as n frames take.
    ///
    /// # Errors
    /// When the format cannot show that many frames.
    pub fn keeping(self, every: u32) -> Result<Reel, ReelError> {
        match self.fewest() {
            fewest if every < fewest => Err(ReelError::TooMany { fewest, found: every, format: self.format }),
            _ => Ok(Reel { every, ..self }),
        }
    }

    /// This many times as large in both directions.
    ///
    /// # Errors
    /// When it is not 1 to 8.
    pub fn scaled(self, scale: u32) -> Result<Reel, ReelError> {
        if (1..=LARGEST).contains(&scale) { Ok(Reel { scale, ..self }) } else { Err(ReelError::Scale(scale)) }
    }

    /// These colours are to be expected. A film that knows its colours is smaller; other colours
    /// may still come.
    pub fn with_colours(self, colours: Vec<Rgb>) -> Reel {
        Reel { colours, ..self }
    }

    fn fewest(&self) -> u32 {
        (self.frames_per_second * self.format.shortest_showing()).ceil().max(1.0) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reel(format: FilmFormat) -> Reel {
        Reel::new(256, 240, 60.0988, format)
    }

    #[test]
    fn frames_are_kept_as_the_format_can_show_them() {
        let every = |format, speed| reel(format).at_speed(speed).unwrap().every;
        assert_eq!([1, 2, 4, 16].map(|speed| every(FilmFormat::Gif, speed)), [2, 3, 5, 20]);
        assert_eq!([1, 2, 4, 16].map(|speed| every(FilmFormat::Apng, speed)), [1, 2, 4, 16]);
        assert_eq!([1, 2, 4, 16].map(|speed| every(FilmFormat::Mp4, speed)), [1, 2, 4, 16]);
    }

    #[test]
    fn what_cannot_be_shown_is_refused_with_what_can() {
        let error = reel(FilmFormat::Gif).keeping(1).unwrap_err().to_string();
        assert_eq!(
            error,
            "expected at most one frame of 2, found one of 1: GIF films show a picture for 20 ms at least"
        );
        assert!(reel(FilmFormat::Gif).keeping(2).is_ok() && reel(FilmFormat::Apng).keeping(1).is_ok());
        assert!(reel(FilmFormat::Mp4).keeping(0).is_err());
        assert!(reel(FilmFormat::Gif).at_speed(0).is_err() && reel(FilmFormat::Gif).at_speed(65).is_err());
        assert!(reel(FilmFormat::Gif).scaled(0).is_err() && reel(FilmFormat::Gif).scaled(9).is_err());
    }
}
