//! What changes in the course of a training.

use serde::{Deserialize, Serialize};

/// How the games are played.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "play")]
pub enum Behaviour {
    /// By the hand-made heuristic.
    Heuristic,
    /// The placement with the best value, the next piece known.
    Greedy,
    /// The same, looking one piece further from the best few placements.
    Search {
        /// At most so many placements.
        width: usize,
        /// None that is worse than the best by more than this, in rewards.
        margin: f32,
    },
}

/// The numbers of the learning rule at one moment.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rates {
    /// What a reward one piece later counts.
    pub discount: f32,
    /// How much of what really came counts against what the net expected.
    pub lambda: f32,
    /// Step of the dense layers.
    pub step: f32,
    /// Odds of a random placement.
    pub explore: f32,
    /// Odds that a placement which was searched but not chosen is learned too.
    pub strap: f32,
    /// The largest error that counts in full.
    pub clip: f32,
    /// What topping out is worth, in rewards: 0 or less.
    pub topout: f32,
}

/// A stretch of a training.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Phase {
    /// Pieces placed in it.
    pub pieces: u64,
    /// How games are played.
    #[serde(flatten)]
    pub behaviour: Behaviour,
    /// Discount at its start and end; in between on a straight line.
    pub discount: [f32; 2],
    /// Step at its start and end; in between the logarithm is on a straight line.
    pub step: [f32; 2],
    /// See [`Rates::lambda`].
    pub lambda: f32,
    /// See [`Rates::explore`].
    pub explore: f32,
    /// See [`Rates::strap`].
    #[serde(default)]
    pub strap: f32,
    /// See [`Rates::clip`].
    pub clip: f32,
    /// See [`Rates::topout`].
    #[serde(default)]
    pub topout: f32,
    /// The phase ends after so many pieces already; its rates go on as if it did not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cut: Option<u64>,
}

impl Phase {
    /// Pieces that are really placed in it.
    pub fn length(&self) -> u64 {
        self.cut.map_or(self.pieces, |cut| cut.min(self.pieces))
    }
}

/// The phases of a training.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Schedule {
    /// One after the other.
    pub phases: Vec<Phase>,
}

impl Schedule {
    /// Pieces of all phases.
    pub fn pieces(&self) -> u64 {
        self.phases.iter().map(Phase::length).sum()
    }

    /// What holds after so many pieces.
    ///
    /// # Panics
    /// When there are no phases.
    pub fn at(&self, placed: u64) -> (Behaviour, Rates) {
        let mut before = 0;
        let mut current = self.phases.last().expect("a schedule has phases");
        let mut begun = self.pieces() - current.length();
        for phase in &self.phases {
            if placed < before + phase.length() {
                (current, begun) = (phase, before);
                break;
            }
            before += phase.length();
        }
        let share = ((placed - begun) as f32 / current.pieces as f32).min(1.0);
        let [first, last] = current.discount;
        let [fast, slow] = current.step;
        let rates = Rates {
            discount: first + (last - first) * share,
            lambda: current.lambda,
            step: fast * (slow / fast).powf(share),
            explore: current.explore,
            strap: current.strap,
            clip: current.clip,
            topout: current.topout,
        };
        (current.behaviour, rates)
    }
}
