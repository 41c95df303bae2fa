//! Recorded input, played again on a console: traces to be compared, movies to be watched.

mod inputs;
mod movie;
mod trace;

pub use inputs::random_presses;
pub use movie::{Maxout, MovieResult, play_movie};
pub use trace::{Difference, Recording, Subject, Verification, record, verify};

use crate::console::Error as ConsoleError;
use crate::ram::ImpossibleValue;
use crate::record::Error as RecordError;

/// Why a replay cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The console failed.
    #[error(transparent)]
    Console(#[from] ConsoleError),
    /// The trace is malformed.
    #[error(transparent)]
    Trace(#[from] RecordError),
    /// RAM holds what the game cannot have put there.
    #[error("frame {frame}: {value}")]
    Ram {
        /// Frame of the sample.
        frame: u64,
        /// The byte.
        value: ImpossibleValue,
    },
    /// The trace cannot be written.
    #[error("cannot write the trace")]
    Write(#[source] std::io::Error),
}
