//! What the learned player plays for.

use std::fmt;
use std::str::FromStr;

use crate::game::scoring::Progress;
use crate::game::{KILLSCREEN, MAXOUT, Position};

/// What the learned player plays for. All but [`Aim::Mean`] give up points for fewer topouts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Aim {
    /// The most points on average.
    #[default]
    Mean,
    /// The chance of 999,999 points; after them as [`Aim::Mean`].
    Maxout,
    /// The chance to reach level 29.
    Survive,
}

impl Aim {
    /// All of them, the default first.
    pub const ALL: [Aim; 3] = [Aim::Mean, Aim::Maxout, Aim::Survive];

    /// Its name in flags and settings.
    pub const fn name(self) -> &'static str {
        match self {
            Aim::Mean => "mean",
            Aim::Maxout => "maxout",
            Aim::Survive => "survive",
        }
    }

    /// Is it the default?
    pub const fn is_mean(&self) -> bool {
        matches!(self, Aim::Mean)
    }

    /// How careful a player is with the score, level and lines of this position, in a game that ends with the last line at the
    /// latest; `None` where it leaves topouts to the values.
    pub(super) fn care(self, position: &Position, last_line: Option<u16>) -> Option<Care> {
        match self {
            Aim::Mean => None,
            Aim::Maxout if position.score >= MAXOUT => None,
            Aim::Maxout if is_ahead(position, last_line) => Some(MOST_CARE),
            Aim::Maxout => Some(SOME_CARE),
            Aim::Survive => Some(MOST_CARE),
        }
    }
}

/// How careful the learned player is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Care {
    /// The greatest height of a pile, in rows, that is never dangerous.
    pub(super) low: usize,
    /// Play-outs from a higher pile. One of them that tops out is too many. Without any, all higher piles are too high.
    pub(super) play_outs: u32,
}

/// 1,000 games (three plies, from level 19, seed 78) made 1,127,513 points on average, and none topped out before level 29.
const MOST_CARE: Care = Care { low: 9, play_outs: 0 };

/// 1,000 games of the same seed made 1,340,443 points on average, and one topped out; with 256 play-outs it was 1,354,849 points and two
/// topouts, with 64 play-outs 1,376,399 points and four.
const SOME_CARE: Care = Care { low: 11, play_outs: 1024 };

/// Lines of a game from level 19 that end before level 29, each counted as often as it pays: 139 at level 19 count 20 each.
const PAYING_LINES: f64 = 5030.0;
/// What such a game with [`MOST_CARE`] makes, and the standard deviation; see there. They were measured for the default player only.
const CAREFUL_POINTS: f64 = 1_127_513.0;
const CAREFUL_SPREAD: f64 = 88_400.0;
/// Standard deviations that a game may fall behind. Chosen by hand, not measured.
const MARGIN: f64 = 3.0;

/// Most lines of a game up to level 29: those of one from level 0, ten for each level.
const MOST_LINES: u16 = 290;

/// Will a game with [`MOST_CARE`] come to 999,999 points before level 29, even if it makes three standard deviations less than expected?
fn is_ahead(position: &Position, last_line: Option<u16>) -> bool {
    let mut progress = Progress::from_lines(position.level, position.lines);
    let paid = (0..MOST_LINES).map_while(|_| {
        progress.count_a_type(1);
        let is_over = progress.level >= KILLSCREEN || last_line.is_some_and(|last| progress.lines() > last);
        (!is_over).then_some(f64::from(progress.level) + 1.0)
    });
    let share = paid.sum::<f64>() / PAYING_LINES;
    let hoped = CAREFUL_POINTS * share - MARGIN * CAREFUL_SPREAD * share.sqrt();
    hoped >= f64::from(MAXOUT - position.score)
}

impl fmt::Display for Aim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A text that names no aim.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected mean, maxout or survive, found {0:?}")]
pub struct ParseAimError(String);

impl FromStr for Aim {
    type Err = ParseAimError;

    fn from_str(text: &str) -> Result<Aim, ParseAimError> {
        Aim::ALL.into_iter().find(|aim| aim.name() == text).ok_or_else(|| ParseAimError(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Piece, Playfield};

    #[test]
    fn names_are_read_back_and_others_are_refused() {
        for aim in Aim::ALL {
            assert_eq!(aim.to_string().parse(), Ok(aim));
        }
        assert!(Aim::default().is_mean());
        for text in ["", "Mean", "points"] {
            assert!(text.parse::<Aim>().expect_err(text).to_string().contains(&format!("{text:?}")));
        }
    }

    const EMPTY: Position =
        Position { playfield: Playfield::EMPTY, piece: Piece::T, next: Piece::I, level: 19, lines: 0, score: 0 };

    #[test]
    fn a_game_on_the_way_to_the_maxout_is_as_careful_as_its_points_allow() {
        let care = |level, lines, score| Aim::Maxout.care(&Position { level, lines, score, ..EMPTY }, None);
        assert_eq!(care(19, 0, 0), Some(SOME_CARE));
        // 79 lines at level 19 and ten at each up to 28 are 76 % of a game: 858,521 points, less three times 77,138.
        assert_eq!([care(19, 60, 372_500), care(19, 60, 373_500)], [Some(SOME_CARE), Some(MOST_CARE)]);
        assert_eq!([care(28, 229, 999_998), care(28, 229, MAXOUT)], [Some(SOME_CARE), None]);
        let until_100 = Position { level: 19, lines: 60, score: 373_500, ..EMPTY };
        assert_eq!(Aim::Maxout.care(&until_100, Some(100)), Some(SOME_CARE));
    }
}
