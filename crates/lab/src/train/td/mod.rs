//! Trains the net of [`learned`](maxout_engine::judge::learned) by temporal differences.
//!
//! A training repeats rounds. In a round, [`GAMES`] games each play [`SEGMENT`] pieces with the
//! current net, and the net then learns from all of them. Every game has random numbers of its
//! own, and samples are learned in a fixed order, so the result does not depend on the number of
//! threads. Between two rounds a training can be saved with its [`Journal`] and read back, to the
//! last bit, by [`checkpoint`]. A [`Schedule`] says how games are played and how fast the net
//! learns, phase by phase.
//!
//! ```
//! use maxout_lab::train::td::{Schedule, Training};
//!
//! let schedule = Schedule::learned();
//! let mut training = Training::begin(1, &schedule.heads);
//! let tally = training.round(&schedule, 2)?;
//! assert_eq!(tally[0].pieces, training.placed);
//! # Ok::<(), maxout_lab::train::td::Diverged>(())
//! ```

pub mod blend;
mod calibrate;
pub mod checkpoint;
pub mod coarse;
mod game;
mod heuristic;
mod journal;
mod learner;
mod lookahead;
mod plateau;
mod round;
mod schedule;
mod totals;
mod training;

pub use calibrate::calibrate;
pub use game::{Actor, Sample};
pub use journal::{Journal, Point};
pub use learner::{Diverged, Learner};
pub use round::{GAMES, SEGMENT};
pub use schedule::{Behaviour, HeadGames, Rates, Schedule, TrainingPhase};
pub use totals::GameTotals;
pub use training::Training;
