//! Totals of the games of a training.

use serde::{Deserialize, Serialize};

/// Counts over the games of a training, since they were last taken.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameTotals {
    /// Games that ended, by topping out or by 230 lines.
    pub games: u64,
    /// Games that ended by 230 lines.
    pub finished: u64,
    /// Points of the games that ended, as from a start at level 19.
    pub points: f64,
    /// Pieces placed.
    pub pieces: u64,
    /// Lines cleared.
    pub lines: u64,
    /// Tetrises.
    pub tetrises: u64,
}

impl GameTotals {
    /// Adds the counts of other games.
    pub fn add(&mut self, other: &GameTotals) {
        // The numbers of a checkpoint may be any.
        self.games = self.games.saturating_add(other.games);
        self.finished = self.finished.saturating_add(other.finished);
        self.points += other.points;
        self.pieces = self.pieces.saturating_add(other.pieces);
        self.lines = self.lines.saturating_add(other.lines);
        self.tetrises = self.tetrises.saturating_add(other.tetrises);
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
