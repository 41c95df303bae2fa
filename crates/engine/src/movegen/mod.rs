//! Movement search: every placement that a press style can reach, and the buttons for it.
//!
//! A breadth-first search over the state of the gamepad and the falling piece, frame by frame
//! under the game's own gravity and order (shift, rotate, drop). States that differ only in column
//! and orientation are the bits of one word, so that one operation moves all of them.
//!
//! [`generate()`] is a pure function. So is [`sweep()`], which is fast and returns the placements
//! without the ways to them. Nothing here judges a placement.

mod beat;
mod free;
mod gamepad;
mod gaps;
mod generate;
mod lanes;
mod openings;
mod reached;
mod start;
mod sweep;
mod taps;

pub use generate::{Moves, generate, generate_free, generate_waiting};
pub use openings::Openings;
pub use reached::Reached;
pub use start::Start;
pub use sweep::{Locks, sweep, sweep_plateau};
