//! Why a recorded game cannot be made faster.

use crate::tas::goal::Goal;
use maxout_engine::game::memory::GameType;

/// Why a game cannot be improved.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ImproveError {
    /// No piece locks in it.
    #[error("expected a movie from power-on in which a game is played, found none in which a piece locks")]
    NoGame,
    /// Its game is of the other type.
    #[error("expected a movie of {} for {goal}, found one of {found}", goal.game_type())]
    GameType {
        /// What is to be reached.
        goal: Goal,
        /// The type of the game.
        found: GameType,
    },
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
    /// It reaches the goal with a lock that clears nothing.
    #[error(
        "expected a clear that reaches {goal}, found a game that reaches it by pushdown after {score} points of clears: give a lower --goal"
    )]
    NoClear {
        /// What is to be reached.
        goal: Goal,
        /// The points of all clears.
        score: u32,
    },
    /// No game of the search has enough points of pushdown.
    #[error("found no game with the {points} points of pushdown that {goal} needs")]
    Pushdown {
        /// What is to be reached.
        goal: Goal,
        /// Points of pushdown that it needs.
        points: u32,
    },
    /// It is not built of a tower, two runs of cycles and a burst between them, or no game gets through its parts.
    #[error(
        "found no game through the parts of the movie: expected a tower, tetrises of the rows 0 to 2, a burst of sunk rows, and more tetrises of the rows 0 to 2"
    )]
    NoParts,
    /// The search has lost it.
    #[error("found no way to place piece {piece} as the movie does: a wider search (--width) may find one")]
    Lost {
        /// Counted from 1.
        piece: usize,
    },
}
