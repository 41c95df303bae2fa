//! Who judges placements: an evaluator with hand-made features, or a learned net.
//!
//! [`by_name`] gives any of them for [`Search::new`](crate::planner::Search::new).

mod door;
pub mod handmade;
pub mod learned;
mod names;
mod reward;

pub use door::{Error, Judge, NAMES, by_name, named_in};
pub use names::LEARNED;
pub use reward::REWARD_POINTS;
