//! What the learned player plays for.

use std::fmt;
use std::str::FromStr;

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
    /// Which higher piles are.
    pub(super) danger: Danger,
}

/// Which piles are dangerous, of those that may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Danger {
    /// All of them.
    All,
    /// Those from which a play-out tops out.
    PlayOuts(PlayOuts),
}

/// Games that the careful player plays on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PlayOuts {
    /// How many.
    pub(super) games: u32,
    /// The height at which a game ends, in rows.
    pub(super) until: usize,
    /// After the next piece no I comes.
    pub(super) drought: bool,
}

/// 250 games (four plies, from level 19, seed 90) made 999,924 points on average, and none topped out before level 29.
const MOST_CARE: Care = Care { low: 9, danger: Danger::All };

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
/// Two plies, 1,000 games from level 19 (seed 1) in which 30 pieces without an I follow each pile of 10 rows: until level 29 none topped
/// out with the first care, 1 with the second, 14 with the third. Where all piles above 10 rows counted as dangerous it was 8, above 11
/// rows 30, and both made fewer points. The paces of the second and the third are of 160 and 120 games (four plies, from level 19, seed
/// 78), which all reached level 29. That of 1,024 play-outs is of 1,000 games of the former nets (three plies, seed 78), of which one
/// topped out. That for points is of 728 games: see the first table of `docs/strength.md`.
const CARES: [(Care, Pace); 4] = [
    (MOST_CARE, Pace { mean: 1_236_186.0, standard_deviation: 83_776.0, margin: 2.0 }),
    (without_i(64), Pace { mean: 1_292_698.0, standard_deviation: 73_897.0, margin: 2.0 }),
    (without_i(16), Pace { mean: 1_340_443.0, standard_deviation: 73_000.0, margin: 2.0 }),
    (
        Care { low: 11, danger: Danger::PlayOuts(PlayOuts { games: 1024, until: 11, drought: false }) },
        Pace { mean: 1_431_597.0, standard_deviation: 59_000.0, margin: 1.5 },
    ),
];

/// A pile above 10 rows is dangerous if one of these games without an I tops out before it has 9 rows.
const fn without_i(games: u32) -> Care {
    Care { low: 10, danger: Danger::PlayOuts(PlayOuts { games, until: 9, drought: true }) }
}

/// Lines of a game from level 19 that end before level 29, each counted as often as it pays: 139 at level 19 count 20 each.
const PAYING_LINES: f64 = 5030.0;
/// Points more than are needed at the end, in a game that ends before level 29: a pile that was kept low has to be cleaned up before it
/// makes tetrises. Without them 8 of 473 games (seed 79) were 10,000 to 54,000 points short. Less of it counts before, since there is time
/// to catch up.
const RESERVE: f64 = 100_000.0;

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
    /// Points beyond 999,999 that the player wants before level 29: none where it can make what is missing at level 29.
    fn spare(self, rest: f64) -> f64 {
        let has_level_29 = self.last_line.is_none_or(|last| last >= LINES_WITH_LEVEL_29);
        if self.plays_killscreen && has_level_29 { 0.0 } else { RESERVE * (1.0 - rest).max(0.0) }
    }
}

/// The lines that are still to come before level 29, each counted as often as it pays, as a share of those of a game from level 19.
fn rest_of_game(position: &Position, last_line: Option<u16>) -> f64 {
    let mut progress = position.progress();
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
        assert_eq!(care(19, 0, 0), cares[0]);
        // 79 lines at level 19 and ten at each up to 28 are 76 % of a game: 941,271 points with the second care, less twice 73,103.
        // 23,857 points of the reserve count.
        assert_eq!([care(19, 60, 229_000), care(19, 60, 228_000)], [cares[0], cares[1]]);
        assert_eq!([care(19, 60, 169_000), care(19, 60, 168_000)], [cares[1], cares[2]]);
        assert_eq!([care(19, 60, 131_000), care(19, 60, 130_000)], [cares[2], cares[3]]);
        assert_eq!([care(19, 60, 12_000), care(19, 60, 11_000)], [cares[3], None]);
        assert_eq!([care(28, 229, 999_998), care(28, 229, MAXOUT)], [None, None]);
        // A game that ends after 100 lines cannot come to 999,999.
        let until_100 = Position { level: 19, lines: 60, score: 400_000, ..EMPTY };
        assert_eq!(Aim::Maxout.care(&until_100, GameEnd { last_line: Some(100), ..end }), None);
    }

    #[test]
    fn no_reserve_is_wanted_where_the_player_can_make_points_at_level_29() {
        let care = |plays_killscreen, last_line, score| {
            Aim::Maxout.care(&Position { lines: 60, score, ..EMPTY }, GameEnd { last_line, plays_killscreen })
        };
        let cares = CARES.map(|(care, _)| Some(care));
        for last_line in [None, Some(390)] {
            // 23,857 points fewer than in the test above: its part of the reserve.
            assert_eq!([care(true, last_line, 205_000), care(true, last_line, 204_000)], [cares[0], cares[1]]);
            assert_eq!(care(false, last_line, 205_000), cares[1]);
        }
        assert_eq!(care(true, Some(389), 205_000), cares[1]);
    }
}
