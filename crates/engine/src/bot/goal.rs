//! When a run is over.

use std::fmt;
use std::str::FromStr;

use super::tally::Tally;
use crate::game::MAXOUT;
use crate::ram::RamSnapshot;

/// What a run plays for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "String", into = "String"))]
pub enum Goal {
    /// The score shows 999,999.
    #[default]
    Maxout,
    /// The game tops out.
    Topout,
    /// This level is reached.
    Level(u8),
    /// This number of lines is cleared.
    Lines(u32),
    /// This number of pieces has locked.
    Pieces(u32),
    /// The score is exactly this.
    Score(u32),
    /// This number of frames has run since power-on.
    Frames(u64),
}

impl Goal {
    /// Is it reached after this frame? The run itself checks for topouts.
    pub(super) fn is_reached(self, frames: u64, snapshot: &RamSnapshot, tally: &Tally) -> bool {
        match self {
            Goal::Maxout => snapshot.score >= MAXOUT,
            Goal::Topout => false,
            Goal::Level(level) => snapshot.level >= level,
            Goal::Lines(lines) => u32::from(snapshot.lines) >= lines,
            Goal::Pieces(pieces) => tally.pieces >= pieces,
            Goal::Score(score) => snapshot.score == score,
            Goal::Frames(goal) => frames >= goal,
        }
    }
}

impl Goal {
    /// Is it out of reach for good?
    pub(super) fn is_missed(self, snapshot: &RamSnapshot) -> bool {
        matches!(self, Goal::Score(score) if snapshot.score > score)
    }
}

impl fmt::Display for Goal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Goal::Maxout => f.write_str("maxout"),
            Goal::Topout => f.write_str("topout"),
            Goal::Level(level) => write!(f, "level:{level}"),
            Goal::Lines(lines) => write!(f, "lines:{lines}"),
            Goal::Pieces(pieces) => write!(f, "pieces:{pieces}"),
            Goal::Score(score) => write!(f, "score:{score}"),
            Goal::Frames(frames) => write!(f, "frames:{frames}"),
        }
    }
}

impl From<Goal> for String {
    fn from(goal: Goal) -> String {
        goal.to_string()
    }
}

/// Text that names no goal.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected maxout, topout, level:N, lines:N, pieces:N, score:N or frames:N (N from 1), found {found:?}")]
pub struct ParseGoalError {
    found: String,
}

impl FromStr for Goal {
    type Err = ParseGoalError;

    fn from_str(text: &str) -> Result<Goal, ParseGoalError> {
        fn number<T: FromStr + PartialOrd + From<u8>>(text: &str) -> Option<T> {
            text.parse().ok().filter(|number| *number >= T::from(1))
        }
        let goal = match text.split_once(':') {
            None if text == "maxout" => Some(Goal::Maxout),
            None if text == "topout" => Some(Goal::Topout),
            Some(("level", level)) => number(level).map(Goal::Level),
            Some(("lines", lines)) => number(lines).map(Goal::Lines),
            Some(("pieces", pieces)) => number(pieces).map(Goal::Pieces),
            Some(("score", score)) => number(score).filter(|&score| score <= MAXOUT).map(Goal::Score),
            Some(("frames", frames)) => number(frames).map(Goal::Frames),
            _ => None,
        };
        goal.ok_or_else(|| ParseGoalError { found: text.to_owned() })
    }
}

impl TryFrom<String> for Goal {
    type Error = ParseGoalError;

    fn try_from(text: String) -> Result<Goal, ParseGoalError> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn goals_survive_their_text_and_others_are_refused() {
        for text in ["maxout", "topout", "level:29", "lines:230", "pieces:500", "score:12345", "frames:70000"] {
            assert_eq!(text.parse::<Goal>().map(|goal| goal.to_string()), Ok(text.to_owned()));
        }
        for text in [
            "",
            "max",
            "level",
            "level:",
            "level:0",
            "level:256",
            "lines:-1",
            "frames:1.5",
            "maxout:1",
            "score:1000000",
        ] {
            let error = text.parse::<Goal>().expect_err(text).to_string();
            assert!(error.contains(&format!("{text:?}")), "{error}");
        }
    }
}
