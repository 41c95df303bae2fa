//! From the values of the search to points that are still to be expected.

use super::fit::Fit;
use super::fits::FITS;
use crate::game::scoring::Progress;
use crate::game::{KILLSCREEN, Position};
use crate::gamepad::PressStyle;
use crate::judge::REWARD_POINTS;
use crate::judge::learned::{FINALE, Outlook};

/// Lines that are counted from level 29 on, as in the published results for 330 lines.
pub const LINES_AFTER_KILLSCREEN: u16 = 100;

/// The level in whose points the search counts the last lines before level 29.
const FINALE_LEVEL: u8 = 19;

/// Points that are to be expected from positions, for one way of moving.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Expectation {
    fit: Fit,
}

impl Expectation {
    /// For players who move like this; `None` presses no button.
    pub fn of(style: Option<PressStyle>) -> Expectation {
        let frames = match style {
            Some(PressStyle::Taps(rate)) => f64::from(rate.frames()),
            Some(PressStyle::Rhythm(rhythm)) => rhythm.mean_frames(),
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

    /// Points of clears from this position on, to the end that [`Horizon`] names, if the search values
    /// the best placement at `value` points ([`Plan::value`](crate::planner::Plan::value)).
    pub fn points(&self, position: &Position, value: f64) -> f64 {
        let (fit, horizon) = (&self.fit, Horizon::of(position));
        let here = reward_points(position.level);
        let rewards = value / here;
        let cells = f64::from(position.playfield.cell_count());
        let expected = match horizon {
            Horizon::Killscreen { lines } if lines <= FINALE as u16 => {
                let beyond = rewards - f64::from(Outlook::BONUS);
                (fit.finale + fit.finale_slope * beyond) * reward_points(FINALE_LEVEL)
            }
            Horizon::Killscreen { .. } => {
                let beyond = rewards - fit.cell * cells - fit.centre;
                fit.gain * horizon.weight(position, fit.hazard) + fit.slope * beyond * here
            }
            Horizon::Lines(_) => (fit.late + fit.late_slope * rewards + fit.late_cell * cells) * here,
        };
        expected.max(0.0)
    }

    /// What a difference of values is in expected points.
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
        let mut progress = Progress::from_lines(position.level, position.lines);
        let mut lines = 0;
        while progress.level < KILLSCREEN {
            progress.count_a_type(1);
            lines += 1;
        }
        Horizon::Killscreen { lines }
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
        let mut progress = Progress::from_lines(position.level, position.lines);
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
    fn numbers_between_two_rates_are_between_theirs() {
        let fits = FITS;
        let (first, second) = (fits[0], fits[1]);
        let middle = Fit::at((first.frames + second.frames) / 2.0, &fits);
        assert!((middle.gain - (first.gain + second.gain) / 2.0).abs() < 1e-12);
        assert_eq!(Fit::at(0.0, &fits).gain, first.gain);
        assert_eq!(Fit::at(1e3, &fits).gain, fits[fits.len() - 1].gain);
    }
}
