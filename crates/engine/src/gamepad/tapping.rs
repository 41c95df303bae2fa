//! Press styles: which buttons may go down in which frames, at most at 30 Hz.

use std::fmt::{self, Display};
use std::str::FromStr;

use super::gaps::{TapGaps, TapGapsError};
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
    /// Taps as in [`PressStyle::Taps`], but each gap between two taps of a piece has its own length.
    Gaps(TapGaps),
}

impl PressStyle {
    /// All styles, tapping at 30 Hz.
    pub const ALL: [PressStyle; 5] = [
        PressStyle::EvenFrames,
        PressStyle::Gamepad,
        PressStyle::Taps(TapRate::FASTEST),
        PressStyle::Rhythm(TapRhythm::FASTEST),
        PressStyle::Gaps(TapGaps::FASTEST),
    ];

    /// Its name on the command line and in files.
    pub const fn name(self) -> &'static str {
        match self {
            PressStyle::EvenFrames => "even-frames",
            PressStyle::Gamepad => "gamepad",
            PressStyle::Taps(_) | PressStyle::Rhythm(_) | PressStyle::Gaps(_) => "taps",
        }
    }

    /// How fast it taps: the styles without a rate tap at 30 Hz.
    pub const fn tapping(self) -> Tapping {
        match self {
            PressStyle::EvenFrames | PressStyle::Gamepad => Tapping::FASTEST,
            PressStyle::Taps(rate) => Tapping::Rate(rate),
            PressStyle::Rhythm(rhythm) => Tapping::Rhythm(rhythm),
            PressStyle::Gaps(gaps) => Tapping::Gaps(gaps),
        }
    }

    /// May a button go down in this frame, counted from the first control frame? The rest after a
    /// tap is not considered.
    pub const fn may_press(self, control_frame: u32) -> bool {
        match self {
            PressStyle::EvenFrames => control_frame.is_multiple_of(2),
            PressStyle::Gamepad | PressStyle::Taps(_) | PressStyle::Gaps(_) => true,
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

    /// Frames from one tap to the next, 2 to 60, where all gaps are the same; never faster than the rate.
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
#[error("expected a tap rate of 1 to 30 Hz, found {0}")]
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

/// When taps come: at a rate, in a rhythm, or by gaps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Tapping {
    /// At any time, if the last tap was long enough ago. Its text is the number of Hz. A rate that is
    /// no whole number of frames has the next longer gap, but 24 Hz has gaps of 2 and 3 frames in turn.
    Rate(TapRate),
    /// In the frames that the rhythm marks. Its text is that of the rhythm, as in `X....`.
    Rhythm(TapRhythm),
    /// At any time, if the last tap was long enough ago by its own gap. Its text is that of the gaps,
    /// as in `2-3`; `slow5` is read as [`TapGaps::SLOW5`].
    Gaps(TapGaps),
}

/// The name of [`TapGaps::SLOW5`].
const SLOW5: &str = "slow5";

impl Tapping {
    /// At 30 Hz.
    pub const FASTEST: Tapping = Tapping::Rate(TapRate::FASTEST);

    /// Frames from tap to tap on average.
    pub fn mean_frames(self) -> f64 {
        match self {
            Tapping::Rate(TapRate(24)) => TapGaps::HZ_24.mean_frames(),
            Tapping::Rate(rate) => rate.frames().into(),
            Tapping::Rhythm(rhythm) => rhythm.mean_frames(),
            Tapping::Gaps(gaps) => gaps.mean_frames(),
        }
    }

    /// The press style that taps like this.
    pub const fn style(self) -> PressStyle {
        match self {
            Tapping::Rate(TapRate(24)) => PressStyle::Gaps(TapGaps::HZ_24),
            Tapping::Rate(rate) => PressStyle::Taps(rate),
            Tapping::Rhythm(rhythm) => PressStyle::Rhythm(rhythm),
            Tapping::Gaps(gaps) => PressStyle::Gaps(gaps),
        }
    }

    /// For people: `12 Hz`, `X....` or `gaps 2-3`.
    pub fn describe(self) -> String {
        match self {
            Tapping::Rate(rate) => format!("{} Hz", rate.hz()),
            Tapping::Rhythm(rhythm) => rhythm.to_string(),
            Tapping::Gaps(TapGaps::SLOW5) => format!("{SLOW5} (gaps {})", TapGaps::SLOW5),
            Tapping::Gaps(gaps) => format!("gaps {gaps}"),
        }
    }
}

impl Default for Tapping {
    fn default() -> Tapping {
        Tapping::FASTEST
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

impl From<TapGaps> for Tapping {
    fn from(gaps: TapGaps) -> Tapping {
        Tapping::Gaps(gaps)
    }
}

impl Display for Tapping {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Tapping::Rate(rate) => rate.hz().fmt(formatter),
            Tapping::Rhythm(rhythm) => rhythm.fmt(formatter),
            Tapping::Gaps(gaps) => gaps.fmt(formatter),
        }
    }
}

/// A text that is no tap rate, no tap rhythm and no gaps.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TappingError {
    /// A rate out of range.
    #[error(transparent)]
    Rate(#[from] TapRateError),
    /// Letters of a rhythm that are none.
    #[error(transparent)]
    Rhythm(#[from] TapRhythmError),
    /// Gaps that are none.
    #[error(transparent)]
    Gaps(#[from] TapGapsError),
    /// Something else.
    #[error(
        "expected a tap rate as a whole number of Hz, 1 to 30, or a rhythm such as X...., or gaps such as 2-3, or slow5, \
         found {0:?}"
    )]
    Other(String),
}

impl FromStr for Tapping {
    type Err = TappingError;

    fn from_str(text: &str) -> Result<Tapping, TappingError> {
        if let Ok(hz) = text.parse::<u64>() {
            return Ok(Tapping::Rate(TapRate::try_from(hz)?));
        }
        if text == SLOW5 {
            return Ok(Tapping::Gaps(TapGaps::SLOW5));
        }
        if text.starts_with(|first: char| first.is_ascii_digit()) && text.contains(['-', '+']) {
            return Ok(Tapping::Gaps(text.parse()?));
        }
        let is_number = text.starts_with(|first: char| first.is_ascii_digit() || first == '-');
        if is_number || !text.contains(['X', 'x', '.']) {
            return Err(TappingError::Other(text.to_owned()));
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
                Tapping::Rhythm(_) | Tapping::Gaps(_) => serializer.collect_str(self),
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
            formatter.write_str(
                "a number of Hz, 1 to 30, or a rhythm such as \"X....\", or gaps such as \"2-3\", or \"slow5\"",
            )
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
        let style = |hz| TapRate::from_hz(hz).map(|rate| Tapping::Rate(rate).style());
        assert_eq!(style(24), Some(PressStyle::Gaps(TapGaps::HZ_24)));
        assert_eq!(style(20), TapRate::from_hz(20).map(PressStyle::Taps));
        assert_eq!((TapRate::from_hz(0), TapRate::from_hz(31)), (None, None));
    }

    #[test]
    fn the_text_of_a_tapping_is_a_rate_or_a_rhythm() {
        for text in ["1", "12", "30", "X....", "..X....", "2-3", "2+", "2-2-2-5+"] {
            let tapping: Tapping = text.parse().expect(text);
            assert_eq!(tapping.to_string(), text);
            assert_eq!(matches!(tapping, Tapping::Rhythm(_)), text.contains('X'));
            assert_eq!(matches!(tapping, Tapping::Gaps(_)), text.contains(['-', '+']));
        }
        let slow5: Tapping = "slow5".parse().expect("a name");
        assert_eq!((slow5, slow5.to_string().parse()), (TapGaps::SLOW5.into(), Ok(slow5)));
        for (text, words) in [
            ("0", "1 to 30 Hz, found 0"),
            ("31", "1 to 30 Hz, found 31"),
            (
                "-3",
                "a whole number of Hz, 1 to 30, or a rhythm such as X...., or gaps such as 2-3, or slow5, found \"-3\"",
            ),
            ("12.5", "or slow5, found \"12.5\""),
            ("fast", "or slow5, found \"fast\""),
            ("", "or slow5, found \"\""),
            ("Slow5", "or slow5, found \"Slow5\""),
            ("2-", "a gap between taps is 2 to 60 frames, as in 2-3 or 2-2-2-5+, found \"\""),
            ("x....", "found 'x' in frame 1"),
            ("X", "followed by another"),
        ] {
            let error = text.parse::<Tapping>().expect_err(text).to_string();
            assert!(error.contains(words) && !error.contains('\n'), "{text:?}: {error}");
        }
    }
}
