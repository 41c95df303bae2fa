//! Why a replay cannot go on.

use maxout_engine::bot::SinkError;
use maxout_engine::ram::ImpossibleValue;

/// Why a replay cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    /// The console failed.
    #[error(transparent)]
    Console(#[from] maxout_engine::console::Error),
    /// The trace or log is malformed.
    #[error(transparent)]
    Trace(#[from] crate::Error),
    /// What listens to the replay cannot go on.
    #[error(transparent)]
    Sink(#[from] SinkError),
    /// RAM holds a value that the game never writes there.
    #[error("frame {frame}: {value}; is this the ROM that it was made on, and its RAM map?")]
    Ram {
        /// Frame of the sample.
        frame: u64,
        /// The byte.
        value: ImpossibleValue,
    },
    /// Buttons for polls are left, but the game no longer polls.
    #[error(
        "expected the game to read the gamepad, found {0} frames in a row in which it did not: is this the ROM \
         that the movie was made on?"
    )]
    NoPoll(u64),
    /// The trace cannot be written.
    #[error("cannot write the trace")]
    Write(#[source] std::io::Error),
}
