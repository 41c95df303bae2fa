//! Judges where pieces could lock: every published method is one named [`Evaluator`].
//!
//! The planner turns the placements of a search into [`Afterstate`]s, hands the evaluator a
//! chain of as many pieces as it wants, and keeps the chain with the best [`Verdict`].
//!
//! ```
//! use maxout_engine::judge::handmade::{self, Afterstate};
//! use maxout_engine::game::{Piece, Placement, Playfield};
//!
//! let evaluator = handmade::by_name("el-tetris", None)?;
//! let before = Playfield::drawn("
//!     XXXXXX.XXX
//!     XXXXX...XX
//! ");
//! let t = Piece::T.spawn();
//! let fitting = Afterstate::of(&before, Placement { orientation: t.clockwise().clockwise(), x: 6, y: 19 });
//! let stacked = Afterstate::of(&before, Placement { orientation: t, x: 1, y: 16 });
//! assert!(evaluator.judge(&[fitting]).is_better_than(&evaluator.judge(&[stacked])));
//! # Ok::<(), maxout_engine::judge::handmade::Error>(())
//! ```
//!
//! Whoever fits weights handles them as a [`WeightSet`], whatever evaluator they are for.
//!
//! To add an evaluator, edit these places: a file here with its features, its `judge` and its
//! `METHOD`; its weights in `config/weights/`; its line in `METHODS`. Most features of the
//! published methods are already in `features`.

mod birken_v1;
mod birken_v2;
mod dellacherie;
mod dellacherie_ga;
mod el_tetris;
mod exhaustive_pair;
mod features;
#[cfg(test)]
mod oracle;
mod outlook;
mod weight_set;
mod weights;

use std::cmp::Ordering;

use crate::game::{Cleared, Placement, Playfield};

use weight_set::Method;
pub use weight_set::{Provenance, WeightSet};
pub use weights::Error;

/// One placed piece of a search chain.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Afterstate {
    /// Where the piece locked.
    pub placement: Placement,
    /// The rows that it completed.
    pub cleared: Cleared,
    /// The playfield after lock and clear.
    pub playfield: Playfield,
}

impl Afterstate {
    /// Locks a piece on `before` and clears the rows that it completes.
    pub fn of(before: &Playfield, placement: Placement) -> Afterstate {
        let mut playfield = *before;
        let cleared = playfield.lock(placement);
        Afterstate { placement, cleared, playfield }
    }
}

/// How a chain is ranked, before its value: a forced chain beats every other, a refused one
/// is only taken when all are refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rank {
    /// A rule of the evaluator forbids the result.
    Refused,
    /// The value decides.
    Normal,
    /// A rule of the evaluator demands the chain.
    Forced,
}

/// What an evaluator thinks of a chain. Only verdicts of the same evaluator about chains of
/// equally many pieces can be compared.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Verdict {
    /// Compared first.
    pub rank: Rank,
    /// Compared among equal ranks; higher is better.
    pub value: f64,
    /// Compared among equal values; higher is better. 0 for evaluators that have no rule for
    /// ties.
    pub preference: i32,
}

impl Verdict {
    /// Of a chain that no rule forces or refuses, by an evaluator that has no rule for ties.
    pub fn of_value(value: f64) -> Verdict {
        Verdict { rank: Rank::Normal, value, preference: 0 }
    }

    /// The one order of verdicts, the better one being greater: by rank, then by value, then by
    /// preference.
    pub fn compare(&self, other: &Verdict) -> Ordering {
        // Adding 0 makes -0 the same value as 0.
        let values = (self.value + 0.0).total_cmp(&(other.value + 0.0));
        self.rank.cmp(&other.rank).then(values).then(self.preference.cmp(&other.preference))
    }

    /// Is this strictly better than the other, by [`Verdict::compare`]?
    pub fn is_better_than(&self, other: &Verdict) -> bool {
        self.compare(other) == Ordering::Greater
    }
}

/// Judges chains of placed pieces.
pub trait Evaluator: Send + Sync {
    /// Its name in the CLI, the config and the statistics.
    fn name(&self) -> &'static str;

    /// How many pieces it wants to judge together (1 or 2).
    fn plies(&self) -> usize;

    /// Judges the chain: first the current piece's afterstate, then (plies 2) the next piece's.
    ///
    /// A chain of another length than [`Evaluator::plies`] is judged by the same rules: what is
    /// counted per piece is summed over the chain, the playfield is the last piece's.
    ///
    /// # Panics
    /// When the chain is empty.
    fn judge(&self, chain: &[Afterstate]) -> Verdict;
}

/// All methods, sorted by name.
const METHODS: &[Method] = &[
    birken_v1::METHOD,
    birken_v2::METHOD,
    dellacherie::METHOD,
    dellacherie_ga::METHOD,
    el_tetris::METHOD,
    exhaustive_pair::METHOD,
];

/// The names of all evaluators.
pub const NAMES: &[&str] = &{
    let mut names = [""; METHODS.len()];
    let mut index = 0;
    while index < names.len() {
        names[index] = METHODS[index].schema.evaluator;
        index += 1;
    }
    names
};

/// The name of the player that looks ahead with a learned value. It is chosen as evaluators are, but
/// is none: it has no weighted features, and no verdict about a chain.
pub const LEARNED: &str = "learned";

/// Builds an evaluator by name: with the text of a weights file (TOML), or else with the
/// published weights.
///
/// # Errors
/// When no evaluator has this name or the text is not a weights file of this evaluator.
pub fn by_name(name: &str, weights: Option<&str>) -> Result<Box<dyn Evaluator>, Error> {
    let set = match weights {
        Some(text) => WeightSet::read(name, text)?,
        None => WeightSet::published(name)?,
    };
    Ok(set.evaluator())
}

/// The weighted sum of an evaluator's features.
fn weighted_sum<const N: usize>(weights: &[f64; N], features: &[f64; N]) -> f64 {
    weights.iter().zip(features).map(|(weight, feature)| weight * feature).sum()
}

/// The playfield at the end of a chain.
fn end_of(chain: &[Afterstate]) -> &Playfield {
    &chain.last().expect("a chain has at least one piece").playfield
}

/// Rows cleared by all pieces of a chain.
fn lines_cleared(chain: &[Afterstate]) -> u32 {
    chain.iter().map(|afterstate| u32::from(afterstate.cleared.count)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_builds_the_evaluator_of_that_name() {
        for &name in NAMES {
            let evaluator = by_name(name, None).unwrap();
            assert_eq!(evaluator.name(), name);
            assert!((1..=2).contains(&evaluator.plies()));
        }
    }

    #[test]
    fn an_unknown_name_lists_the_known_ones() {
        let error = by_name("stacker", None).err().expect("there is no such evaluator");
        assert_eq!(
            error.to_string(),
            format!("unknown evaluator `stacker`: choose one of {LEARNED}, {}", NAMES.join(", "))
        );
    }

    #[test]
    fn weights_of_another_evaluator_are_refused() {
        let error = by_name("el-tetris", Some(birken_v2::METHOD.published)).err().expect("another evaluator's weights");
        assert!(error.to_string().contains("weights of `birken-v2`"), "{error}");
    }

    #[test]
    fn rank_goes_before_value_and_value_before_preference() {
        let verdict = |rank, value, preference| Verdict { rank, value, preference };
        let from_best = [
            verdict(Rank::Forced, -9.0, 0),
            verdict(Rank::Normal, 9.0, -3),
            verdict(Rank::Normal, 1.0, 2),
            verdict(Rank::Normal, 1.0, 1),
            verdict(Rank::Normal, -9.0, 5),
            verdict(Rank::Refused, 99.0, 9),
        ];
        for (index, verdict) in from_best.iter().enumerate() {
            for (other_index, other) in from_best.iter().enumerate() {
                assert_eq!(verdict.compare(other), other_index.cmp(&index), "{verdict:?} and {other:?}");
                assert_eq!(verdict.is_better_than(other), index < other_index);
            }
        }
    }

    #[test]
    fn the_two_zeros_are_the_same_value() {
        let tied = Verdict { preference: -1, ..Verdict::of_value(0.0) };
        assert_eq!(Verdict::of_value(0.0).compare(&Verdict::of_value(-0.0)), Ordering::Equal);
        assert!(Verdict::of_value(-0.0).is_better_than(&tied));
    }
}
