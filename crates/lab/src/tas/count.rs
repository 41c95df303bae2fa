//! Up to which frame a game is measured.

use std::fmt;
use std::str::FromStr;

/// What makes a game fast.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Count {
    /// The frame whose sample has the goal.
    #[default]
    Goal,
    /// The last frame with a button pressed: what comes after it needs no movie. TASVideos counts so.
    Input,
}

/// A text that is no way to count.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected goal (up to the frame of the goal) or input (up to the last button), found {found:?}")]
pub struct CountError {
    found: String,
}

impl FromStr for Count {
    type Err = CountError;

    fn from_str(text: &str) -> Result<Count, CountError> {
        match text {
            "goal" => Ok(Count::Goal),
            "input" => Ok(Count::Input),
            _ => Err(CountError { found: text.to_owned() }),
        }
    }
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Count::Goal => "goal",
            Count::Input => "input",
        })
    }
}
