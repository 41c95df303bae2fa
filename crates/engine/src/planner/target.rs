//! Playing to an exact score.

use crate::game::Position;
use crate::game::scoring::{CLEAR_POINTS, Score};

/// Points of a single, paid level + 1 times.
const SINGLE: u32 = CLEAR_POINTS[1];
/// Points that pushdowns can bring before the pile is too high, without a clear: about eight
/// points a piece, eight pieces. Chosen by hand, not measured.
const PUSHED_WITHOUT_CLEAR: u32 = 60;
/// Points that pushdowns can bring for each single that makes room for more pieces: about eight
/// points a piece, two and a half pieces. Chosen by hand, not measured.
const PUSHED_FOR_A_SINGLE: u32 = 20;

/// The standing of the score to the target score after a placement, worst first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum TargetStanding {
    /// The score passes the target.
    Overshoots,
    /// The rest cannot be reached: after as many singles as fit into it, more points remain than
    /// pushdowns can bring meanwhile.
    Stranded,
    /// The target is still ahead.
    Short,
    /// The score is the target.
    Hits,
}

impl TargetStanding {
    /// The standing when it is known whether the next piece is blocked: it passes the target
    /// wherever it goes, or can go nowhere.
    pub(super) fn with_next(self, blocked: bool) -> TargetStanding {
        let worst = if blocked { TargetStanding::Stranded } else { TargetStanding::Hits };
        if self == TargetStanding::Hits { self } else { self.min(worst) }
    }
}

/// A score to reach exactly.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Target {
    /// The score.
    pub score: u32,
    /// Can pieces be pushed down with this way to move?
    pub pushes: bool,
}

impl Target {
    /// The standing of the score after a lock that clears `rows` rows and was pushed down `pushed`
    /// rows.
    pub(super) fn standing(self, position: &Position, rows: u8, pushed: u8) -> TargetStanding {
        let (score, single) = after(position, rows, pushed);
        match self.score.checked_sub(score) {
            None => TargetStanding::Overshoots,
            Some(0) => TargetStanding::Hits,
            Some(rest) if rest % single > self.pushable(rest / single) => TargetStanding::Stranded,
            Some(_) => TargetStanding::Short,
        }
    }

    /// Points that pushdowns can bring while `singles` singles are cleared.
    const fn pushable(self, singles: u32) -> u32 {
        match (self.pushes, singles) {
            (true, _) => PUSHED_WITHOUT_CLEAR + PUSHED_FOR_A_SINGLE * singles,
            (false, 0) => 0,
            // A double may still leave a multiple of a single. Refusing placements until then
            // would cost the game.
            (false, _) => u32::MAX,
        }
    }

    /// May the lock come with `pushed` rows of pushdown? Only if their points do not pass a
    /// score from which singles alone lead to the target. So pushdowns bring the points that
    /// singles cannot, and near the target no pushdown overshoots.
    pub(super) fn admits(self, position: &Position, rows: u8, pushed: u8) -> bool {
        let (without, single) = after(position, rows, 0);
        let (with, _) = after(position, rows, pushed);
        match (self.score.checked_sub(without), self.score.checked_sub(with)) {
            (Some(without), Some(with)) => without / single == with / single,
            // It overshoots anyway.
            (None, _) => true,
            (Some(_), None) => false,
        }
    }
}

/// The score after a lock that clears this number of rows without pushdown.
pub(super) fn score_after(position: &Position, rows: u8) -> u32 {
    after(position, rows, 0).0
}

/// The score after a lock, by the game's own arithmetic, and the points of a single then.
fn after(position: &Position, rows: u8, pushed: u8) -> (u32, u32) {
    let progress = position.progress_after(rows);
    let mut score = Score::from_value(position.score);
    score.add_pushdown(pushed);
    score.add_line_points(rows, progress.level);
    (score.value(), SINGLE * (u32::from(progress.level) + 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Piece, Playfield};

    fn target(score: u32) -> Target {
        Target { score, pushes: true }
    }

    fn position(score: u32, level: u8) -> Position {
        Position { playfield: Playfield::EMPTY, piece: Piece::T, next: Piece::T, level, lines: 0, score }
    }

    #[test]
    fn line_points_count_by_the_level_after_the_clear() {
        let before = Position { lines: 9, ..position(0, 0) };
        assert_eq!(target(80).standing(&before, 1, 0), TargetStanding::Hits);
        assert_eq!(target(40).standing(&position(0, 0), 1, 0), TargetStanding::Hits);
        assert_eq!(target(79).standing(&before, 1, 0), TargetStanding::Overshoots);
    }

    #[test]
    fn what_is_left_must_be_a_single_or_within_the_pushdown() {
        // A single is worth 760.
        assert_eq!(target(820).standing(&position(0, 18), 1, 0), TargetStanding::Short);
        assert_eq!(target(821).standing(&position(0, 18), 1, 0), TargetStanding::Stranded);
        assert_eq!(target(760 + 80).standing(&position(0, 18), 0, 0), TargetStanding::Short);
        assert_eq!(target(760 + 81).standing(&position(0, 18), 0, 0), TargetStanding::Stranded);
        let without_pushdown = Target { score: 761, pushes: false };
        assert_eq!(without_pushdown.standing(&position(2, 18), 0, 0), TargetStanding::Stranded);
        assert_eq!(without_pushdown.standing(&position(0, 18), 0, 0), TargetStanding::Short);
    }

    #[test]
    fn pushdown_stops_where_singles_lead_to_the_target() {
        // 807 - 47 = 760: a single at level 18.
        let target = target(807);
        assert!(target.admits(&position(0, 18), 0, 17));
        assert!(target.admits(&position(40, 18), 0, 8), "seven points are left");
        assert!(!target.admits(&position(40, 18), 0, 9));
        assert!(!target.admits(&position(47, 18), 0, 2));
        assert!(target.admits(&position(47, 18), 0, 1), "one row of pushdown pays nothing");
        assert!(target.admits(&position(800, 18), 0, 8));
        assert!(!target.admits(&position(800, 18), 0, 9));
    }

    #[test]
    fn the_lost_digit_of_a_carry_is_known() {
        // 95 + 8 shows 100, not 103.
        assert_eq!(target(100).standing(&position(95, 0), 0, 9), TargetStanding::Hits);
    }
}
