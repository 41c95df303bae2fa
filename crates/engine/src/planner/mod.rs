//! The planner: which placement, and the buttons that get there.
//!
//! It sees a [`Position`](crate::game::Position) and the falling piece; it knows nothing of RAM,
//! consoles or the frames of a run. [`Search::plan`] chooses a placement for the pilot;
//! [`Search::analyse`] judges all of them. A [`Forecast`] says which pieces may come after those
//! that can be seen.

mod aim;
mod candidate;
mod careful;
mod cheat;
mod course;
mod dodge;
mod dodging;
mod effort;
mod falling;
pub mod filter;
mod forecast;
mod foresee;
mod judged;
mod limits;
mod mind;
mod odds;
mod opening;
mod pair;
mod plan;
mod player;
mod prefix;
mod promise;
mod pushdown;
mod reach;
mod react;
mod rng;
mod search;
mod settings;
mod sight;
mod target;
mod think;

pub use aim::{Aim, ParseAimError};
pub use cheat::{Cheat, PieceWrite};
pub use dodge::{Dodge, PlannedLock};
pub use dodging::Dodging;
pub use effort::Effort;
pub use falling::Falling;
pub use forecast::{Forecast, KnownPieces};
pub use foresee::Foreseen;
pub use judged::{Judged, Reply};
pub use odds::GeneratorOdds;
pub use opening::Opening;
pub use plan::{Alternative, Plan};
pub use player::{Player, PlayerError};
pub use promise::Promise;
pub use reach::Reach;
pub use react::react;
pub use rng::{ParseRngUseError, RngUse};
pub use search::Search;
pub use settings::{Input, Settings};
pub use sight::Sight;
pub use target::TargetStanding;
pub use think::{Beam, MOST_PLIES, ParseThinkError, PlayedOut, Ply, Shape, Steering, Think};
