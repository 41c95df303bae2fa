//! The files of a run: logs, movies, films, screenshots, and what of them may be written.

pub mod film;
pub mod identity;
pub mod outputs;
pub mod playback;
pub mod run_files;
pub mod screenshot;
