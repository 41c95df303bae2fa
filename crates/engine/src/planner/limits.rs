//! Which placements the filter and the target score leave.

use std::borrow::Cow;
use std::sync::Arc;

use super::candidate::Candidate;
use super::filter::Filter;
use super::settings::Settings;
use super::sight::Sight;
use super::target::{Target, TargetStanding, score_after};
use crate::game::{Piece, Playfield, Position};
use crate::judge::handmade::{Afterstate, Evaluator, Verdict};
use crate::movegen::{Moves, Reached, Start};

/// The way to move, the filter, the target score and the aim: what limits a choice besides its value.
pub(super) struct Limits {
    pub(super) settings: Settings,
    pub(super) filter: Option<Arc<dyn Filter>>,
    /// Judges for the careful player, if the aim of the settings needs one.
    pub(super) careful: Option<Arc<dyn Evaluator>>,
}

impl Limits {
    /// The target score of the settings.
    pub(super) fn target(&self) -> Option<Target> {
        let pushes = self.settings.style().is_some();
        self.settings.target_score.map(|score| Target { score, pushes })
    }

    /// The placements that the filter allows, and whether it allows any; where it allows none,
    /// all placements.
    pub(super) fn admitted<'a>(&self, playfield: &Playfield, reached: &'a [Reached]) -> (Cow<'a, [Reached]>, bool) {
        let Some(filter) = &self.filter else { return (Cow::Borrowed(reached), true) };
        let allowed = filter.allowed(playfield, reached);
        if allowed.is_empty() { (Cow::Borrowed(reached), reached.is_empty()) } else { (Cow::Owned(allowed), true) }
    }

    /// The standing of the score to the target after a lock, pushdown aside.
    pub(super) fn standing(&self, position: &Position, afterstate: &Afterstate) -> TargetStanding {
        self.target().map_or(TargetStanding::Short, |target| target.standing(position, afterstate.cleared.count, 0))
    }

    /// What `next` can reach after a lock, and with a target the position for it.
    pub(super) fn seconds(&self, position: &Position, lock: &Afterstate, next: Piece) -> (Moves, Option<Position>) {
        let after = position.after(lock.playfield, lock.cleared.count);
        let start = Start::spawn(next).not_before(self.settings.first_press);
        let moves = self.settings.moves(&lock.playfield, &start, after.level);
        (moves, self.target().map(|_| Position { score: score_after(position, lock.cleared.count), ..after }))
    }

    /// Would this lock of the next piece pass the target?
    pub(super) fn overshoots(&self, after: Option<&Position>, second: &Afterstate) -> bool {
        after.is_some_and(|after| self.standing(after, second) == TargetStanding::Overshoots)
    }

    /// A placement that is not judged yet: its standing to target and filter if the next piece goes
    /// where they prefer it.
    pub(super) fn unjudged(&self, position: &Position, reached: Reached, sight: Sight) -> Candidate {
        let afterstate = Afterstate::of(&position.playfield, reached.placement);
        let standing = self.standing(position, &afterstate);
        let verdict = Verdict::of_value(f64::NEG_INFINITY);
        let candidate = Candidate { reached, afterstate, next: None, verdict, standing, next_allowed: true, plies: 0 };
        if sight == Sight::WithoutNext || (self.filter.is_none() && self.target().is_none()) {
            return candidate;
        }
        let (moves, after) = self.seconds(position, &afterstate, position.next);
        let (admitted, allowed) = self.admitted(&afterstate.playfield, moves.reached());
        let overshoots = |second: &Reached| {
            self.overshoots(after.as_ref(), &Afterstate::of(&afterstate.playfield, second.placement))
        };
        let standing = standing.with_next(admitted.iter().all(overshoots));
        Candidate { standing, next_allowed: allowed && !admitted.is_empty(), ..candidate }
    }
}
