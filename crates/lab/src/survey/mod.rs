//! Survey of a game's RAM: proves a RAM map against a ROM, or finds one without knowing any address.
//!
//! Both take the console on a tour from power-on: menus, games of both types, a topout, a name, a
//! bot's play, the demo. The rules model gets the same buttons. An address belongs to an entry if
//! it is the only one that shows what the model shows in every frame of the tour. Where several
//! bytes always show the same, a poke shows which of them the game reads. Where no poke does, the byte
//! is taken that lies between the entries beside it as in the built-in map, if there is one.

mod agreement;
mod claims;
mod demo;
mod discover;
mod error;
mod lockstep;
mod program;
#[cfg(test)]
mod recorded;
mod relations;
mod resolve;
mod search;
mod tables;
mod tour;
mod trials;
mod validate;
mod validation;

pub use discover::{Discovery, EntryCandidates, discover};
pub use error::Error;
pub use program::Program;
pub use search::Elimination;
pub use validate::{Experiments, Settings, validate};
pub use validation::{Check, CheckResult, Layer, Validation};
