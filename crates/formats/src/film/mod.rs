//! Films (`--record`): a film is given the pictures of a run one by one and writes them as they
//! come, as GIF, animated PNG, or MP4 through an installed ffmpeg.
//!
//! ```no_run
//! use maxout_formats::film::{Film, FilmFormat, Reel};
//!
//! # fn main() -> Result<(), maxout_formats::film::FilmError> {
//! let reel = Reel::new(256, 240, 60.0988, FilmFormat::Gif);
//! let mut film = Film::create("game.gif".as_ref(), &reel)?;
//! for frame in 0..120 {
//!     film.frame(|| Ok(vec![[frame, 0, 0]; 256 * 240]))?;
//! }
//! film.finish()
//! # }
//! ```
//!
//! This module knows pictures only, no game. It keeps the last two pictures in memory, so a film may
//! have any length. Of each picture it writes the smallest rectangle that holds every change; a
//! picture that does not change is shown longer. The file can be played after every write, also after
//! one that fails, and if the program is killed: then only the picture that was shown last is missing.
//! An MP4 is different: ffmpeg makes it playable at its end, which it also reaches if this program is
//! killed, but not on a full disk.

mod apng;
mod change;
mod colour;
mod encode;
mod error;
#[cfg(test)]
mod faults;
mod format;
mod gif;
mod reel;
mod still;
mod strip;
mod ticks;
mod video;
mod writer;

pub use colour::Rgb;
pub use error::FilmError;
pub use format::FilmFormat;
pub use reel::{Reel, ReelError};
pub use still::enlarged;
pub use video::ffmpeg_runs;
pub use writer::Film;
