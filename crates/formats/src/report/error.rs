//! Why a report cannot be made of a log.

use crate::Error;
use maxout_engine::bot::SinkError;

/// A log of which no report can be made.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// It is malformed.
    #[error(transparent)]
    Log(#[from] Error),
    /// The report cannot be written.
    #[error(transparent)]
    Write(#[from] SinkError),
    /// It lacks a column.
    #[error(
        "expected a log with the column {0:?}, found one without it; maxout convert LOG NEW.csv plays it and writes a \
         whole one"
    )]
    Column(&'static str),
    /// It has no frames.
    #[error("expected a log with frames in it, found none; maxout play --log FILE.csv writes one")]
    Empty,
}
