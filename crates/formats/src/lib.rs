//! File formats: one file each, reader and writer side by side. Recording never changes a run.

use std::io;
use std::path::PathBuf;

pub mod bk2;
pub mod fm2;
mod format;
pub mod frame_log;

mod input;
mod live;
mod moment;
pub mod ngf;
pub mod pattern;
mod provenance;
pub mod r08;
mod recorder;
pub mod report;
mod text;
pub mod trace;

pub use format::{FileFormat, Format, ParseFormatError};
pub use input::{Input, Presses};
pub use moment::Moment;
pub use provenance::Provenance;
pub use recorder::{Options, Recorder, copy_log, movie_bytes, save};

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
    /// The file as a whole is not what the format asks for.
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
pub mod film;
pub mod replay;
