//! The game's RAM: a map of addresses, and the typed snapshot that is decoded with it.
//!
//! Reads 2048 bytes that somebody else sampled; never writes to a console.

mod map;
mod phase;
mod snapshot;

pub use map::{Encoding, Entry, Error as MapError, RamMap};
pub use phase::{GameMode, Phase, PlayState};
pub use snapshot::{Decoder, ImpossibleValue, RamSnapshot};

/// Bytes of work RAM in the console: `$0000-$07FF`.
pub const RAM_SIZE: usize = 0x800;

/// A sample of the console's whole work RAM.
pub type Ram = [u8; RAM_SIZE];
