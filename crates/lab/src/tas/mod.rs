//! A search for the fastest tool-assisted game: from power-on to a goal in as few frames as possible.
//!
//! [`Search`] is a beam search, one layer for each piece that has locked. It keeps the games that look
//! fastest: the frames so far, and an [`Estimate`] of those that are left. It steers the generator, too:
//! a game may go on in the frame in which it can, or some frames later with other pieces.
//!
//! The result depends on the settings alone, not on the number of threads.

mod beam;
pub mod checkpoint;
mod clears_left;
mod count;
mod dice;
mod ending;
mod estimate;
mod goal;
pub mod improve;
pub mod learn;
mod odds;
mod path;
pub mod plan;
mod sealed;
pub mod shard;
pub mod stages;
mod surface;
#[cfg(test)]
mod tests;
pub mod values;
mod weights;

pub use beam::{Layer, Search, Settings, bytes_of_width};
pub use clears_left::{ClearsLeft, Left};
pub use count::{Count, CountError};
pub use estimate::Estimate;
pub use goal::{Goal, GoalError};
pub use path::{Found, Parts, Played};
pub use sealed::CheckpointError;
pub use weights::{Weights, WeightsError};
