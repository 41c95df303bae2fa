//! The files that commands write of a run: logs, movies, films, screenshots.

pub mod film;
pub mod playback;
pub mod run_files;
pub mod screenshot;
