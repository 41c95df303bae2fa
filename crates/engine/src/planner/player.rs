//! The one who chooses placements: the search, or an external program.

use super::{Falling, Plan};
use crate::game::Position;

/// Chooses what to do with each piece.
pub trait Player: Send {
    /// Its name in the summary and the logs.
    fn name(&self) -> &str;

    /// Plans the falling piece; `None` when no placement can be reached.
    ///
    /// # Errors
    /// When the player cannot go on. What was played so far stays.
    fn plan(&mut self, position: &Position, falling: &Falling) -> Result<Option<Plan>, PlayerError>;
}

/// A player that cannot go on.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("player {player}: {problem}")]
pub struct PlayerError {
    /// Its name.
    pub player: String,
    /// What went wrong: what was expected, what was found.
    pub problem: String,
}
