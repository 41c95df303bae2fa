//! The NES that runs inside the program.

mod clock;
mod emulator;
mod rom;

pub use clock::WallClock;
pub use emulator::{Emulator, LOG_TARGET as EMULATOR_LOG_TARGET, LoadError, colours};
pub use rom::{Error as RomError, Identity, Rom};
