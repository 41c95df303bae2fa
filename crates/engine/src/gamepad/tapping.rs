//! Press styles: which buttons may go down in which frames, at most at 30 Hz.

use std::fmt::{self, Display};
use std::str::FromStr;

use super::rhythm::{TapRhythm, TapRhythmError};

/// How the buttons are pressed.
///
/// Every style presses a button at most every second frame, and never opposite directions: a real
/// gamepad allows the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum PressStyle {
    /// On even frames, counted from the first control frame, at most one of Left, Right, A and B;
    /// on odd frames nothing. On the plateau (levels 19-28) that is one press for every row that
    /// the piece falls. A piece that is in place may be pushed down.
    #[default]
    EvenFrames,
    /// A shift and a rotation may share a frame. Each may come every second frame, even or odd.
    /// Down is held for at least three frames: in the third it drops the piece, then in every
    /// second one. Nothing shifts while Down is held.
    Gamepad,
    /// Taps at a rate. In the frame of a tap one of Left and Right goes down, or one of A and B, or
    /// one of each; the next tap waits as long as the rate demands. A piece that is in place may be
    /// pushed down.
    Taps(TapRate),
    /// Taps as in [`PressStyle::Taps`], in the frames that a rhythm marks and in no others.
    Rhythm(TapRhythm),
}

impl PressStyle {
    /// All styles, tapping at 30 Hz.
    pub const ALL: [PressStyle; 4] = [
        PressStyle::EvenFrames,
        PressStyle::Gamepad,
        PressStyle::Taps(TapRate::FASTEST),
        PressStyle::Rhythm(TapRhythm::FASTEST),
    ];

    /// Its name on the command line and in files.
    pub const fn name(self) -> &'static str {
        match self {
            PressStyle::EvenFrames => "even-frames",
            PressStyle::Gamepad => "gamepad",
            PressStyle::Taps(_) | PressStyle::Rhythm(_) => "taps",
        }
    }

    /// May a button go down in this frame, counted from the first control frame? The rest after a
    /// tap is not considered.
    pub const fn may_press(self, control_frame: u32) -> bool {
        match self {
            PressStyle::EvenFrames => control_frame.is_multiple_of(2),
            PressStyle::Gamepad | PressStyle::Taps(_) => true,
            PressStyle::Rhythm(rhythm) => rhythm.marks(control_frame),
        }
    }
}

/// Taps a second, 1 to 30 Hz, as the field counts them: at 60 frames a second.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "u64", into = "u8"))]
pub struct TapRate(u8);

impl TapRate {
    /// 30 Hz: every second frame. A button that goes down has to be up in the frame before.
    pub const FASTEST: TapRate = TapRate(30);

    /// A rate of `hz` taps a second; `None` outside 1 to 30.
    pub const fn from_hz(hz: u64) -> Option<TapRate> {
        if hz >= 1 && hz <= TapRate::FASTEST.0 as u64 { Some(TapRate(hz as u8)) } else { None }
    }

    /// Taps a second.
    pub const fn hz(self) -> u8 {
        self.0
    }

    /// Frames from one tap to the next, 2 to 60; never faster than the rate.
    pub const fn frames(self) -> u8 {
        60_u8.div_ceil(self.0)
    }
}

impl Default for TapRate {
    fn default() -> TapRate {
        TapRate::FASTEST
    }
}

/// A tap rate out of range.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a tap rate is 1 to 30 Hz, not {0}")]
pub struct TapRateError(u64);

impl TryFrom<u64> for TapRate {
    type Error = TapRateError;

    fn try_from(hz: u64) -> Result<TapRate, TapRateError> {
        TapRate::from_hz(hz).ok_or(TapRateError(hz))
    }
}

impl From<TapRate> for u8 {
    fn from(rate: TapRate) -> u8 {
        rate.0
    }
}

/// When taps come: at a rate, or in a rhythm.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Tapping {
    /// At any time, if the last tap was long enough ago. Its text is the number of Hz.
    Rate(TapRate),
    /// In the frames that the rhythm marks. Its text is that of the rhythm, as in `X....`.
    Rhythm(TapRhythm),
}

impl Tapping {
    /// The press style that taps like this.
    pub const fn style(self) -> PressStyle {
        match self {
            Tapping::Rate(rate) => PressStyle::Taps(rate),
            Tapping::Rhythm(rhythm) => PressStyle::Rhythm(rhythm),
        }
    }

    /// For people: `12 Hz` or `X....`.
    pub fn describe(self) -> String {
        match self {
            Tapping::Rate(rate) => format!("{} Hz", rate.hz()),
            Tapping::Rhythm(rhythm) => rhythm.to_string(),
        }
    }
}

impl Default for Tapping {
    fn default() -> Tapping {
        Tapping::Rate(TapRate::FASTEST)
    }
}

impl From<TapRate> for Tapping {
    fn from(rate: TapRate) -> Tapping {
        Tapping::Rate(rate)
    }
}

impl From<TapRhythm> for Tapping {
    fn from(rhythm: TapRhythm) -> Tapping {
        Tapping::Rhythm(rhythm)
    }
}

impl Display for Tapping {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Tapping::Rate(rate) => rate.hz().fmt(formatter),
            Tapping::Rhythm(rhythm) => rhythm.fmt(formatter),
        }
    }
}

/// A text that is neither a tap rate nor a tap rhythm.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TappingError {
    /// A rate out of range.
    #[error(transparent)]
    Rate(#[from] TapRateError),
    /// Letters of a rhythm that are none.
    #[error(transparent)]
    Rhythm(#[from] TapRhythmError),
    /// Something else.
    #[error("a tap rate is a whole number of Hz, 1 to 30, or a rhythm such as X...., not {0:?}")]
    Neither(String),
}

impl FromStr for Tapping {
    type Err = TappingError;

    fn from_str(text: &str) -> Result<Tapping, TappingError> {
        if let Ok(hz) = text.parse::<u64>() {
            return Ok(Tapping::Rate(TapRate::try_from(hz)?));
        }
        let is_number = text.starts_with(|first: char| first.is_ascii_digit() || first == '-');
        if is_number || !text.contains(['X', 'x', '.']) {
            return Err(TappingError::Neither(text.to_owned()));
        }
        Ok(Tapping::Rhythm(text.parse()?))
    }
}

/// A rate is a number and a rhythm a text.
#[cfg(feature = "serde")]
mod with_serde {
    use std::fmt;

    use super::{TapRate, Tapping};
    use serde::de::{Error, Unexpected, Visitor};
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    impl Serialize for Tapping {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            match self {
                Tapping::Rate(rate) => rate.serialize(serializer),
                Tapping::Rhythm(rhythm) => serializer.collect_str(rhythm),
            }
        }
    }

    impl<'de> Deserialize<'de> for Tapping {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Tapping, D::Error> {
            deserializer.deserialize_any(RateOrRhythm)
        }
    }

    struct RateOrRhythm;

    impl Visitor<'_> for RateOrRhythm {
        type Value = Tapping;

        fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
            formatter.write_str("a number of Hz, 1 to 30, or a rhythm such as \"X....\"")
        }

        fn visit_u64<E: Error>(self, hz: u64) -> Result<Tapping, E> {
            TapRate::try_from(hz).map(Tapping::Rate).map_err(E::custom)
        }

        fn visit_i64<E: Error>(self, hz: i64) -> Result<Tapping, E> {
            u64::try_from(hz)
                .map_err(|_| E::invalid_value(Unexpected::Signed(hz), &self))
                .and_then(|hz| self.visit_u64(hz))
        }

        fn visit_str<E: Error>(self, text: &str) -> Result<Tapping, E> {
            text.parse().map_err(E::custom)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_never_exceeded() {
        for (hz, frames) in [(30, 2), (20, 3), (15, 4), (13, 5), (12, 5), (10, 6), (1, 60)] {
            assert_eq!(TapRate::from_hz(hz).map(TapRate::frames), Some(frames), "{hz} Hz");
        }
        assert_eq!((TapRate::from_hz(0), TapRate::from_hz(31)), (None, None));
    }

    #[test]
    fn the_text_of_a_tapping_is_a_rate_or_a_rhythm() {
        for text in ["1", "12", "30", "X....", "..X...."] {
            let tapping: Tapping = text.parse().expect(text);
            assert_eq!(tapping.to_string(), text);
            assert_eq!(matches!(tapping, Tapping::Rhythm(_)), text.contains('X'));
        }
        for (text, words) in [
            ("0", "1 to 30 Hz, not 0"),
            ("31", "1 to 30 Hz, not 31"),
            ("-3", "a whole number of Hz, 1 to 30, or a rhythm such as X...., not \"-3\""),
            ("12.5", "or a rhythm such as X...., not \"12.5\""),
            ("fast", "or a rhythm such as X...., not \"fast\""),
            ("", "or a rhythm such as X...., not \"\""),
            ("x....", "found 'x' in frame 1"),
            ("X", "followed by another"),
        ] {
            let error = text.parse::<Tapping>().expect_err(text).to_string();
            assert!(error.contains(words) && !error.contains('\n'), "{text:?}: {error}");
        }
    }
}
