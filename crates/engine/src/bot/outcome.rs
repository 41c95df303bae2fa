//! Whether a run goes on, and how it ended.

use super::stuck::Stuck;
use super::tally::Tally;
use crate::ram::RamSnapshot;

/// What a listener wants the run to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flow {
    /// Go on.
    Continue,
    /// End the run after this frame.
    Stop,
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Outcome {
    /// The goal was reached.
    Goal,
    /// The game topped out before it.
    Topout,
    /// The score passed the score to reach.
    Overshoot,
    /// The program in the console crashed or hangs.
    Stuck(Stuck),
    /// A listener, a signal or a failure of the player stopped it.
    Stopped,
}

/// A finished run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finished {
    /// How it ended.
    pub outcome: Outcome,
    /// Frames since power-on.
    pub frames: u64,
    /// The last sample.
    pub snapshot: RamSnapshot,
    /// Counts of the game.
    pub tally: Tally,
}
