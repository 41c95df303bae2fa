//! The errors that end a run, and those of saving one.

use super::outcome::Finished;
use super::stuck::Stuck;
use crate::console::Error as ConsoleError;
use crate::planner::PlayerError;
use crate::ram::ImpossibleValue;
use crate::state::StateError;

/// An error that ends a run.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The console failed.
    #[error(transparent)]
    Console(#[from] ConsoleError),
    /// RAM holds a value that the game never writes there.
    #[error("frame {frame}: {value}; is this the game that the RAM map describes?")]
    Ram {
        /// Frame of the sample.
        frame: u64,
        /// The byte.
        value: ImpossibleValue,
    },
    /// In the middle of a game RAM holds a value that the game never writes there: the program has
    /// crashed. [`Run::play`](super::Run::play) ends with what this holds and no error.
    #[error("{stuck}")]
    Crashed {
        /// The value.
        stuck: Stuck,
        /// The game up to the frame before.
        so_far: Box<Finished>,
    },
    /// The player cannot go on.
    #[error("{error}")]
    Player {
        /// Why.
        error: PlayerError,
        /// The game up to the failure.
        so_far: Box<Finished>,
    },
    /// A listener failed.
    #[error(transparent)]
    Sink(#[from] SinkError),
}

/// A listener that cannot go on.
#[derive(Debug, thiserror::Error)]
#[error("{context}")]
pub struct SinkError {
    /// What was being written, and where.
    pub context: String,
    /// What the system says.
    pub source: std::io::Error,
}

/// A run that cannot be saved, or a saved run that cannot be restored.
#[derive(Debug, thiserror::Error)]
pub enum SaveError {
    /// The console cannot be saved, or refuses the state.
    #[error(transparent)]
    Console(#[from] ConsoleError),
    /// The player cannot be saved, or refuses the state.
    #[error(transparent)]
    Player(#[from] PlayerError),
    /// These bytes are not a saved run of this version.
    #[error(transparent)]
    State(#[from] StateError),
    /// RAM of the saved run holds a value that the game never writes there: it was saved with
    /// another RAM map.
    #[error("the saved run: {0}")]
    Ram(ImpossibleValue),
}
