//! What a placement is worth, and what a game that somebody played could have been.
//!
//! [`Analyst`] judges every placement in a position, in points that are still to be expected:
//! see [`Expectation`] and [`Prospect`].

mod analyst;
mod arrival;
mod estimate;
mod expectation;
mod fit;
mod fits;
pub mod grade;
mod locks;
mod measure;
mod prospect;
mod ranked;
mod record;

pub use analyst::{Analyst, Answer, ByNext, Choice, PlayOuts, PlayedOn, Question};
pub use arrival::{Arrival, Press};
pub use estimate::{Estimate, Z};
pub use expectation::{Expectation, Horizon, LINES_AFTER_KILLSCREEN, Remains, Valued};
pub use fit::Fit;
pub use locks::{PlayedLock, played_locks};
pub use measure::Measure;
pub use prospect::Prospect;
pub use record::{PlayedFrame, PlayedGame, PlayedPiece};
