//! File formats: one file each, reader and writer side by side. Recording never changes a run.

use std::io;
use std::path::PathBuf;

pub mod fm2;
pub mod games;
pub mod input_log;
pub mod trace;

/// Why a recorded file cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The system does not let us.
    #[error("cannot read or write {}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What went wrong.
        source: io::Error,
    },
    /// A line is not what the format asks for, or asks for what we do not have.
    #[error("{}:{line}: {message}", path.display())]
    Syntax {
        /// The file.
        path: PathBuf,
        /// The line of the file, from 1.
        line: u64,
        /// What was expected and what was found.
        message: String,
    },
}
