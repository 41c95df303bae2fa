//! Trains the net of `value` by temporal differences: many games are played with the net as it
//! stands, then it learns from what they came to, and so on.
//!
//! Games are played a segment at a time, all with the same net and each with random numbers of
//! its own; what they show is learned in a fixed order. So the result does not depend on the
//! number of threads. Between two rounds a training can be written down with its [`Journal`] and
//! read back, to the last bit, by [`checkpoint`].
//!
//! ```
//! use maxout_lab::train::td::{Schedule, Training};
//!
//! let schedule = Schedule::learned();
//! let mut training = Training::begin(1);
//! let tally = training.round(&schedule, 2);
//! assert_eq!(tally.pieces, training.placed);
//! ```

mod calibrate;
pub mod checkpoint;
mod game;
mod heuristic;
mod journal;
mod learner;
mod round;
mod schedule;
mod totals;
mod training;

pub use calibrate::calibrate;
pub use game::{Actor, Sample};
pub use journal::{Journal, Point};
pub use learner::Learner;
pub use round::{GAMES, SEGMENT, UNIT};
pub use schedule::{Behaviour, Phase, Rates, Schedule};
pub use totals::GameTotals;
pub use training::Training;
