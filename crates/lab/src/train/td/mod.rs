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
mod schedule;

use maxout_engine::parallel;
use serde::{Deserialize, Serialize};

pub use calibrate::calibrate;
pub use game::{Actor, Sample};
pub use journal::{Journal, Point};
pub use learner::Learner;
pub use schedule::{Behaviour, Phase, Rates, Schedule};

/// Games that are played side by side; a batch holds one sample of each.
pub const GAMES: usize = 64;
/// Pieces of a game from one learning to the next.
pub const SEGMENT: usize = 16;

/// Points of a reward of 1: those of a triple at level 0, so that a tetris is worth 4.
pub const UNIT: f32 = 300.0;

/// What the games of a training came to, since the last time that somebody asked.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tally {
    /// Games that ended, by topping out or by 230 lines.
    pub games: u64,
    /// Of those, by 230 lines.
    pub finished: u64,
    /// Their points, as from a start at level 19.
    pub points: f64,
    /// Pieces placed.
    pub pieces: u64,
    /// Lines cleared.
    pub lines: u64,
    /// Tetrises.
    pub tetrises: u64,
}

impl Tally {
    /// Adds another's games to its own.
    pub fn add(&mut self, other: &Tally) {
        self.games += other.games;
        self.finished += other.finished;
        self.points += other.points;
        self.pieces += other.pieces;
        self.lines += other.lines;
        self.tetrises += other.tetrises;
    }

    /// Mean points of the games that ended; `None` when none did.
    pub fn mean_points(&self) -> Option<f64> {
        (self.games > 0).then(|| self.points / self.games as f64)
    }

    /// Share of the games that ended by 230 lines, 0 to 1; `None` when none ended.
    pub fn finished_share(&self) -> Option<f64> {
        (self.games > 0).then(|| self.finished as f64 / self.games as f64)
    }

    /// Share of the lines that were cleared four at a time, 0 to 1; `None` without lines.
    pub fn tetris_rate(&self) -> Option<f64> {
        (self.lines > 0).then(|| 4.0 * self.tetrises as f64 / self.lines as f64)
    }
}

/// A training between two rounds.
#[derive(Debug, Clone)]
pub struct Training {
    /// Chose the random numbers.
    pub seed: u64,
    /// The net, and what its learning rule keeps.
    pub learner: Learner,
    /// The games.
    pub actors: Vec<Actor>,
    /// Pieces placed in training so far.
    pub placed: u64,
}

impl Training {
    /// Before the first round.
    pub fn begin(seed: u64) -> Training {
        Training {
            seed,
            learner: Learner::begin(seed),
            actors: (0..GAMES as u64).map(|game| Actor::begin(seed, game)).collect(),
            placed: 0,
        }
    }

    /// Plays a segment of every game with `threads` threads, and learns from it.
    pub fn round(&mut self, schedule: &Schedule, threads: usize) -> Tally {
        let (behaviour, rates) = schedule.at(self.placed);
        self.learner.quick.outlook.topout = rates.topout;
        self.learner.quick.outlook.discount = rates.discount;
        let (net, placed) = (&self.learner.quick, self.placed);
        parallel::map(
            threads,
            &mut (),
            || (),
            &mut self.actors,
            |(), actor| {
                actor.play(net, behaviour, &rates, placed);
            },
        );
        let mut tally = Tally::default();
        for actor in &mut self.actors {
            tally.add(&actor.take_tally());
        }
        self.learner.learn(&self.actors, &rates);
        self.placed += (GAMES * SEGMENT) as u64;
        tally
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A few rounds of each way to play.
    fn schedule() -> Schedule {
        let phase = |behaviour, lambda, strap| Phase {
            pieces: 4 * (GAMES * SEGMENT) as u64,
            behaviour,
            discount: [0.98, 0.99],
            step: [1e-3, 5e-4],
            lambda,
            explore: 0.02,
            strap,
            clip: 8.0,
            topout: 0.0,
            cut: None,
        };
        let search = Behaviour::Search { width: 3, margin: 1.0 };
        let phases =
            vec![phase(Behaviour::Heuristic, 0.7, 0.0), phase(Behaviour::Greedy, 0.6, 0.0), phase(search, 0.5, 0.5)];
        Schedule { phases }
    }

    /// A checksum of all that a training has learned.
    fn checksum(learner: &Learner) -> u32 {
        let mut hasher = crc32fast::Hasher::new();
        let table = learner.net.table.iter().flat_map(|row| &row.0);
        for number in learner.net.dense.numbers().chain(table).chain(learner.rows.iter().flatten()) {
            hasher.update(&number.to_le_bytes());
        }
        for visits in &learner.visits {
            hasher.update(&visits.to_le_bytes());
        }
        hasher.finalize()
    }

    #[test]
    fn the_numbers_are_those_of_the_first_version_to_the_last_bit() {
        let mut training = Training::begin(1);
        let mut found = Vec::new();
        for round in 1..=12 {
            training.round(&schedule(), 2);
            if round % 4 == 0 {
                found.push(checksum(&training.learner));
            }
        }
        assert_eq!(found, [872_957_780, 1_499_195_024, 1_851_204_724]);
    }
}
