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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ram::sample;

    /// A tetris at level 0 without pushdown, which pays 1,200.
    fn lock(before: PlayState, now: PlayState, score: u32) -> [RamSnapshot; 2] {
        let game = sample::snapshot(|_| ());
        let before = RamSnapshot { play_state: before, completed_lines: 4, ..game.clone() };
        [before, RamSnapshot { play_state: now, score, ..game }]
    }

    #[test]
    fn past_the_cap_the_clears_count_and_before_it_the_score_that_the_game_shows() {
        let [before, now] = lock(PlayState::Score, PlayState::GoalCheck, MAXOUT);
        assert_eq!(counted_score(500, Some(&before), &now), 1_700);
        assert_eq!(uncapped_score(1_234_000, Some(&before), &now), 1_235_200);
        assert_eq!(uncapped_score(500, Some(&before), &now), 999_999);
        let shown = |score| RamSnapshot { score, ..now.clone() };
        assert_eq!(uncapped_score(999_000, Some(&before), &shown(999_998)), 999_998);
        assert_eq!(uncapped_score(999_000, Some(&before), &now), 1_000_200);
    }

    #[test]
    fn a_lock_counts_in_one_frame() {
        use PlayState::{Control, GoalCheck, Score};
        for (before, now) in [(GoalCheck, GoalCheck), (Score, Control), (Control, Control), (GoalCheck, Control)] {
            let [before, now] = lock(before, now, MAXOUT);
            assert_eq!(counted_score(500, Some(&before), &now), 500, "{before:?}");
        }
        let [_, now] = lock(Score, GoalCheck, MAXOUT);
        assert_eq!(counted_score(500, None, &now), 500);
    }
}
