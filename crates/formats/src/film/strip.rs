//! A film as a strip of pictures, each with its own showing: what GIF and APNG have in common.

use std::io;

use super::apng::Apng;
use super::change::{Area, changed};
use super::colour::Rgb;
use super::encode::{Encode, Painted};
use super::format::FilmFormat;
use super::gif::Gif;
use super::reel::Reel;
use super::ticks::Ticks;
use crate::whole::{Claim, GrowingFile, Packing};

/// The longest time for which both formats can show a picture, in ticks: they store it in 16
/// bits. A picture that stays longer is written again.
const LONGEST: u64 = u16::MAX as u64;

/// What a film is made of, in messages.
pub(super) const UNIT: &str = "pictures";

/// A film on its way into a file.
pub(super) struct Strip {
    output: GrowingFile,
    encoder: Box<dyn Encode>,
    ticks: Ticks,
    shortest: u64,
    width: usize,
    shown: Option<Shown>,
}

/// The picture that is shown now. Its time is known when the next one comes.
struct Shown {
    before: Option<Vec<Rgb>>,
    now: Vec<Rgb>,
    area: Area,
    since: u64,
}

impl Strip {
    pub(super) fn start(claim: Claim, reel: &Reel) -> io::Result<Strip> {
        Strip::new(GrowingFile::start(claim, Packing::Plain, UNIT)?, reel)
    }

    pub(super) fn new(output: GrowingFile, reel: &Reel) -> io::Result<Strip> {
        let encoder: Box<dyn Encode> = match reel.format {
            FilmFormat::Gif => Box::new(Gif::new(reel, output.can_edit())?),
            _ => Box::new(Apng::new(reel)),
        };
        let ticks_per_second = reel.format.ticks_per_second().unwrap_or(1);
        let ticks = Ticks::new(reel.frames_per_second, ticks_per_second);
        let shortest = (reel.format.shortest_showing() * f64::from(ticks_per_second)).floor() as u64;
        Ok(Strip { output, encoder, ticks, shortest, width: reel.width as usize, shown: None })
    }

    /// Shows a picture from the beginning of this frame on.
    pub(super) fn show(&mut self, frame: u64, picture: Vec<Rgb>) -> io::Result<()> {
        let since = self.ticks.at(frame);
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

    /// Writes the last picture, which is shown until the beginning of this frame.
    pub(super) fn finish(&mut self, frame: u64) -> io::Result<()> {
        if let Some(shown) = self.shown.take() {
            let until = self.ticks.at(frame).max(shown.since + self.shortest);
            self.write(&shown, until)?;
        }
        let pictures = self.output.written();
        if pictures > 0 {
            if self.output.can_edit() {
                let last = self.encoder.last_edits(pictures);
                let ended = self.output.edit(&last, 0);
                if ended.is_err() {
                    self.output.mend(&last);
                }
                ended?;
            } else {
                self.output.append(&self.encoder.trailer(), 0)?;
            }
        }
        self.output.finish()
    }

    fn add(&mut self, picture: Vec<u8>) -> io::Result<()> {
        if !self.output.can_edit() && self.encoder.can_stream() {
            return self.output.append(&picture, 1);
        }
        let edits = self.encoder.edits(picture, self.output.length());
        let added = self.output.edit(&edits, 1);
        if added.is_err() && self.output.written() > 0 {
            self.output.mend(&self.encoder.last_edits(self.output.written()));
        }
        added
    }

    fn write(&mut self, shown: &Shown, until: u64) -> io::Result<()> {
        let mut painted = Painted { before: shown.before.as_deref(), now: &shown.now, area: shown.area, ticks: 0 };
        let mut left = until - shown.since;
        loop {
            let ticks = if left > LONGEST { LONGEST.min(left - self.shortest) } else { left };
            painted.ticks = ticks as u16;
            let bytes = self.encoder.picture(&painted)?;
            self.add(bytes)?;
            left -= ticks;
            if left == 0 {
                return Ok(());
            }
            // The same picture again: one pixel of it is enough.
            painted.before = Some(&shown.now);
            painted.area = Area { width: 1, height: 1, ..shown.area };
        }
    }
}
