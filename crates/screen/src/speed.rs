//! The speed at which a run is shown.

use std::fmt;
use std::str::FromStr;

use crate::menu_pace::MenuPace;
use maxout_engine::game::timing::FRAMES_PER_SECOND;

/// The share of a speed from which on it counts as held: windows of half a second differ by a frame
/// or two. Chosen by hand, not measured.
const HELD: f64 = 0.95;

/// How fast a run is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Speed {
    /// This many times the console's own 60.0988 frames a second, 1 to 64.
    Times(u32),
    /// As fast as the run can go.
    Max,
}

impl Speed {
    /// The highest speed below [`Speed::Max`]. Chosen by hand, not measured.
    pub const FASTEST: u32 = 64;

    /// The next power of two up; beyond 64 it is [`Speed::Max`].
    pub fn faster(self) -> Speed {
        match self {
            Speed::Times(times) if times < Speed::FASTEST => Speed::Times((times + 1).next_power_of_two()),
            _ => Speed::Max,
        }
    }

    /// The next power of two down, 1 at least.
    pub fn slower(self) -> Speed {
        match self {
            Speed::Max => Speed::Times(Speed::FASTEST),
            Speed::Times(times) => Speed::Times((times.max(2).next_power_of_two() / 2).max(1)),
        }
    }

    /// The speed that a run of this many frames a second reaches, as text, where it is less than this
    /// one: `4x asked, 2.1x reached`.
    pub fn missed(self, frames_per_second: f64) -> Option<String> {
        let asked = self.frames_per_second()?;
        let reached = frames_per_second / FRAMES_PER_SECOND;
        (frames_per_second < HELD * asked).then(|| format!("{self}x asked, {reached:.1}x reached"))
    }

    /// Frames a second; `None` for no limit.
    pub fn frames_per_second(self) -> Option<f64> {
        match self {
            Speed::Times(times) => Some(f64::from(times.max(1)) * FRAMES_PER_SECOND),
            Speed::Max => None,
        }
    }
}

/// How fast a run is shown, and how fast the menus before its game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Pace {
    /// The speed of the game.
    pub speed: Speed,
    /// The speed of the menus.
    pub menus: MenuPace,
}

impl From<Speed> for Pace {
    fn from(speed: Speed) -> Pace {
        Pace { speed, ..Pace::default() }
    }
}

impl Default for Speed {
    fn default() -> Speed {
        Speed::Times(1)
    }
}

impl fmt::Display for Speed {
    /// What [`Speed::from_str`] reads: `1`, `2`, `max`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Speed::Times(times) => write!(f, "{times}"),
            Speed::Max => f.write_str("max"),
        }
    }
}

/// A speed that is neither a number from 1 to 64 nor `max`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected a speed of 1 to 64 (times the console's own) or max, found {found:?}")]
pub struct ParseSpeedError {
    found: String,
}

impl FromStr for Speed {
    type Err = ParseSpeedError;

    fn from_str(text: &str) -> Result<Speed, ParseSpeedError> {
        if text.eq_ignore_ascii_case("max") {
            return Ok(Speed::Max);
        }
        match text.parse() {
            Ok(times) if (1..=Speed::FASTEST).contains(&times) => Ok(Speed::Times(times)),
            _ => Err(ParseSpeedError { found: text.to_owned() }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_speed_survives_its_text() {
        for speed in (1..=64).map(Speed::Times).chain([Speed::Max]) {
            assert_eq!(speed.to_string().parse(), Ok(speed));
        }
    }

    #[test]
    fn a_wrong_speed_says_what_is_right() {
        for text in ["0", "65", "-1", "1.5", "fast", ""] {
            let error = text.parse::<Speed>().expect_err(text).to_string();
            assert!(error.contains("1 to 64") && error.contains("max") && error.contains(text), "{error}");
        }
    }

    #[test]
    fn a_speed_that_is_not_held_is_said() {
        let times = |times: f64| times * FRAMES_PER_SECOND;
        assert_eq!(Speed::Times(4).missed(times(2.1)).as_deref(), Some("4x asked, 2.1x reached"));
        assert_eq!(Speed::Times(1).missed(times(0.97)), None);
        assert_eq!(Speed::Times(1).missed(times(0.9)).as_deref(), Some("1x asked, 0.9x reached"));
        assert_eq!(Speed::Max.missed(1.0), None);
    }

    #[test]
    fn plus_and_minus_walk_the_powers_of_two() {
        let mut speeds = vec![Speed::Times(1)];
        while speeds[speeds.len() - 1] != Speed::Max {
            speeds.push(speeds[speeds.len() - 1].faster());
        }
        let expected = [1, 2, 4, 8, 16, 32, 64].map(Speed::Times);
        assert_eq!(speeds[..7], expected);
        assert_eq!(speeds.len(), 8);
        for pair in speeds.windows(2) {
            assert_eq!(pair[1].slower(), pair[0]);
        }
        assert_eq!((Speed::Times(1).slower(), Speed::Max.faster()), (Speed::Times(1), Speed::Max));
        assert_eq!((Speed::Times(3).faster(), Speed::Times(3).slower()), (Speed::Times(4), Speed::Times(2)));
    }
}
