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
    /// Lines: no topout.
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

    /// How careful a player is in this position; `None` where it leaves topouts to the values.
    pub(super) fn care(self, position: &Position) -> Option<Care> {
        match self {
            Aim::Mean => None,
            Aim::Maxout if position.score >= MAXOUT => None,
            Aim::Maxout if is_ahead(position) => Some(MOST_CARE),
            Aim::Maxout => Some(SOME_CARE),
            Aim::Survive => Some(MOST_CARE),
        }
    }
}

/// How careful the learned player is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Care {
    /// A pile of so many rows or fewer is never dangerous.
    pub(super) low: usize,
    /// Play-outs from a higher pile. One of them that tops out is too many. Without any, all higher piles are too high.
    pub(super) play_outs: u32,
}

/// 1,000 games (three plies, from level 19, seed 78) made 1,127,513 points on average, and none topped out before level 29.
const MOST_CARE: Care = Care { low: 9, play_outs: 0 };

/// 1,000 games of the same seed made 1,340,443 points on average, and one topped out; with 256 play-outs it was 1,354,849 points and two
/// topouts, with 64 play-outs 1,376,399 points and four.
const SOME_CARE: Care = Care { low: 11, play_outs: 1024 };

/// Lines before level 29 in a game from level 19, each counted as often as it pays: 140 lines at level 19 count 20 each.
const PAYING_LINES: f64 = 5050.0;
/// What a game with [`MOST_CARE`] makes, and the standard deviation; see there.
const CAREFUL_POINTS: f64 = 1_127_513.0;
const CAREFUL_SPREAD: f64 = 88_400.0;
/// Standard deviations that a game may fall behind. Chosen by hand, not measured.
const MARGIN: f64 = 3.0;

/// Most lines of a game up to level 29: those of one from level 0, ten for each level.
const MOST_LINES: u16 = 290;

/// Are 999,999 points almost certain with [`MOST_CARE`] in the lines up to level 29?
fn is_ahead(position: &Position) -> bool {
    let mut progress = Progress::from_lines(position.level, position.lines);
    let paid = (0..MOST_LINES).map_while(|_| {
        progress.count_a_type(1);
        (progress.level < KILLSCREEN).then_some(f64::from(progress.level) + 1.0)
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

    #[test]
    fn a_game_on_the_way_to_the_maxout_is_as_careful_as_its_points_allow() {
        let care = |level, lines, score| {
            let position =
                Position { playfield: Playfield::EMPTY, piece: Piece::T, next: Piece::I, level, lines, score };
            Aim::Maxout.care(&position)
        };
        assert_eq!(care(19, 0, 0), Some(SOME_CARE));
        // 79 lines at level 19 and ten at each up to 28 are 76 % of a game: 855,121 points, less three times 76,985.
        assert_eq!([care(19, 60, 375_000), care(19, 60, 377_000)], [Some(SOME_CARE), Some(MOST_CARE)]);
        assert_eq!([care(28, 229, 999_998), care(28, 229, MAXOUT)], [Some(SOME_CARE), None]);
        // More points are never less ahead, wherever the game is.
        for (level, lines) in [(0, 0), (9, 95), (18, 120), (19, 139), (25, 199), (29, 240), (255, 999)] {
            let ahead: Vec<bool> =
                (0..MAXOUT).step_by(10_000).map(|score| care(level, lines, score) == Some(MOST_CARE)).collect();
            assert!(ahead.is_sorted(), "{level} {lines}");
        }
    }
}
