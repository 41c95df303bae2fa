//! Why a film cannot be written.

use std::io;

/// A film that cannot be written.
#[derive(Debug, thiserror::Error)]
#[error("{context}")]
pub struct FilmError {
    /// The file.
    pub context: String,
    /// The cause.
    pub source: io::Error,
}
