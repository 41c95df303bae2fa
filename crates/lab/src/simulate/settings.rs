//! What is simulated: which games, for how long, with which pieces and points.

use std::fmt;
use std::num::NonZeroU64;
use std::str::FromStr;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};

use super::pieces::PieceSource;
use maxout_engine::game::crash::{Crashes, FIRST_DANGEROUS_LEVEL};
use maxout_engine::game::scoring::clear_points;
use maxout_engine::game::{KILLSCREEN_LINES, PLATEAU, Ruleset};

/// Lines with which the first dangerous level comes at the earliest: those of a game from level 15 to 19.
const FIRST_DANGEROUS_LINES: u32 = 10 * (FIRST_DANGEROUS_LEVEL as u32 - 6);

/// Which games a simulation plays. Together with the player they determine every result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Settings {
    /// Seed of the games: game `n` of a seed is always the same game.
    pub seed: u64,
    /// Level to start from, 0 to 19 as in the menu.
    pub start_level: u8,
    /// The rules that are played. The player's must be the same.
    #[serde(default, skip_serializing_if = "Ruleset::is_original")]
    pub rules: Ruleset,
    /// Slow frames and crashes; without a choice as [`Crashes::by_rules`] says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub crashes: Option<Crashes>,
    /// When a game ends, apart from a topout.
    pub until: Until,
    /// Where the pieces come from.
    pub pieces: PieceSource,
    /// Points for a clear, in the points that are reported.
    pub scoring: Scoring,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            seed: 1,
            start_level: PLATEAU,
            rules: Ruleset::Original,
            crashes: None,
            until: Until::Lines(KILLSCREEN_LINES.into()),
            pieces: PieceSource::Nes,
            scoring: Scoring::Nes,
        }
    }
}

/// The `[simulate]` section of a settings file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Batch {
    /// How many games: 1 or more.
    #[serde(deserialize_with = "some")]
    pub games: u64,
    /// The rules that are played.
    #[serde(skip_serializing_if = "Ruleset::is_original")]
    pub rules: Ruleset,
    /// When a game ends, apart from a topout.
    pub until: Until,
    /// Where the pieces come from.
    pub pieces: PieceSource,
    /// Points for a clear, in the points that are reported.
    pub scoring: Scoring,
}

/// A number of games.
fn some<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    NonZeroU64::deserialize(deserializer)
        .map(NonZeroU64::get)
        .map_err(|_| D::Error::custom("expected a number of games from 1 on"))
}

impl Default for Batch {
    fn default() -> Batch {
        let Settings { rules, until, pieces, scoring, .. } = Settings::default();
        Batch { games: 100, rules, until, pieces, scoring }
    }
}

/// The points for a clear.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scoring {
    /// 40, 100, 300 or 1200 times the level after the clear plus one; without the game's cap.
    #[default]
    Nes,
    /// n * (n - 1) + 1 for n rows, at every level: the scoring of the publication of
    /// `dellacherie-ga`.
    N2,
    /// As the game's, but every clear counts as at the start level. The published figures of
    /// `birken-v2` fit this rule and not the game's: their median and best score are multiples of
    /// 400, as all sums of clears at level 19 are.
    Flat,
}

impl Settings {
    /// Does the original crash?
    pub fn crashes(&self) -> Crashes {
        self.crashes.unwrap_or(Crashes::by_rules(self.rules))
    }

    /// Are these games for levels at which the original crashes? Their figures then say what kept them from it.
    /// Other games may come there, too, if a topout, a score or a number of pieces ends them; but their rows and reports have
    /// the same columns as those of earlier versions.
    pub fn goes_far(&self) -> bool {
        let can_crash = self.crashes() == Crashes::On;
        match self.until {
            Until::Rebirth(_) => true,
            Until::Level(level) => can_crash && level >= FIRST_DANGEROUS_LEVEL,
            Until::Lines(lines) => can_crash && lines >= FIRST_DANGEROUS_LINES,
            Until::Score(_) | Until::Pieces(_) | Until::Topout => false,
        }
    }
}

impl Scoring {
    /// Points of a clear of `rows` rows (1 to 4) that leaves a game from `start_level` at
    /// `level`.
    pub fn points(self, rows: u8, start_level: u8, level: u8) -> u64 {
        match self {
            Scoring::Nes => clear_points(rows, level).into(),
            Scoring::N2 => u64::from(rows) * (u64::from(rows) - 1) + 1,
            Scoring::Flat => clear_points(rows, start_level).into(),
        }
    }
}

/// When a game ends, apart from a topout.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Until {
    /// After the clear that reaches this many lines; that clear counts.
    Lines(u32),
    /// When this level is reached.
    Level(u8),
    /// At this many points including pushdowns, as the game pays them, even beyond its 999,999.
    Score(u64),
    /// When this many pieces have locked.
    Pieces(u32),
    /// Only a topout ends it.
    Topout,
    /// When the level has gone from 255 to 0 this often.
    Rebirth(u32),
}

impl Until {
    /// The lines with which the game ends, where it is lines that end it.
    pub fn last_line(self) -> Option<u16> {
        match self {
            Until::Lines(lines) => u16::try_from(lines).ok(),
            Until::Level(_) | Until::Score(_) | Until::Pieces(_) | Until::Topout | Until::Rebirth(_) => None,
        }
    }
}

impl fmt::Display for Until {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Until::Lines(lines) => write!(f, "lines:{lines}"),
            Until::Level(level) => write!(f, "level:{level}"),
            Until::Score(score) => write!(f, "score:{score}"),
            Until::Pieces(pieces) => write!(f, "pieces:{pieces}"),
            Until::Topout => f.write_str("topout"),
            Until::Rebirth(1) => f.write_str("rebirth"),
            Until::Rebirth(times) => write!(f, "rebirth:{times}"),
        }
    }
}

impl From<Until> for String {
    fn from(until: Until) -> String {
        until.to_string()
    }
}

/// A text that names no end of a game.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "expected topout, level:N (N from 1 to 255), score:N, lines:N, pieces:N, rebirth or rebirth:N (to {most}), found {0:?}",
    most = u32::MAX
)]
pub struct ParseUntilError(String);

impl FromStr for Until {
    type Err = ParseUntilError;

    fn from_str(text: &str) -> Result<Until, ParseUntilError> {
        fn number<T: FromStr + PartialOrd + From<u8>>(text: &str) -> Option<T> {
            text.parse().ok().filter(|number| *number >= T::from(1))
        }
        let until = match text.split_once(':') {
            None if text == "topout" => Some(Until::Topout),
            None if text == "rebirth" => Some(Until::Rebirth(1)),
            Some(("rebirth", times)) => number(times).map(Until::Rebirth),
            Some(("lines", lines)) => number(lines).map(Until::Lines),
            Some(("level", level)) => number(level).map(Until::Level),
            Some(("score", score)) => number(score).map(Until::Score),
            Some(("pieces", pieces)) => number(pieces).map(Until::Pieces),
            _ => None,
        };
        until.ok_or_else(|| ParseUntilError(text.to_owned()))
    }
}

impl TryFrom<String> for Until {
    type Error = ParseUntilError;

    fn try_from(text: String) -> Result<Until, ParseUntilError> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use maxout_engine::game::HIGHEST_START_LEVEL;
    use maxout_engine::game::level::level_after;

    #[test]
    fn ends_survive_their_text_and_others_are_refused() {
        for text in ["topout", "lines:230", "level:29", "score:999999", "pieces:500", "rebirth", "rebirth:3"] {
            assert_eq!(text.parse::<Until>().map(|until| until.to_string()), Ok(text.to_owned()));
        }
        for text in ["", "maxout", "lines", "lines:0", "level:256", "score:-1", "pieces:1.5", "rebirth:0"] {
            let error = text.parse::<Until>().expect_err(text).to_string();
            assert!(error.contains(&format!("{text:?}")), "{error}");
        }
    }

    #[test]
    fn games_go_far_from_the_first_lines_on_with_which_a_dangerous_level_comes() {
        let dangerous = |lines: u32| {
            let reaches = |start: &u8| level_after(*start, lines as u16) >= FIRST_DANGEROUS_LEVEL;
            (0..=HIGHEST_START_LEVEL).filter(reaches).collect::<Vec<u8>>()
        };
        assert!(dangerous(FIRST_DANGEROUS_LINES - 1).is_empty());
        assert_eq!(dangerous(FIRST_DANGEROUS_LINES), [15, 16, 17, 18, 19]);
        let goes_far = |until| Settings { until, ..Settings::default() }.goes_far();
        let ends = [FIRST_DANGEROUS_LINES - 1, FIRST_DANGEROUS_LINES].map(Until::Lines);
        assert_eq!(ends.map(goes_far), [false, true]);
        assert_eq!([Until::Topout, Until::Score(999_999), Until::Pieces(9_999)].map(goes_far), [false; 3]);
    }

    #[test]
    fn a_clear_pays_by_the_level_after_it_or_the_first_or_by_its_rows_alone() {
        assert_eq!(Scoring::Nes.points(4, 19, 29), 36_000);
        assert_eq!(Scoring::Nes.points(1, 0, 0), 40);
        assert_eq!(Scoring::Flat.points(4, 19, 29), 24_000);
        assert_eq!([1, 2, 3, 4].map(|rows| Scoring::N2.points(rows, 19, 19)), [1, 3, 7, 13]);
    }
}
