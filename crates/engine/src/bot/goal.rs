//! When a run is over.

use std::fmt;
use std::str::FromStr;

use super::outcome::Outcome;
use crate::game::MAXOUT;

/// What a run plays for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "String", into = "String"))]
pub enum Goal {
    /// The score shows 999,999.
    #[default]
    Maxout,
    /// The game tops out.
    Topout,
    /// This level is reached.
    Level(u8),
    /// This number of lines is cleared.
    Lines(u32),
    /// This number of pieces has locked.
    Pieces(u32),
    /// The score is exactly this.
    Score(u32),
    /// This number of frames has run since power-on.
    Frames(u64),
    /// The level has gone from 255 to 0 this often.
    Rebirth(u32),
    /// This number of games is over: topped out or crashed.
    Games(u32),
}

/// The most lines that a goal can name: the game's counter of lines goes back to 0 after them (`$71` counts hundreds in one byte).
const MOST_LINES: u32 = 25_599;

/// How far a game is, as far as goals ask for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Standing {
    /// Has the game begun? Before, RAM may hold anything.
    pub has_begun: bool,
    /// Frames since power-on.
    pub frames: u64,
    /// Pieces that locked.
    pub pieces: u32,
    /// Lines cleared.
    pub lines: u16,
    /// Level.
    pub level: u8,
    /// How often the level has gone from 255 to 0.
    pub rebirths: u32,
    /// Score as the game shows it.
    pub score: u32,
    /// Has it topped out?
    pub is_topped_out: bool,
    /// Games that are over.
    pub games: u32,
}

impl Goal {
    /// How a game that has come this far has ended for this goal; `None` while it goes on.
    pub fn outcome(self, standing: &Standing) -> Option<Outcome> {
        if self.is_reached(standing) {
            Some(Outcome::Goal)
        } else if standing.is_topped_out && !self.plays_on() {
            Some(Outcome::Topout)
        } else {
            matches!(self, Goal::Score(score) if standing.has_begun && standing.score > score)
                .then_some(Outcome::Overshoot)
        }
    }

    /// What came of this goal, in words: `lines:20 reached`, `topout before lines:20`.
    pub fn result(self, outcome: Outcome) -> String {
        match outcome {
            Outcome::Goal => format!("{self} reached"),
            Outcome::Topout => format!("topout before {self}"),
            Outcome::Overshoot => format!("overshoot of {self}"),
            Outcome::Stuck(_) => format!("stuck before {self}"),
            Outcome::Stopped => format!("stopped before {self}"),
        }
    }

    /// Does the run go on after a topout or a crash, with another game?
    pub const fn plays_on(self) -> bool {
        matches!(self, Goal::Games(_))
    }

    fn is_reached(self, standing: &Standing) -> bool {
        match self {
            Goal::Frames(frames) => standing.frames >= frames,
            Goal::Games(games) => standing.games >= games,
            _ if !standing.has_begun => false,
            Goal::Maxout => standing.score >= MAXOUT,
            Goal::Topout => standing.is_topped_out,
            Goal::Level(level) => standing.level >= level,
            Goal::Lines(lines) => u32::from(standing.lines) >= lines,
            Goal::Pieces(pieces) => standing.pieces >= pieces,
            Goal::Score(score) => standing.score == score,
            Goal::Rebirth(times) => standing.rebirths >= times,
        }
    }
}

impl fmt::Display for Goal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Goal::Maxout => f.write_str("maxout"),
            Goal::Topout => f.write_str("topout"),
            Goal::Level(level) => write!(f, "level:{level}"),
            Goal::Lines(lines) => write!(f, "lines:{lines}"),
            Goal::Pieces(pieces) => write!(f, "pieces:{pieces}"),
            Goal::Score(score) => write!(f, "score:{score}"),
            Goal::Frames(frames) => write!(f, "frames:{frames}"),
            Goal::Rebirth(1) => f.write_str("rebirth"),
            Goal::Rebirth(times) => write!(f, "rebirth:{times}"),
            Goal::Games(games) => write!(f, "games:{games}"),
        }
    }
}

impl From<Goal> for String {
    fn from(goal: Goal) -> String {
        goal.to_string()
    }
}

/// Text that names no goal.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "expected maxout, topout, level:N (N from 1 to 255), lines:N (to {MOST_LINES}), score:N (to {MAXOUT}), frames:N, pieces:N, games:N, rebirth or \
     rebirth:N (to {}), found {found:?}",
    u32::MAX
)]
pub struct ParseGoalError {
    found: String,
}

impl FromStr for Goal {
    type Err = ParseGoalError;

    fn from_str(text: &str) -> Result<Goal, ParseGoalError> {
        fn number<T: FromStr + PartialOrd + From<u8>>(text: &str) -> Option<T> {
            text.parse().ok().filter(|number| *number >= T::from(1))
        }
        let goal = match text.split_once(':') {
            None if text == "maxout" => Some(Goal::Maxout),
            None if text == "topout" => Some(Goal::Topout),
            None if text == "rebirth" => Some(Goal::Rebirth(1)),
            Some(("rebirth", times)) => number(times).map(Goal::Rebirth),
            Some(("level", level)) => number(level).map(Goal::Level),
            Some(("lines", lines)) => number(lines).filter(|&lines| lines <= MOST_LINES).map(Goal::Lines),
            Some(("pieces", pieces)) => number(pieces).map(Goal::Pieces),
            Some(("score", score)) => number(score).filter(|&score| score <= MAXOUT).map(Goal::Score),
            Some(("frames", frames)) => number(frames).map(Goal::Frames),
            Some(("games", games)) => number(games).map(Goal::Games),
            _ => None,
        };
        goal.ok_or_else(|| ParseGoalError { found: text.to_owned() })
    }
}

impl TryFrom<String> for Goal {
    type Error = ParseGoalError;

    fn try_from(text: String) -> Result<Goal, ParseGoalError> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bot::stuck::{Cause, Stuck};

    #[test]
    fn goals_survive_their_text_and_others_are_refused() {
        for text in [
            "maxout",
            "topout",
            "level:29",
            "lines:230",
            "pieces:500",
            "score:12345",
            "frames:70000",
            "rebirth",
            "rebirth:2",
            "games:3",
        ] {
            assert_eq!(text.parse::<Goal>().map(|goal| goal.to_string()), Ok(text.to_owned()));
        }
        for text in [
            "",
            "max",
            "level",
            "level:",
            "level:0",
            "level:256",
            "lines:-1",
            "frames:1.5",
            "maxout:1",
            "score:1000000",
            "lines:25600",
            "rebirth:",
            "rebirth:0",
            "games",
            "games:0",
        ] {
            let error = text.parse::<Goal>().expect_err(text).to_string();
            assert!(error.contains(&format!("{text:?}")), "{error}");
        }
    }

    #[test]
    fn what_ram_holds_before_the_game_reaches_no_goal() {
        let before = Standing {
            has_begun: false,
            frames: 8,
            pieces: 9,
            lines: 6642,
            level: 66,
            rebirths: 3,
            score: 424_242,
            is_topped_out: false,
            games: 0,
        };
        for text in ["lines:4", "level:20", "pieces:9", "score:424242", "score:7", "rebirth:3"] {
            let goal: Goal = text.parse().expect("a goal");
            assert_eq!(goal.outcome(&before), None, "{text}");
            assert!(goal.outcome(&Standing { has_begun: true, ..before }).is_some(), "{text}");
        }
        assert_eq!(Goal::Frames(8).outcome(&before), Some(Outcome::Goal));
    }

    #[test]
    fn a_goal_is_reached_at_its_number_and_not_before() {
        let game = Standing { has_begun: true, ..Standing::default() };
        for (text, before, at) in [
            ("maxout", Standing { score: 999_998, ..game }, Standing { score: 999_999, ..game }),
            ("topout", game, Standing { is_topped_out: true, ..game }),
            ("level:29", Standing { level: 28, ..game }, Standing { level: 29, ..game }),
            ("lines:230", Standing { lines: 229, ..game }, Standing { lines: 230, ..game }),
            ("pieces:500", Standing { pieces: 499, ..game }, Standing { pieces: 500, ..game }),
            ("rebirth:2", Standing { rebirths: 1, level: 255, ..game }, Standing { rebirths: 2, ..game }),
            ("score:12345", Standing { score: 12_344, ..game }, Standing { score: 12_345, ..game }),
            ("frames:70000", Standing { frames: 69_999, ..game }, Standing { frames: 70_000, ..game }),
        ] {
            let goal: Goal = text.parse().expect("a goal");
            assert_eq!((goal.outcome(&before), goal.outcome(&at)), (None, Some(Outcome::Goal)), "{text}");
            if text != "topout" {
                let over = Standing { is_topped_out: true, ..before };
                assert_eq!(goal.outcome(&over), Some(Outcome::Topout), "{text}");
            }
        }
        let over = Standing { is_topped_out: true, games: 1, ..game };
        assert_eq!(Goal::Games(2).outcome(&over), None, "a topout is no end");
        let over = Standing { has_begun: false, games: 2, ..game };
        assert_eq!(Goal::Games(2).outcome(&over), Some(Outcome::Goal), "also where RAM shows no game");
        let past = Standing { score: 12_346, ..game };
        assert_eq!(Goal::Score(12_345).outcome(&past), Some(Outcome::Overshoot));
        assert_eq!(Goal::Score(12_345).outcome(&Standing { has_begun: false, ..past }), None);
    }

    #[test]
    fn a_result_is_said_with_its_goal() {
        let stuck = Stuck { frame: 1, cause: Cause::Processor };
        for (outcome, words) in [
            (Outcome::Goal, "lines:20 reached"),
            (Outcome::Topout, "topout before lines:20"),
            (Outcome::Overshoot, "overshoot of lines:20"),
            (Outcome::Stuck(stuck), "stuck before lines:20"),
            (Outcome::Stopped, "stopped before lines:20"),
        ] {
            assert_eq!(Goal::Lines(20).result(outcome), words);
        }
        assert_eq!(String::from(Goal::Lines(20)), "lines:20");
        assert_eq!(Goal::try_from("lines:20".to_owned()), Ok(Goal::Lines(20)));
        assert!(Goal::try_from("lines".to_owned()).is_err());
    }
}
