//! Why a picture cannot be written.

use std::path::PathBuf;

/// Why there is no picture.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The name does not say which kind of picture.
    #[error("{}: expected a name that ends in .svg or .png", .path.display())]
    Extension {
        /// The name.
        path: PathBuf,
    },
    /// The file cannot be written.
    #[error("cannot write {}", .path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system says.
        #[source]
        error: std::io::Error,
    },
    /// The picture cannot be drawn.
    #[error("cannot draw {}: {reason}", .path.display())]
    Draw {
        /// The file.
        path: PathBuf,
        /// What the drawing says.
        reason: String,
    },
}
