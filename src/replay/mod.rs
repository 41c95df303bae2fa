//! Recorded input, played again on a console: traces to be compared, movies to be watched.

mod inputs;
mod log_check;
mod movie;
mod trace;

pub use inputs::random_presses;
pub use log_check::{LogCheck, LogDifference, LogVerification};
pub use movie::{Maxout, MovieResult, play_movie};
pub use trace::{Difference, Recording, Subject, Verification, record, verify};

use crate::bot::SinkError;
use crate::console::Error as ConsoleError;
use crate::ram::ImpossibleValue;
use crate::record::Error as RecordError;

/// Why a replay cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The console failed.
    #[error(transparent)]
    Console(#[from] ConsoleError),
    /// The trace or log is malformed.
    #[error(transparent)]
    Trace(#[from] RecordError),
    /// What listens to the replay cannot go on.
    #[error(transparent)]
    Sink(#[from] SinkError),
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
