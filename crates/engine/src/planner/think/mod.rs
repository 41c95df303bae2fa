//! The learned player's search: expectimax over the pieces that cannot be seen, with a learned
//! value at the leaves.
//!
//! The placements of the falling piece are ranked by the net; then the best few are looked into,
//! ply by ply: each placement of the next piece, each piece that may come after it, the best of
//! its placements, and so on. Values of different plies are not comparable, so a placement that
//! a ply did not finish is never compared with one that it did finish.

mod playout;
mod setting;
mod shape;
mod steer;
#[cfg(test)]
mod tests;
mod thinker;
mod tree;

pub use playout::PlayedOut;
pub use setting::{MOST_PLIES, ParseThinkError, Think};
pub use shape::{Beam, Ply, Shape, Steering};
pub(super) use thinker::{Thinker, Width, points_of_a_reward};
pub(super) use tree::{Node, Tree};
