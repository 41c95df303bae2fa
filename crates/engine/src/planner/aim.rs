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

    /// How careful a player is with the score, level and lines of this position; `None` where it leaves topouts to the values.
    pub(super) fn care(self, position: &Position, end: GameEnd) -> Option<Care> {
        match self {
            Aim::Mean => None,
            Aim::Maxout if position.score >= MAXOUT => None,
            Aim::Maxout => {
                let rest = rest_of_game(position, end.last_line);
                let needed = f64::from(MAXOUT - position.score) + end.spare(rest);
                CARES.into_iter().find(|(_, next)| next.hoped(rest) >= needed).map(|(care, _)| care)
            }
            Aim::Survive => Some(MOST_CARE),
        }
    }
}

/// When a game ends for the player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct GameEnd {
    /// The line that ends it; `None` where only a topout does.
    pub(super) last_line: Option<u16>,
    /// Can the player make tetrises at the speed of level 29?
    pub(super) plays_killscreen: bool,
}

/// How careful the learned player is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Care {
    /// The greatest height of a pile, in rows, that is never dangerous.
    pub(super) low: usize,
    /// Play-outs from a higher pile. One of them that tops out is too many. Without any, all higher piles are too high.
    pub(super) play_outs: u32,
}

/// 250 games (four plies, from level 19, seed 90) made 999,924 points on average, and none topped out before level 29.
const MOST_CARE: Care = Care { low: 9, play_outs: 0 };

/// Points of the default player in a game from level 19 that ends before level 29.
#[derive(Debug, Clone, Copy)]
struct Pace {
    mean: f64,
    standard_deviation: f64,
    /// Standard deviations that the rest of a game may fall behind. Chosen by hand.
    margin: f64,
}

/// From the most careful on: each care, and the pace of games with the next one throughout, at last of those for points. [`Aim::Maxout`]
/// takes the first whose next one would be enough.
///
/// The paces of 10 and of 11 rows without play-outs are of 98 and 94 games (four plies, from level 19, seed 78), which all reached
/// level 29 (250 games of seed 90 with 10 rows made 1,111,771); with 12 rows one of 92 topped out. That of 1,024 play-outs is of 1,000
/// games of the former nets (three plies, seed 78), of which one topped out, and two did with 256 play-outs. That for points is of 728
/// games: see the first table of `docs/strength.md`.
/// Without the two cares in the middle 3 of 1,042 games (seeds 80 to 82) topped out, each where it played games out.
const CARES: [(Care, Pace); 4] = [
    (MOST_CARE, Pace { mean: 1_115_562.0, standard_deviation: 111_406.0, margin: 2.0 }),
    (Care { low: 10, play_outs: 0 }, Pace { mean: 1_202_248.0, standard_deviation: 101_184.0, margin: 2.0 }),
    (Care { low: 11, play_outs: 0 }, Pace { mean: 1_340_443.0, standard_deviation: 73_000.0, margin: 3.0 }),
    (Care { low: 11, play_outs: 1024 }, Pace { mean: 1_431_597.0, standard_deviation: 59_000.0, margin: 1.5 }),
];

/// Lines of a game from level 19 that end before level 29, each counted as often as it pays: 139 at level 19 count 20 each.
const PAYING_LINES: f64 = 5030.0;
/// Points more than are needed at the end, in a game that ends before level 29: a pile that was kept low has to be cleaned up before it
/// makes tetrises. Without them 8 of 473 games (seed 79) were 10,000 to 54,000 points short. Less of it counts before, since there is time
/// to catch up.
const RESERVE: f64 = 100_000.0;
/// Points that may be left for level 29. A tetris pays 36,000 there. The default player came through the next 100 lines in 992 of the 997
/// games that reached level 29 (30 Hz, see `docs/benchmarks.md`), and made at least 670,875 points in them (52 games, seed 91). So 100,000
/// points cost about one game in 1,600, where a pile of 11 rows topped out in 4 of 3,142 (seed 85).
const LEFT_FOR_LEVEL_29: f64 = 100_000.0;

/// Most lines of a game up to level 29: those of one from level 0, ten for each level.
const MOST_LINES: u16 = 290;
/// Lines of a game that has at least 100 of them at level 29, from whichever level it starts.
const LINES_WITH_LEVEL_29: u16 = MOST_LINES + 100;

impl Pace {
    /// Points of the rest of a game if it falls behind by as much as it may. The rest is a share of a game from level 19.
    fn hoped(self, rest: f64) -> f64 {
        self.mean * rest - self.margin * self.standard_deviation * rest.sqrt()
    }
}

impl GameEnd {
    /// Points that the player wants at level 29 beyond 999,999; below 0 where it may fall short.
    fn spare(self, rest: f64) -> f64 {
        let has_level_29 = self.last_line.is_none_or(|last| last >= LINES_WITH_LEVEL_29);
        if self.plays_killscreen && has_level_29 { -LEFT_FOR_LEVEL_29 } else { RESERVE * (1.0 - rest).max(0.0) }
    }
}

/// The lines that are still to come before level 29, each counted as often as it pays, as a share of those of a game from level 19.
fn rest_of_game(position: &Position, last_line: Option<u16>) -> f64 {
    let mut progress = Progress::from_lines(position.level, position.lines);
    let paid = (0..MOST_LINES).map_while(|_| {
        progress.count_a_type(1);
        let is_over = progress.level >= KILLSCREEN || last_line.is_some_and(|last| progress.lines() > last);
        (!is_over).then_some(f64::from(progress.level) + 1.0)
    });
    paid.sum::<f64>() / PAYING_LINES
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
        let end = GameEnd { last_line: None, plays_killscreen: false };
        let care = |level, lines, score| Aim::Maxout.care(&Position { level, lines, score, ..EMPTY }, end);
        let cares = CARES.map(|(care, _)| Some(care));
        assert_eq!(care(19, 0, 0), cares[2]);
        // 79 lines at level 19 and ten at each up to 28 are 76 % of a game: 849,421 points with a care of 10 rows, less twice 97,213.
        // 23,857 points of the reserve count.
        assert_eq!([care(19, 60, 369_000), care(19, 60, 368_000)], [cares[0], cares[1]]);
        assert_eq!([care(19, 60, 286_000), care(19, 60, 285_000)], [cares[1], cares[2]]);
        assert_eq!([care(19, 60, 195_000), care(19, 60, 194_000)], [cares[2], cares[3]]);
        assert_eq!([care(19, 60, 12_000), care(19, 60, 11_000)], [cares[3], None]);
        assert_eq!([care(28, 229, 999_998), care(28, 229, MAXOUT)], [None, None]);
        // A game that ends after 100 lines cannot come to 999,999.
        let until_100 = Position { level: 19, lines: 60, score: 400_000, ..EMPTY };
        assert_eq!(Aim::Maxout.care(&until_100, GameEnd { last_line: Some(100), ..end }), None);
    }

    #[test]
    fn points_may_be_left_for_level_29_where_the_player_can_make_them() {
        let care = |plays_killscreen, last_line, score| {
            Aim::Maxout.care(&Position { lines: 60, score, ..EMPTY }, GameEnd { last_line, plays_killscreen })
        };
        let cares = CARES.map(|(care, _)| Some(care));
        assert_eq!(Aim::Maxout.care(&EMPTY, GameEnd { last_line: None, plays_killscreen: true }), cares[1]);
        for last_line in [None, Some(390)] {
            // 123,857 points fewer than in the test above: its part of the reserve, and what may be left for level 29.
            assert_eq!([care(true, last_line, 246_000), care(true, last_line, 244_000)], [cares[0], cares[1]]);
            assert_eq!(care(false, last_line, 246_000), cares[2]);
        }
        assert_eq!(care(true, Some(389), 246_000), cares[2]);
    }
}
