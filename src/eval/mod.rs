//! Judges where pieces could lock: every published method is one named [`Evaluator`].
//!
//! The planner turns the placements of a search into [`Afterstate`]s, hands the evaluator a
//! chain of as many pieces as it wants, and keeps the chain with the best [`Verdict`].
//!
//! ```
//! use maxout::eval::{self, Afterstate};
//! use maxout::game::{Piece, Placement, Playfield};
//!
//! let evaluator = eval::by_name("el-tetris", None)?;
//! let before = Playfield::drawn("
//!     XXXXXX.XXX
//!     XXXXX...XX
//! ");
//! let t = Piece::T.spawn();
//! let fitting = Afterstate::of(&before, Placement { orientation: t.clockwise().clockwise(), x: 6, y: 19 });
//! let stacked = Afterstate::of(&before, Placement { orientation: t, x: 1, y: 16 });
//! assert!(evaluator.judge(&[fitting]).is_better_than(&evaluator.judge(&[stacked])));
//! # Ok::<(), maxout::eval::Error>(())
//! ```
//!
//! To add an evaluator, edit these places: a file here with its features and its `judge`; its
//! weights in `config/weights/`; its name in [`NAMES`] and [`by_name`]. Most features of the
//! published methods are already in `features`.

mod birken_v2;
mod el_tetris;
mod features;
#[cfg(test)]
mod oracle;
mod outlook;
mod settings;
mod weights;

use std::cmp::Ordering;

use crate::game::{Cleared, Placement, Playfield};

use birken_v2::BirkenV2;
use el_tetris::ElTetris;
pub use settings::Settings;
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

/// What an evaluator thinks of a chain.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Verdict {
    /// Compared first.
    pub rank: Rank,
    /// Compared among equal ranks; higher is better. Only chains of equally many pieces that
    /// the same evaluator judged can be compared.
    pub value: f64,
}

impl Verdict {
    /// Is this strictly better than the other? Rank first, then value.
    pub fn is_better_than(&self, other: &Verdict) -> bool {
        self.rank.cmp(&other.rank).then(self.value.total_cmp(&other.value)) == Ordering::Greater
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

/// The names of all evaluators.
pub const NAMES: &[&str] = &[birken_v2::NAME, el_tetris::NAME];

/// Builds an evaluator by name: with the text of a weights file (TOML), or else with the
/// published weights.
///
/// # Errors
/// When no evaluator has this name or the text is not a weights file of this evaluator.
pub fn by_name(name: &str, weights: Option<&str>) -> Result<Box<dyn Evaluator>, Error> {
    Ok(match name {
        birken_v2::NAME => Box::new(BirkenV2::from_toml(weights.unwrap_or(birken_v2::PUBLISHED))?),
        el_tetris::NAME => Box::new(ElTetris::from_toml(weights.unwrap_or(el_tetris::PUBLISHED))?),
        _ => return Err(Error::UnknownEvaluator { found: name.to_owned(), known: NAMES }),
    })
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
        assert_eq!(error.to_string(), "unknown evaluator `stacker`: choose one of birken-v2, el-tetris");
    }

    #[test]
    fn weights_of_another_evaluator_are_refused() {
        let error = by_name("el-tetris", Some(birken_v2::PUBLISHED)).err().expect("another evaluator's weights");
        assert!(error.to_string().contains("weights of `birken-v2`"), "{error}");
    }

    #[test]
    fn rank_goes_before_value_and_equal_verdicts_are_not_better() {
        let verdict = |rank, value| Verdict { rank, value };
        assert!(verdict(Rank::Forced, -9.0).is_better_than(&verdict(Rank::Normal, 9.0)));
        assert!(verdict(Rank::Normal, -9.0).is_better_than(&verdict(Rank::Refused, 9.0)));
        assert!(verdict(Rank::Normal, 2.0).is_better_than(&verdict(Rank::Normal, 1.0)));
        assert!(!verdict(Rank::Normal, 1.0).is_better_than(&verdict(Rank::Normal, 2.0)));
        assert!(!verdict(Rank::Normal, 1.0).is_better_than(&verdict(Rank::Normal, 1.0)));
    }
}
