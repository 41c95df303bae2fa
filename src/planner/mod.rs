//! Board search: which placement, and the buttons that get there.
//!
//! Sees a [`Position`](crate::game::Position) and the falling piece; knows nothing of RAM,
//! consoles or the frames of a run.

mod plan;
mod pushdown;
mod search;

pub use plan::{Alternative, Plan, Promise};
pub use search::{Falling, Search, Settings};
