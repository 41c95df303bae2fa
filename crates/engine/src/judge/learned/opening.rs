//! The best of the ways to press before the next piece is known.

use super::dense::{OUTPUTS, Values};
use super::expand::Child;
use crate::movegen::Openings;

/// Keeps of the placements of a piece those that the best opening leaves: the one whose best placement for each
/// next piece is worth most on average. Of equal ones the one that leaves most.
///
/// `worths` says what a placement is worth with each next piece, `mean` averages over them.
pub fn keep_best_opening(
    children: &mut Vec<Child>,
    openings: &Openings,
    worths: impl Fn(&Child) -> Values,
    mean: impl Fn(&Values) -> f32,
) {
    let mut best: Option<(f32, usize, Best)> = None;
    let mut consider = |value: f32, count: usize, what: Best| {
        if best.as_ref().is_none_or(|&(most, most_count, _)| value > most || value == most && count > most_count) {
            best = Some((value, count, what));
        }
    };
    for (index, left) in openings.left.iter().enumerate() {
        let mut most = [f32::NEG_INFINITY; OUTPUTS];
        let mut count = 0;
        for child in children.iter().filter(|child| left.contains(child.placement)) {
            count += 1;
            for (most, worth) in most.iter_mut().zip(worths(child)) {
                *most = most.max(worth);
            }
        }
        if count > 0 {
            consider(mean(&most), count, Best::Left(index));
        }
    }
    for (index, child) in children.iter().enumerate().filter(|(_, child)| openings.landed.contains(child.placement)) {
        consider(mean(&worths(child)), 1, Best::Landed(index));
    }
    match best {
        Some((_, _, Best::Left(index))) => children.retain(|child| openings.left[index].contains(child.placement)),
        Some((_, _, Best::Landed(index))) => {
            children.swap(0, index);
            children.truncate(1);
        }
        None => children.clear(),
    }
}

/// One of the openings.
enum Best {
    /// Index of what it leaves.
    Left(usize),
    /// Index of the placement in which it lands.
    Landed(usize),
}
