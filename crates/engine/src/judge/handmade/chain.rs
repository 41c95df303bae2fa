//! Values that evaluators need of a chain of placed pieces.

use super::evaluator::Afterstate;
use crate::game::Playfield;

/// The weighted sum of an evaluator's features.
pub(super) fn weighted_sum<const N: usize>(weights: &[f64; N], features: &[f64; N]) -> f64 {
    weights.iter().zip(features).map(|(weight, feature)| weight * feature).sum()
}

/// The playfield at the end of a chain.
pub(super) fn end_of(chain: &[Afterstate]) -> &Playfield {
    &chain.last().expect("a chain has at least one piece").playfield
}

/// Rows cleared by all pieces of a chain.
pub(super) fn lines_cleared(chain: &[Afterstate]) -> u32 {
    chain.iter().map(|afterstate| u32::from(afterstate.cleared.count)).sum()
}
