//! The game's RAM: a map of addresses, and the typed snapshot that is decoded with it.
//!
//! Reads 2048 bytes that a console sampled; never writes to a console.

mod decoder;
mod map;
mod phase;
#[cfg(test)]
pub(crate) mod sample;
mod snapshot;

pub use decoder::{Decoder, ImpossibleValue};
pub use map::{Encoding, Entry, Error as MapError, RamMap};
pub use phase::Phase;
pub use snapshot::RamSnapshot;

pub use crate::game::memory::{GameMode, GameModeState, GameType, PlayState, RAM_SIZE, Ram, RenderMode};
