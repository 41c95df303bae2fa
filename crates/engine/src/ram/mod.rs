//! The game's RAM: a map of addresses, and the typed snapshot that is decoded with it.
//!
//! Reads 2048 bytes that somebody else sampled; never writes to a console.

mod map;
mod phase;
mod snapshot;

pub use map::{Encoding, Entry, Error as MapError, RamMap};
pub use phase::{GameMode, Phase, PlayState};
pub use snapshot::{Decoder, ImpossibleValue, RamSnapshot};

pub use crate::game::simulation::Ram;
pub use crate::game::simulation::address::RAM_SIZE;
