//! The score past 999,999, counted from what RAM shows of each lock.

use crate::game::MAXOUT;
use crate::game::scoring::UncappedScore;
use crate::ram::{PlayState, RamSnapshot};

/// The points without the cap after a frame, from those before it and the samples around it.
/// `before` is `None` for the first sample.
///
/// While the game shows fewer than 999,999 points, its own score is taken, so that a game that is
/// joined late, or that pays by other rules, is counted on from the right number. A game that is
/// joined at 999,999 is counted on from there.
pub fn uncapped_score(points: u64, before: Option<&RamSnapshot>, now: &RamSnapshot) -> u64 {
    if now.score < MAXOUT { now.score.into() } else { counted_score(points, before, now).max(MAXOUT.into()) }
}

/// The same by the clears and pushdowns alone, whatever score the game shows.
pub fn counted_score(points: u64, before: Option<&RamSnapshot>, now: &RamSnapshot) -> u64 {
    let Some(before) = before else { return points };
    // The game scores a lock in the one frame that leads to this state.
    if now.play_state != PlayState::GoalCheck || before.play_state == PlayState::GoalCheck {
        return points;
    }
    let mut score = UncappedScore::from_points(points);
    score.add_lock(before.pushdown, before.completed_lines, now.level);
    score.points()
}
