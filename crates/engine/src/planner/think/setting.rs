//! How far the learned player looks ahead, as people type it.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// The most plies that a search looks ahead, with any budget. Chosen by hand: a fourth ply already gains
/// less than the third (with the former nets of docs/strength.md 1,400,777 points on average at two plies,
/// 1,413,158 at three, 1,420,587 at four).
pub const MOST_PLIES: u8 = 5;

/// The longest budget in milliseconds: an hour. Chosen by hand, not measured.
const LONGEST: f64 = 3_600_000.0;

/// How far to look ahead: `fixed:PLIES`, or a number of milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "String", into = "String"))]
pub enum Think {
    /// This number of plies, 1 to [`MOST_PLIES`]: the falling piece, the next, and so on. Every
    /// machine makes the same choices.
    Plies(u8),
    /// As many plies as this time allows, by the clock of the search
    /// ([`Search::with_clock`](crate::planner::Search::with_clock)); it begins when the search does.
    Time(Duration),
}

impl Think {
    /// Three: 12,381 points more on average than with two (1,413,158 against 1,400,777), at half a
    /// millisecond for the median decision.
    pub const DEFAULT_PLIES: u8 = 3;

    /// Four: what plays games from the command line. See docs/strength.md for what the fourth ply gains; the median decision takes
    /// 4 milliseconds, and one in a hundred 11 of the 16.6 that a frame has.
    pub const PLAYED_PLIES: u8 = 4;
}

impl Default for Think {
    fn default() -> Think {
        Think::Plies(Think::DEFAULT_PLIES)
    }
}

/// A text that is not such a setting.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected fixed:PLIES (1 to 5) or a number of milliseconds up to 3600000, found {0:?}")]
pub struct ParseThinkError(String);

impl FromStr for Think {
    type Err = ParseThinkError;

    fn from_str(text: &str) -> Result<Think, ParseThinkError> {
        let think = match text.strip_prefix("fixed:") {
            Some(plies) => plies.parse().ok().filter(|plies| (1..=MOST_PLIES).contains(plies)).map(Think::Plies),
            None => {
                let millis = text.parse().ok().filter(|millis| (0.0..=LONGEST).contains(millis));
                millis.map(|millis: f64| Think::Time(Duration::from_secs_f64(millis / 1e3)))
            }
        };
        think.ok_or_else(|| ParseThinkError(text.to_owned()))
    }
}

impl TryFrom<String> for Think {
    type Error = ParseThinkError;

    fn try_from(text: String) -> Result<Think, ParseThinkError> {
        text.parse()
    }
}

impl fmt::Display for Think {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Think::Plies(plies) => write!(f, "fixed:{plies}"),
            Think::Time(time) => write!(f, "{}", time.as_nanos() as f64 / 1e6),
        }
    }
}

impl From<Think> for String {
    fn from(think: Think) -> String {
        think.to_string()
    }
}

impl Think {
    /// With its unit: `fixed:3`, `2.5 ms`.
    pub fn describe(self) -> String {
        let unit = if matches!(self, Think::Time(_)) { " ms" } else { "" };
        format!("{self}{unit}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_setting_survives_its_own_text() {
        for text in ["fixed:1", "fixed:5", "0", "10", "2.5", "0.125", "3600000"] {
            assert_eq!(text.parse::<Think>().map(String::from).as_deref(), Ok(text));
        }
        assert_eq!("2.5".parse(), Ok(Think::Time(Duration::from_micros(2500))));
        assert_eq!(Think::Time(Duration::from_micros(2500)).describe(), "2.5 ms");
        assert_eq!(Think::default().describe(), "fixed:3");
    }

    #[test]
    fn nonsense_is_refused() {
        for text in ["", "fixed", "fixed:0", "fixed:6", "fixed:2.5", "-1", "nan", "inf", "1e9", "10ms"] {
            assert!(text.parse::<Think>().is_err(), "{text}");
        }
    }
}
