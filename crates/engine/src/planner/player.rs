//! A player chooses placements: the search, or an external program.

use super::{Falling, Plan};
use crate::game::crash::Scene;
use crate::game::{Generator, Position};

/// Chooses what to do with each piece.
pub trait Player: Send {
    /// Its name in the summary and the logs.
    fn name(&self) -> &str;

    /// Plans the falling piece; `None` when no placement can be reached.
    ///
    /// # Errors
    /// When the player cannot go on. What was played so far stays.
    fn plan(&mut self, position: &Position, falling: &Falling) -> Result<Option<Plan>, PlayerError>;

    /// The same where it is known what the length of the next scoring pass depends on. This is the default for a
    /// player that does not keep the game from crashing.
    ///
    /// # Errors
    /// As [`Player::plan`].
    fn plan_in(&mut self, position: &Position, falling: &Falling, _scene: &Scene) -> Result<Option<Plan>, PlayerError> {
        self.plan(position, falling)
    }

    /// The same with the state of the piece generator at the sample, and without the scene where RAM does not show it.
    /// This is the default for an honest player, which does not look at the generator.
    ///
    /// # Errors
    /// As [`Player::plan`].
    fn plan_foreseeing(
        &mut self,
        position: &Position,
        falling: &Falling,
        scene: Option<&Scene>,
        _generator: &Generator,
    ) -> Result<Option<Plan>, PlayerError> {
        match scene {
            Some(scene) => self.plan_in(position, falling, scene),
            None => self.plan(position, falling),
        }
    }

    /// What the player remembers from one piece to the next, for a saved run; no bytes for a player
    /// that remembers nothing.
    ///
    /// # Errors
    /// When the player cannot be saved. This is the default for a player that does not implement
    /// it.
    fn save(&self) -> Result<Vec<u8>, PlayerError> {
        Err(self.cannot_be_saved())
    }

    /// Restores what [`Player::save`] gave. After an error the player is unchanged.
    ///
    /// # Errors
    /// When the bytes are something else, or the player cannot be saved.
    fn restore(&mut self, _saved: &[u8]) -> Result<(), PlayerError> {
        Err(self.cannot_be_saved())
    }

    /// The error of a player whose state cannot be saved.
    fn cannot_be_saved(&self) -> PlayerError {
        let problem = "this player's state cannot be saved, and so neither can its run".to_owned();
        PlayerError { player: self.name().to_owned(), problem }
    }
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
