//! Why a recorded game cannot be made faster.

use crate::tas::goal::Goal;

/// Why a game cannot be improved.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ImproveError {
    /// No piece locks in it.
    #[error("expected a movie from power-on in which a game is played, found none in which a piece locks")]
    NoGame,
    /// It ends before the goal.
    #[error("expected a movie that reaches {goal}, found one that ends with {score} points and {lines} lines")]
    Goal {
        /// What is to be reached.
        goal: Goal,
        /// The score at its end.
        score: u32,
        /// The lines at its end.
        lines: u16,
    },
    /// Its clears alone do not reach the goal, and points of pushdown are not counted.
    #[error(
        "expected clears that reach {goal}, found {score} points of clears: the rest is pushdown, which is not searched; give a lower --goal"
    )]
    Points {
        /// What is to be reached.
        goal: Goal,
        /// The points of all clears.
        score: u32,
    },
    /// The search has lost it.
    #[error("found no way to place piece {piece} as the movie does: a wider search (--width) may find one")]
    Lost {
        /// Counted from 1.
        piece: usize,
    },
}
