//! What an evaluator judges, and what it answers.

use std::cmp::Ordering;

use crate::game::{Cleared, Placement, Playfield};

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

/// The judgement of an evaluator on a chain. Only verdicts of the same evaluator on chains of the
/// same number of pieces can be compared.
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
    /// The verdict on a chain that no rule forces or refuses, by an evaluator that has no rule for
    /// ties.
    pub fn of_value(value: f64) -> Verdict {
        Verdict { rank: Rank::Normal, value, preference: 0 }
    }

    /// The order of verdicts, with the better one greater: by rank, then by value, then by
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

#[cfg(test)]
mod tests {
    use super::*;

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
