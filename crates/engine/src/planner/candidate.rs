//! A placement that the search has judged, before its buttons are known.

use std::cmp::Ordering;

use super::target::TargetStanding;
use crate::game::Placement;
use crate::judge::handmade::{Afterstate, Verdict};
use crate::movegen::Reached;

/// A judged placement of the falling piece, before its buttons are known.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate {
    pub(super) reached: Reached,
    pub(super) afterstate: Afterstate,
    /// Where an evaluator would put the next piece.
    pub(super) next: Option<Placement>,
    pub(super) verdict: Verdict,
    /// Compared before the verdict: its standing to the target score, ...
    pub(super) standing: TargetStanding,
    /// ... whether the filter allows a placement of the next piece, ...
    pub(super) next_allowed: bool,
    /// ... and how many plies found the verdict.
    pub(super) plies: u8,
}

impl Candidate {
    /// What is compared before the verdict; more is better.
    pub(super) fn constraints(&self) -> (TargetStanding, bool) {
        (self.standing, self.next_allowed)
    }

    /// The order of candidates, the better one first.
    pub(super) fn compare(&self, other: &Candidate) -> Ordering {
        let constraints = self.constraints().cmp(&other.constraints()).reverse();
        constraints.then(other.plies.cmp(&self.plies)).then(other.verdict.compare(&self.verdict))
    }
}
