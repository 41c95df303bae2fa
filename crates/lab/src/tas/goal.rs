//! What a search is for.

use std::fmt;
use std::str::FromStr;

use maxout_engine::game::memory::GameType;
use maxout_engine::game::scoring::{Progress, Score};
use maxout_engine::game::{HIGHEST_START_HEIGHT, MAXOUT};
use maxout_engine::tas::MenuChoice;

/// The goal of a search: reached in the first frame whose sample has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Goal {
    /// At least so many points.
    Score(u32),
    /// At least so many lines.
    Lines(u16),
    /// At least this level.
    Level(u8),
    /// The end of a B-type game of this height, 0 to 5: no line is left of its 25.
    BType(u8),
}

/// A text that is no goal.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "expected score:N (1 to {MAXOUT}), lines:N (1 to 999), level:N (1 to 99) or b-type:N (height, 0 to {HIGHEST_START_HEIGHT}), found {found:?}"
)]
pub struct GoalError {
    found: String,
}

impl Goal {
    /// The type of a game that can reach it.
    pub const fn game_type(self) -> GameType {
        match self {
            Goal::Score(_) | Goal::Lines(_) | Goal::Level(_) => GameType::A,
            Goal::BType(_) => GameType::B,
        }
    }

    /// What is chosen in the menus to reach it from a start level.
    pub const fn choice(self, level: u8) -> MenuChoice {
        let height = match self {
            Goal::Score(_) | Goal::Lines(_) | Goal::Level(_) => None,
            Goal::BType(height) => Some(height),
        };
        MenuChoice { level, height }
    }

    /// Is it reached with this score and these lines, in a game of its type?
    pub fn is_reached(self, score: Score, progress: Progress) -> bool {
        match self {
            Goal::Score(points) => score.value() >= points,
            Goal::Lines(lines) => progress.lines() >= lines,
            Goal::Level(level) => progress.level >= level,
            Goal::BType(_) => progress.lines() == 0,
        }
    }
}

impl FromStr for Goal {
    type Err = GoalError;

    fn from_str(text: &str) -> Result<Goal, GoalError> {
        let error = || GoalError { found: text.to_owned() };
        let (name, number) = text.split_once(':').ok_or_else(error)?;
        let number: u32 = number.parse().map_err(|_| error())?;
        match name {
            "score" if (1..=MAXOUT).contains(&number) => Ok(Goal::Score(number)),
            "lines" if (1..=999).contains(&number) => Ok(Goal::Lines(number as u16)),
            "level" if (1..=99).contains(&number) => Ok(Goal::Level(number as u8)),
            "b-type" if number <= HIGHEST_START_HEIGHT.into() => Ok(Goal::BType(number as u8)),
            _ => Err(error()),
        }
    }
}

impl fmt::Display for Goal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Goal::Score(points) => write!(f, "score:{points}"),
            Goal::Lines(lines) => write!(f, "lines:{lines}"),
            Goal::Level(level) => write!(f, "level:{level}"),
            Goal::BType(height) => write!(f, "b-type:{height}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn goals_are_read_as_they_are_shown_and_others_are_refused() {
        for text in ["score:999999", "lines:40", "level:29", "b-type:0", "b-type:5"] {
            assert_eq!(text.parse::<Goal>().map(|goal| goal.to_string()), Ok(text.to_owned()));
        }
        for text in ["", "score", "score:0", "score:1000000", "lines:-1", "level:100", "b-type", "b-type:6", "topout"] {
            assert!(text.parse::<Goal>().is_err(), "{text}");
        }
    }
}
