//! Board search: which placement, and the buttons that get there.
//!
//! Sees a [`Position`](crate::game::Position) and the falling piece; knows nothing of RAM,
//! consoles or the frames of a run.

mod cheat;
pub mod filter;
mod plan;
mod player;
mod pushdown;
mod reach;
mod search;
mod settings;
mod target;
mod think;

pub use cheat::{Cheat, PieceWrite};
pub use plan::{Alternative, Plan, Promise};
pub use player::{Player, PlayerError};
pub use reach::{Reach, Sight, react};
pub use search::{Falling, Search};
pub use settings::{Input, Settings};
pub use think::{Beam, Effort, MOST_PLIES, ParseThinkError, Ply, Shape, Think};
