//! Tap rhythms, as players write them: `X` for a frame with a tap, `.` for one without.

use std::fmt::{self, Display};
use std::str::FromStr;

/// The frames in which taps come, 1 to 64 of them, repeated without end. It counts from the first
/// control frame of a piece, whether or not anything is pressed in it.
///
/// Its text has a letter for each frame: `X....` is a tap in the first frame and four frames
/// without, 12 Hz. There is at least one tap, and never one in two consecutive frames: a button
/// that goes down has to be up in the frame before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TapRhythm {
    /// Bit `n` is frame `n`: set where a tap comes. No bit from [`TapRhythm::frames`] on.
    marks: u64,
    frames: u8,
}

impl TapRhythm {
    /// `X.`: every second frame, 30 Hz.
    pub const FASTEST: TapRhythm = TapRhythm { marks: 1, frames: 2 };

    /// Most frames of a rhythm. More than the 60 of a fall through the empty playfield at level 18.
    pub const MOST_FRAMES: usize = 64;

    /// Frames after which it repeats.
    pub const fn frames(self) -> u8 {
        self.frames
    }

    /// May a tap come in this frame, counted from the first control frame?
    pub const fn marks(self, control_frame: u32) -> bool {
        self.marks >> (control_frame % self.frames as u32) & 1 != 0
    }

    /// How many of the `frames` frames from `control_frame` on are marked.
    pub const fn taps_within(self, control_frame: u32, frames: u32) -> u32 {
        let length = self.frames as u32;
        // What is left of this repetition, and the next one.
        let ahead = (self.marks as u128 | (self.marks as u128) << length) >> (control_frame % length);
        let rest = ahead & ((1 << (frames % length)) - 1);
        frames / length * self.marks.count_ones() + rest.count_ones()
    }

    /// Frames from tap to tap on average.
    pub fn mean_frames(self) -> f64 {
        f64::from(self.frames) / f64::from(self.marks.count_ones())
    }

    /// Taps per second on average, at 60 frames a second, rounded down; at least 1.
    pub const fn mean_hz(self) -> u8 {
        let hz = 60 * self.marks.count_ones() / self.frames as u32;
        if hz == 0 { 1 } else { hz as u8 }
    }
}

impl Display for TapRhythm {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letters: String =
            (0..u32::from(self.frames)).map(|frame| if self.marks(frame) { 'X' } else { '.' }).collect();
        formatter.pad(&letters)
    }
}

/// A text that is no tap rhythm.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TapRhythmError {
    /// It is empty.
    #[error(
        "a tap rhythm has 1 to {} letters, X for a tap and . for a frame without, found none",
        TapRhythm::MOST_FRAMES
    )]
    Empty,
    /// It has more frames than a rhythm can have.
    #[error("a tap rhythm has at most {most} frames, found {0}", most = TapRhythm::MOST_FRAMES)]
    TooLong(usize),
    /// A letter is neither `X` nor `.`.
    #[error("a tap rhythm has only X for a tap and . for a frame without, found {letter:?} in frame {frame}")]
    Letter {
        /// The letter.
        letter: char,
        /// Its frame, from 1.
        frame: usize,
    },
    /// No frame has a tap.
    #[error("a tap rhythm needs at least one X, found {0} frames without")]
    NoTap(usize),
    /// Taps come in two consecutive frames.
    #[error(
        "a tap rhythm needs a . after each X, also where it repeats; the X in frame {frame} is followed by another"
    )]
    Adjacent {
        /// The frame of the first of the two, from 1.
        frame: usize,
    },
}

impl FromStr for TapRhythm {
    type Err = TapRhythmError;

    fn from_str(text: &str) -> Result<TapRhythm, TapRhythmError> {
        let length = text.chars().count();
        if let Some((index, letter)) = text.chars().enumerate().find(|(_, letter)| !matches!(letter, 'X' | '.')) {
            return Err(TapRhythmError::Letter { letter, frame: index + 1 });
        }
        match length {
            0 => return Err(TapRhythmError::Empty),
            1..=TapRhythm::MOST_FRAMES => {}
            _ => return Err(TapRhythmError::TooLong(length)),
        }
        let marks = text.bytes().rev().fold(0, |marks, letter| marks << 1 | u64::from(letter == b'X'));
        if marks == 0 {
            return Err(TapRhythmError::NoTap(length));
        }
        let rhythm = TapRhythm { marks, frames: length as u8 };
        match (0..length).find(|&frame| rhythm.marks(frame as u32) && rhythm.marks(frame as u32 + 1)) {
            Some(frame) => Err(TapRhythmError::Adjacent { frame: frame + 1 }),
            None => Ok(rhythm),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rhythm(text: &str) -> TapRhythm {
        text.parse().expect(text)
    }

    #[test]
    fn a_rhythm_repeats_from_the_first_control_frame() {
        let marked = |text: &str| (0..12).filter(|&frame| rhythm(text).marks(frame)).collect::<Vec<_>>();
        assert_eq!(marked("X...."), [0, 5, 10]);
        assert_eq!(marked("X.X.."), [0, 2, 5, 7, 10]);
        assert_eq!(marked("..X...."), [2, 9]);
        assert_eq!(rhythm("X."), TapRhythm::FASTEST);
    }

    #[test]
    fn taps_are_counted_as_they_come() {
        let longest = "..X.".repeat(16);
        for text in ["X.", "X....", "X.X..", "...X.", &longest] {
            for (from, frames) in (0..130).flat_map(|from| (0..130).map(move |frames| (from, frames))) {
                let counted = (from..from + frames).filter(|&frame| rhythm(text).marks(frame)).count();
                assert_eq!(rhythm(text).taps_within(from, frames) as usize, counted, "{text} {from} {frames}");
            }
        }
    }

    #[test]
    fn the_mean_is_never_more_than_the_rhythm_has() {
        for (text, hz) in [("X.", 30), ("X..", 20), ("X....", 12), ("X.X..", 24), ("X.....", 10)] {
            assert_eq!(rhythm(text).mean_hz(), hz, "{text}");
            assert_eq!(rhythm(text).mean_frames(), 60.0 / f64::from(hz), "{text}");
        }
        assert_eq!((rhythm("X......").mean_hz(), rhythm("X......").mean_frames()), (8, 7.0));
        assert_eq!(rhythm(&format!("X{}", ".".repeat(63))).mean_hz(), 1);
    }

    #[test]
    fn a_rhythm_is_written_as_it_was_read() {
        let longest = "X.......".repeat(8);
        for text in ["X.", "X....", "..X....", ".X", "X.X..", &longest] {
            assert_eq!(rhythm(text).to_string(), text);
        }
    }

    #[test]
    fn a_text_that_is_no_rhythm_is_refused_with_one_line() {
        for (text, words) in [
            ("", "1 to 64 letters, X for a tap and . for a frame without, found none"),
            ("....", "at least one X, found 4 frames without"),
            ("X", "the X in frame 1 is followed by another"),
            ("..XX.", "the X in frame 3 is followed by another"),
            ("X..X", "the X in frame 4 is followed by another"),
            ("X.x.", "found 'x' in frame 3"),
            ("X. .", "found ' ' in frame 3"),
            ("X.\n", "found '\\n' in frame 3"),
            (&"X....".repeat(13), "at most 64 frames, found 65"),
        ] {
            let error = text.parse::<TapRhythm>().expect_err(text).to_string();
            assert!(error.contains(words) && !error.contains('\n'), "{text:?}: {error}");
        }
    }
}
