//! Recorded input, played again on a console: traces to be compared, movies to be watched.

mod inputs;
mod log_check;
mod movie;
mod retrace;
mod trace;

pub use inputs::random_presses;
pub use log_check::{LogCheck, LogDifference, LogVerification};
pub use movie::{Cursor, Maxout, MovieResult, play_movie};
pub use retrace::Retrace;
pub use trace::{Difference, Recording, Subject, Verification, record, verify};

use crate::Error as RecordError;
use maxout_engine::bot::SinkError;
use maxout_engine::console::Error as ConsoleError;
use maxout_engine::ram::ImpossibleValue;

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
    #[error("frame {frame}: {value}; is this the ROM of the recording, and its RAM map?")]
    Ram {
        /// Frame of the sample.
        frame: u64,
        /// The byte.
        value: ImpossibleValue,
    },
    /// Entries for polls wait, and the game polls no more.
    #[error(
        "expected the game to read the gamepad, found {0} frames in a row in which it did not: is this the ROM of \
         the recording?"
    )]
    NoPoll(u64),
    /// The trace cannot be written.
    #[error("cannot write the trace")]
    Write(#[source] std::io::Error),
}
