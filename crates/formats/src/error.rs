//! Why a file of a run cannot be read or written.

use std::io;
use std::path::PathBuf;

/// A file that cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The system refuses to read it.
    #[error("cannot read {}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What went wrong.
        source: io::Error,
    },
    /// The system refuses to write it.
    #[error("cannot write {}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What went wrong.
        source: io::Error,
    },
    /// The file as a whole does not fit the format.
    #[error("{}: {message}", path.display())]
    Content {
        /// The file.
        path: PathBuf,
        /// What was expected and what was found.
        message: String,
    },
    /// A run that wrote RAM is to be replayed by its buttons.
    #[error(
        "{}:{line}: expected a run that presses buttons only, found one that writes RAM (cheat_writes): it cannot be \
         replayed; maxout report shows its log",
        path.display()
    )]
    Cheats {
        /// The file.
        path: PathBuf,
        /// The line of the file, from 1.
        line: u64,
    },
    /// A line does not fit the format, or needs something that this program does not have.
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
