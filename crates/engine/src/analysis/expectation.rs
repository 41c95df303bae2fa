//! From the values of the search to points that are still to be expected.

use super::fit::Fit;
use super::fits::FITS;
use crate::game::scoring::{CLEAR_POINTS, clear_points};
use crate::game::{KILLSCREEN, Position};
use crate::gamepad::PressStyle;
use crate::judge::REWARD_POINTS;
use crate::judge::learned::{FINALE, Outlook};

/// Lines that are counted from level 29 on, as in the published results for 330 lines.
pub const LINES_AFTER_KILLSCREEN: u16 = 100;

/// The level in whose points the search counts the last lines before level 29.
const FINALE_LEVEL: u8 = 19;

/// Rewards below the average from which a placement is deadly to some of the games, and further rewards to
/// those at which it is deadly to all. Chosen by hand: of 59 placements 80 rewards or more below the average,
/// 95 % were the end of the game at 30 Hz; of 97 between 40 and 60, 18 %.
const DEADLY_FROM: f64 = 70.0;
const DEADLY_REACH: f64 = 40.0;

/// A placement and the value that the search gives it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Valued {
    /// [`Judged::verdict`](crate::planner::Judged::verdict).
    pub value: f64,
    /// Rows that it completes.
    pub clears: u8,
}

/// What a placement leaves behind, before the last lines before level 29.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Remains {
    /// Points of its clear, and those that an average position still brings after it.
    pub points: f64,
    /// Its value above that of an average position, in rewards.
    pub beyond: f64,
}

/// Points that are to be expected from positions, for one way of moving.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Expectation {
    fit: Fit,
}

impl Expectation {
    /// The share of the smaller slope of losses by which a difference of values counts at least. Chosen by hand: with all of it the
    /// losses that are stated of `birken-v2` are 1,432 points a piece, where 832 (320 to 1,344) are lacking, and with none 1,043.
    pub const LEAST: f64 = 0.1;

    /// For players who move like this; `None` presses no button.
    pub fn of(style: Option<PressStyle>) -> Expectation {
        let frames = match style {
            Some(PressStyle::Taps(rate)) => f64::from(rate.frames()),
            Some(PressStyle::Rhythm(rhythm)) => rhythm.mean_frames(),
            Some(PressStyle::Gaps(gaps)) => gaps.mean_frames(),
            Some(PressStyle::EvenFrames | PressStyle::Gamepad) | None => 2.0,
        };
        Expectation { fit: Fit::at(frames, &FITS) }
    }

    /// With these numbers.
    pub const fn with_fit(fit: Fit) -> Expectation {
        Expectation { fit }
    }

    /// The numbers.
    pub const fn fit(&self) -> &Fit {
        &self.fit
    }

    /// The points of a clear of this number of rows, if the count ends with it.
    pub fn final_points(position: &Position, clears: u8) -> Option<f64> {
        let level = position.progress_after(clears).level;
        let ends = matches!(Horizon::of(position), Horizon::Killscreen { .. }) && level >= KILLSCREEN;
        ends.then(|| clear_points(clears, level).into())
    }

    /// Points of clears from this position on, to the end that [`Horizon`] names, if the search values
    /// the best placement at `value` points ([`Plan::value`](crate::planner::Plan::value)), and the count does not end
    /// with it.
    pub fn points(&self, position: &Position, value: f64) -> f64 {
        let (fit, horizon) = (&self.fit, Horizon::of(position));
        let here = reward_points(position.level);
        let rewards = value / here;
        let cells = f64::from(position.playfield.cell_count());
        let expected = match horizon {
            Horizon::Killscreen { lines } if lines <= FINALE as u16 => self.finale(rewards, lines),
            Horizon::Killscreen { .. } => {
                let beyond = rewards - fit.cell * cells - fit.centre;
                fit.gain * horizon.weight(position, fit.hazard) + fit.slope * beyond * here
            }
            Horizon::Lines(_) => (fit.late + fit.late_slope * rewards + fit.late_cell * cells) * here,
        };
        expected.max(0.0)
    }

    /// Points in this number of last lines before level 29, if the search values the best placement at `rewards`: not
    /// more than tetrises bring.
    fn finale(&self, rewards: f64, lines: u16) -> f64 {
        let beyond = rewards - f64::from(Outlook::BONUS);
        let most = f64::from(lines.div_ceil(4)) * f64::from(clear_points(4, KILLSCREEN));
        ((self.fit.finale + self.fit.finale_slope * beyond) * reward_points(FINALE_LEVEL)).min(most)
    }

    /// Expected points that a placement of a position loses against the best one, in a game that is not lost
    /// yet: 0 or more. [`Prospect::difference`](super::Prospect::difference) takes off what is lost anyway.
    ///
    /// It is not the difference of [`Expectation::points`], which are those of the average position of a
    /// value: of two placements in one position, that which the net likes less is not so much worse.
    pub fn loss(&self, position: &Position, best: Valued, other: Valued) -> f64 {
        if !other.value.is_finite() && Expectation::final_points(position, other.clears).is_none() {
            return f64::INFINITY;
        }
        let loss = self.worth(position, best) - self.worth(position, other);
        // The average line that a clear takes from the horizon can weigh more than the value of the playfield after it. What
        // the search likes less loses something all the same.
        let behind = best.value - other.value;
        let least = match self.remains(position, best) {
            Some(_) => Expectation::LEAST * self.fit.loss_slope.min(self.fit.low_loss_slope) * behind,
            None if Expectation::final_points(position, other.clears).is_some() => 0.0,
            None => self.difference(position, behind),
        };
        loss.max(least).max(0.0)
    }

    /// What a placement of a position is worth in expected points, but for a number that is the same for all of
    /// them: differences of it are losses and luck.
    pub fn worth(&self, position: &Position, placement: Valued) -> f64 {
        let Some(Remains { points, beyond }) = self.remains(position, placement) else {
            let rewards = placement.value / reward_points(position.level);
            return match (Expectation::final_points(position, placement.clears), Horizon::of(position)) {
                (Some(points), _) => points,
                (None, Horizon::Killscreen { lines }) => self.finale(rewards, lines),
                (None, Horizon::Lines(_)) => self.difference(position, placement.value),
            };
        };
        let Fit { loss_slope, low_loss_slope, .. } = self.fit;
        let value = loss_slope * beyond.max(0.0) + low_loss_slope * beyond.min(0.0);
        points * (1.0 - Expectation::deadly(beyond)) + value * reward_points(position.level)
    }

    /// The share of the games that a placement ends which leaves this value, in rewards.
    pub fn deadly(beyond: f64) -> f64 {
        ((-beyond - DEADLY_FROM).max(0.0) / DEADLY_REACH).powi(2).min(1.0)
    }

    /// What a placement leaves behind; `None` in the last lines before level 29 and from there on, where
    /// other numbers count.
    pub fn remains(&self, position: &Position, placement: Valued) -> Option<Remains> {
        let Valued { value, clears } = placement;
        match Horizon::of(position) {
            Horizon::Killscreen { lines } if lines > FINALE as u16 => {}
            _ => return None,
        }
        let after = position.after(position.playfield, clears);
        let won = f64::from(CLEAR_POINTS[usize::from(clears)]) / f64::from(REWARD_POINTS);
        // A piece has four cells, a row ten.
        let cells = f64::from(position.playfield.cell_count()) + 4.0 - 10.0 * f64::from(clears);
        Some(Remains {
            points: f64::from(clear_points(clears, after.level))
                + self.fit.gain * Horizon::of(&after).weight(&after, self.fit.hazard),
            beyond: value / reward_points(position.level) - won - self.fit.cell * cells - self.fit.centre,
        })
    }

    /// What a difference of values is in expected points, for two positions.
    pub fn difference(&self, position: &Position, value: f64) -> f64 {
        let rewards = value / reward_points(position.level);
        match Horizon::of(position) {
            Horizon::Killscreen { lines } if lines <= FINALE as u16 => {
                rewards * self.fit.finale_slope * reward_points(FINALE_LEVEL)
            }
            Horizon::Killscreen { .. } => value * self.fit.slope,
            Horizon::Lines(_) => value * self.fit.late_slope,
        }
    }
}

/// Points of a reward of 1 at a level.
fn reward_points(level: u8) -> f64 {
    f64::from(REWARD_POINTS) * (f64::from(level) + 1.0)
}

/// Up to where points are counted; a topout ends the count as well.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Horizon {
    /// To the clear that reaches level 29.
    Killscreen {
        /// Lines that are left to it.
        lines: u16,
    },
    /// From level 29 on: the next lines.
    Lines(u16),
}

impl Horizon {
    /// The horizon of a position.
    pub fn of(position: &Position) -> Horizon {
        if position.level >= KILLSCREEN {
            return Horizon::Lines(LINES_AFTER_KILLSCREEN);
        }
        let mut progress = position.progress();
        let mut lines = 0;
        while progress.level < KILLSCREEN {
            progress.count_a_type(1);
            lines += 1;
        }
        Horizon::Killscreen { lines }
    }

    /// The number of lines with which the points end, where lines end them: the search is to play for these
    /// points, not for those after them.
    pub fn last_line(position: &Position) -> Option<u16> {
        match Horizon::of(position) {
            Horizon::Killscreen { lines } => position.lines.checked_add(lines),
            Horizon::Lines(_) => None,
        }
    }

    /// The lines of the horizon.
    pub const fn lines(self) -> u16 {
        match self {
            Horizon::Killscreen { lines } | Horizon::Lines(lines) => lines,
        }
    }

    /// Points of a reward for each line to the horizon, summed up; of each line only the share of games
    /// that come so far counts, if this share of the games ends with each line.
    pub fn weight(self, position: &Position, hazard: f64) -> f64 {
        let mut progress = position.progress();
        let mut share = 1.0;
        let mut sum = 0.0;
        for _ in 0..self.lines() {
            progress.count_a_type(1);
            sum += share * reward_points(progress.level);
            share *= 1.0 - hazard;
        }
        sum
    }

    /// Has a game come to the horizon of the position at which it was asked, when it has this level
    /// and has cleared `lines` lines since?
    pub fn is_reached(self, level: u8, lines: u32) -> bool {
        match self {
            Horizon::Killscreen { .. } => level >= KILLSCREEN,
            Horizon::Lines(all) => lines >= u32::from(all),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Piece, Playfield};

    fn position(level: u8, lines: u16) -> Position {
        Position { playfield: Playfield::EMPTY, piece: Piece::T, next: Piece::I, level, lines, score: 0 }
    }

    #[test]
    fn the_horizon_is_level_29_and_then_a_hundred_lines() {
        let lines = |level, lines| Horizon::of(&position(level, lines));
        assert_eq!(lines(19, 0), Horizon::Killscreen { lines: 230 });
        assert_eq!(lines(18, 0), Horizon::Killscreen { lines: 230 });
        assert_eq!(lines(28, 229), Horizon::Killscreen { lines: 1 });
        let last_line = |level, lines| Horizon::last_line(&position(level, lines));
        assert_eq!([last_line(18, 100), last_line(0, 0), last_line(29, 230)], [Some(230), Some(290), None]);
        assert_eq!(lines(0, 0), Horizon::Killscreen { lines: 290 });
        assert_eq!(lines(29, 230), Horizon::Lines(100));
        assert!(Horizon::Lines(100).is_reached(29, 100) && !Horizon::Lines(100).is_reached(40, 99));
    }

    #[test]
    fn lines_count_at_the_level_after_them() {
        // The last line before level 29 is paid at level 29.
        let at = position(28, 229);
        assert_eq!(Horizon::of(&at).weight(&at, 0.0), 300.0 * 30.0);
        let at = position(28, 228);
        assert_eq!(Horizon::of(&at).weight(&at, 0.5), 300.0 * 29.0 + 0.5 * 300.0 * 30.0);
    }

    #[test]
    fn a_loss_is_what_really_comes_of_a_lower_value() {
        let expectation = Expectation { fit: FITS[0] };
        let (at, fit) = (position(19, 60), FITS[0]);
        let here = reward_points(19);
        let valued = |beyond: f64, clears: u8| {
            let won = f64::from(CLEAR_POINTS[usize::from(clears)]) / f64::from(REWARD_POINTS);
            let cells = 4.0 - 10.0 * f64::from(clears);
            Valued { value: (beyond + won + fit.cell * cells + fit.centre) * here, clears }
        };
        let loss = |best, other| expectation.loss(&at, best, other);
        let near = |found: f64, expected: f64| assert!((found - expected).abs() < 1e-3, "{found} {expected}");
        // Above the average and below it, without a clear.
        near(loss(valued(3.0, 0), valued(1.0, 0)), 2.0 * fit.loss_slope * here);
        near(loss(valued(-1.0, 0), valued(-11.0, 0)), 10.0 * fit.low_loss_slope * here);
        near(loss(valued(1.0, 0), valued(1.0, 0)), 0.0);
        // A burn of one row takes a row from those to level 29, and wins 40 points at level 0.
        let lines = |at: Position| Horizon::of(&at).weight(&at, fit.hazard);
        let burnt = fit.gain * (lines(at) - lines(position(19, 61))) - 40.0 * 20.0;
        near(loss(valued(1.0, 0), valued(1.0, 1)), burnt);
        // No loss is less than nothing.
        near(loss(valued(1.0, 1), valued(1.0, 0)), 0.0);
        // What ends the game loses all that an average position brings, and more.
        let all = expectation.remains(&at, valued(0.0, 0)).expect("far from level 29").points;
        assert!(all > 1e6 && loss(valued(0.0, 0), valued(-110.0, 0)) > all);
        assert_eq!(loss(valued(0.0, 0), Valued { value: f64::NEG_INFINITY, clears: 0 }), f64::INFINITY);
        // In the last lines the difference of the values counts.
        let late = position(28, 228);
        let (best, other) = (Valued { value: 9e4, clears: 0 }, Valued { value: 8e4, clears: 0 });
        near(expectation.loss(&late, best, other), expectation.difference(&late, 1e4));
    }

    #[test]
    fn numbers_between_two_rates_are_between_theirs() {
        let fits = FITS;
        let (first, second) = (fits[0], fits[1]);
        let middle = Fit::at((first.frames + second.frames) / 2.0, &fits);
        assert!((middle.gain - (first.gain + second.gain) / 2.0).abs() < 1e-12);
        assert_eq!(Fit::at(0.0, &fits).gain, first.gain);
        assert_eq!(Fit::at(1e3, &fits).gain, fits[fits.len() - 1].gain);
    }
}
