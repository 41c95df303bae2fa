//! Input that was written down, played again on a console: traces are compared, movies and logs
//! are watched.

mod error;
mod log_check;
mod movie;
mod retrace;
mod trace;

pub use error::ReplayError;
pub use log_check::{LogCheck, LogDifference, LogVerification};
pub use movie::{FirstMaxout, MovieResult, PressCursor, play_movie};
pub use retrace::Retrace;
pub use trace::{NewTrace, Subject, TraceDifference, TraceVerification, verify, write_trace};
