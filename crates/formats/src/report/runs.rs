//! Frames in few characters: frames that are equal are one run.
//!
//! A run is seven characters and, if it is longer than one frame, the number of frames in decimal:
//! two hex digits of buttons; `0` to `3`, 1 for a frame that polls and 2 for one before which RAM
//! was written; the play state in hex, `m` outside of a game, `x` where it is not known; the
//! orientation id, the column and the row in base 36 (`j` is no piece). Spaces separate runs.

use std::fmt::Write;

/// The play state of a frame of which nothing is known.
pub(super) const UNKNOWN_PLAY: u8 = 0xFF;

/// What a page has of every frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct RunFrame {
    pub buttons: u8,
    pub polled: bool,
    pub wrote: bool,
    /// `None` outside of a game.
    pub play: Option<u8>,
    pub piece: u8,
    pub x: u8,
    pub y: u8,
}

/// The runs so far.
#[derive(Debug, Default)]
pub(super) struct Runs {
    text: String,
    last: Option<(RunFrame, u64)>,
}

impl Runs {
    /// Adds a frame.
    pub(super) fn push(&mut self, frame: RunFrame) {
        self.push_many(frame, 1);
    }

    /// Adds a number of equal frames.
    pub(super) fn push_many(&mut self, frame: RunFrame, frames: u64) {
        match &mut self.last {
            _ if frames == 0 => {}
            Some((last, count)) if *last == frame => *count += frames,
            _ => {
                self.close();
                self.last = Some((frame, frames));
            }
        }
    }

    /// Bytes of the runs so far.
    pub(super) fn len(&self) -> usize {
        self.text.len()
    }

    /// Takes the runs so far; none if there are none.
    pub(super) fn take(&mut self) -> Option<String> {
        self.close();
        Some(std::mem::take(&mut self.text)).filter(|text| !text.is_empty())
    }

    fn close(&mut self) {
        let Some((frame, count)) = self.last.take() else { return };
        if !self.text.is_empty() {
            self.text.push(' ');
        }
        let flags = u8::from(frame.polled) | u8::from(frame.wrote) << 1;
        let play = match frame.play {
            None => 'm',
            Some(UNKNOWN_PLAY) => 'x',
            Some(play) => char::from_digit(u32::from(play & 15), 16).unwrap_or('m'),
        };
        let digit = |value: u8| char::from_digit(u32::from(value.min(35)), 36).unwrap_or('z');
        let (piece, x, y) = (digit(frame.piece), digit(frame.x), digit(frame.y));
        let written = write!(self.text, "{:02X}{flags}{play}{piece}{x}{y}", frame.buttons);
        written.expect("a string takes everything");
        if count > 1 {
            write!(self.text, "{count}").expect("a string takes everything");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_frames_are_one_run() {
        let idle = RunFrame { buttons: 0, polled: true, wrote: false, play: Some(1), piece: 0x12, x: 5, y: 0 };
        let mut runs = Runs::default();
        runs.push(RunFrame { play: None, polled: false, piece: 0x13, x: 0, ..idle });
        for _ in 0..10 {
            runs.push(idle);
        }
        runs.push_many(idle, 2);
        runs.push_many(RunFrame { buttons: 1, ..idle }, 0);
        runs.push(RunFrame { buttons: 0x82, wrote: true, y: 19, ..idle });
        assert_eq!(runs.take().as_deref(), Some("000mj00 0011i5012 8231i5j"));
        assert_eq!(runs.take(), None);
    }
}
