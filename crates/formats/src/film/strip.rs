//! A film as a strip of pictures, each with its own showing: what GIF and APNG have in common.

use std::io;
use std::path::Path;

use super::apng::Apng;
use super::change::{Area, changed};
use super::clock::Clock;
use super::file::{Ending, Output};
use super::gif::Gif;
use super::{Format, Reel, Rgb};

/// The longest showing that both formats can say, in ticks; a longer one is said twice.
const LONGEST: u64 = u16::MAX as u64;

/// A picture for an encoder.
#[derive(Debug, Clone, Copy)]
pub(super) struct Painted<'a> {
    /// What is on show until now.
    pub before: Option<&'a [Rgb]>,
    /// What is on show then.
    pub now: &'a [Rgb],
    /// Where they differ.
    pub area: Area,
    /// For so long.
    pub ticks: u16,
}

/// A format of such films.
pub(super) trait Encode: Send {
    /// The bytes of a picture, and of what stands before the first one.
    fn picture(&mut self, painted: &Painted<'_>) -> io::Result<Vec<u8>>;

    /// What makes the film whole after it.
    fn ending(&self) -> Ending;
}

/// A film on its way into a file.
pub(super) struct Strip {
    output: Output,
    encoder: Box<dyn Encode>,
    clock: Clock,
    shortest: u64,
    width: usize,
    shown: Option<Shown>,
}

/// The picture that is on show. How long it will be is known when the next one comes.
struct Shown {
    before: Option<Vec<Rgb>>,
    now: Vec<Rgb>,
    area: Area,
    since: u64,
}

impl Strip {
    pub(super) fn create(path: &Path, reel: &Reel) -> io::Result<Strip> {
        let output = Output::create(path)?;
        let encoder: Box<dyn Encode> = match reel.format {
            Format::Gif => Box::new(Gif::new(reel, output.can_seek())?),
            _ => Box::new(Apng::new(reel)),
        };
        let ticks_per_second = reel.format.ticks_per_second().unwrap_or(1);
        let clock = Clock::new(reel.frames_per_second, ticks_per_second);
        let shortest = (reel.format.shortest_showing() * f64::from(ticks_per_second)).floor() as u64;
        Ok(Strip { output, encoder, clock, shortest, width: reel.width as usize, shown: None })
    }

    /// Shows a picture from the beginning of this frame on.
    pub(super) fn show(&mut self, frame: u64, picture: Vec<Rgb>) -> io::Result<()> {
        let since = self.clock.at(frame);
        let Some(shown) = self.shown.take() else {
            let area = Area { left: 0, top: 0, width: self.width, height: picture.len() / self.width };
            self.shown = Some(Shown { before: None, now: picture, area, since });
            return Ok(());
        };
        let Some(area) = changed(&shown.now, &picture, self.width) else {
            self.shown = Some(shown);
            return Ok(());
        };
        self.write(&shown, since)?;
        self.shown = Some(Shown { before: Some(shown.now), now: picture, area, since });
        Ok(())
    }

    /// Writes the picture that is on show until the beginning of this frame.
    pub(super) fn finish(&mut self, frame: u64) -> io::Result<()> {
        if let Some(shown) = self.shown.take() {
            let until = self.clock.at(frame).max(shown.since + self.shortest);
            self.write(&shown, until)?;
        }
        self.output.finish(&self.encoder.ending())
    }

    fn write(&mut self, shown: &Shown, until: u64) -> io::Result<()> {
        let mut painted = Painted { before: shown.before.as_deref(), now: &shown.now, area: shown.area, ticks: 0 };
        let mut left = until - shown.since;
        loop {
            let ticks = if left > LONGEST { LONGEST.min(left - self.shortest) } else { left };
            painted.ticks = ticks as u16;
            let bytes = self.encoder.picture(&painted)?;
            self.output.append(&bytes, self.encoder.ending())?;
            left -= ticks;
            if left == 0 {
                return Ok(());
            }
            // The same once more: a pixel of it will do.
            painted.before = Some(&shown.now);
            painted.area = Area { width: 1, height: 1, ..shown.area };
        }
    }
}
