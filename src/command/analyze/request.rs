//! What is asked, from flags or from JSON: the position, the player, the play-outs.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use anyhow::anyhow;
use serde::Deserialize;
use serde::de::{Deserializer, Error as _};

use crate::player::flags::reaction_needs_buttons;
use crate::system::failure::Failure;
use maxout_engine::analysis::{Analyst, PlayOuts, Question};
use maxout_engine::game::{Piece, Position};
use maxout_engine::gamepad::Tapping;
use maxout_engine::judge::learned::NetSet;
use maxout_engine::judge::{self, Judge, LEARNED};
use maxout_engine::planner::{Input, Settings, Sight, Think};
use maxout_formats::position::{self, ReadPosition};

/// Games that are played on from each placement, unless something else is asked. Ten pieces of 200 games
/// take about 50 ms on one core, so the ten best placements half a second.
pub(crate) const PLAYOUTS: u32 = 200;
/// Pieces of each of these games, unless something else is asked.
pub(crate) const PIECES: u32 = 10;
/// The most games for each placement.
pub(crate) const MOST_PLAYOUTS: u32 = 100_000;
/// The most pieces of a game that is played on.
pub(crate) const MOST_PIECES: u32 = 1_000;
/// Seed of the play-outs, unless another is asked.
pub(crate) const SEED: u64 = 1;

/// The next piece, as it is asked about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Next {
    /// It is in the next box.
    Known(Piece),
    /// The next box is hidden: the answer is for all pieces that may come.
    Unknown,
}

/// Facts of a position that an input may not tell, and the play-outs. What is given here counts more than
/// what the input tells.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Request {
    /// The playfield as text: a drawing, 200 characters 0 and 1, or hexadecimal of a trace.
    pub playfield: Option<String>,
    /// The falling piece.
    #[serde(deserialize_with = "letter")]
    pub piece: Option<Piece>,
    /// The next piece.
    #[serde(deserialize_with = "next")]
    pub next: Option<Next>,
    /// The level.
    pub level: Option<u8>,
    /// Lines cleared so far.
    pub lines: Option<u16>,
    /// The score; it changes no answer.
    pub score: Option<u32>,
    /// How pieces are moved.
    pub input: Option<Input>,
    /// Tap rate in Hz, or a rhythm.
    pub tap_rate: Option<Tapping>,
    /// Frames before the next box may be used.
    pub reaction_frames: Option<u32>,
    /// Frames after the spawn in which nothing is pressed.
    pub first_press: Option<u32>,
    /// How far to look ahead.
    pub think: Option<Think>,
    /// Games that are played on from each placement.
    pub playouts: Option<u32>,
    /// Pieces of each of them.
    pub pieces: Option<u32>,
    /// Seed of their pieces.
    pub seed: Option<u64>,
    /// Play-outs only for this number of the best placements.
    pub best: Option<usize>,
}

/// Who has to add what is missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AskedBy {
    /// Somebody at the command line: messages name flags.
    Flags,
    /// A program: messages name keys.
    Json,
}

impl Request {
    /// The question about the playfield of this request.
    ///
    /// # Errors
    /// What is wrong or missing, in one line.
    pub(crate) fn question(&self) -> Result<Question, Failure> {
        let text = self.playfield.as_deref().ok_or_else(|| missing("playfield", "the playfield", AskedBy::Json))?;
        self.about(&position::read(text).map_err(Failure::input)?, AskedBy::Json)
    }

    /// The question about a position that was found elsewhere.
    ///
    /// # Errors
    /// What is wrong or missing, in one line.
    pub(crate) fn about(&self, found: &ReadPosition, by: AskedBy) -> Result<Question, Failure> {
        let missing = |name, what| missing(name, what, by);
        let piece = self.piece.or(found.piece).ok_or_else(|| missing("piece", "the falling piece"))?;
        let told = found.next.map(Next::Known).or(found.hides_next.then_some(Next::Unknown));
        let next = self.next.or(told).ok_or_else(|| missing("next", "the next piece"))?;
        let level = self.level.or(found.level).ok_or_else(|| missing("level", "the level"))?;
        let lines = self.lines.or(found.lines).ok_or_else(|| missing("lines", "the number of lines"))?;
        let score = self.score.or(found.score).unwrap_or(0);
        let (next, sight) = match next {
            Next::Known(next) => (next, Sight::WithNext),
            // No answer depends on it.
            Next::Unknown => (Piece::T, Sight::WithoutNext),
        };
        let position = Position { playfield: found.playfield, piece, next, level, lines, score };
        position::check(&position).map_err(Failure::input)?;
        let mut question = Question::at_spawn(position, sight);
        // Buttons that a recording tells are down at the spawn.
        let spawned = found.falling.filter(|falling| falling.piece.orientation.piece() == piece);
        question.falling = spawned.unwrap_or(question.falling);
        question.play_outs = PlayOuts {
            games: checked_playouts(self.playouts.unwrap_or(PLAYOUTS))
                .map_err(|error| Failure::input(anyhow!(error)))?,
            pieces: limited("pieces", self.pieces.unwrap_or(PIECES), 1, MOST_PIECES)?,
            best: self.best.unwrap_or(usize::MAX),
            seed: self.seed.unwrap_or(SEED),
        };
        Ok(question)
    }

    /// What this request says otherwise than the input, a sentence each.
    pub(crate) fn differences(&self, found: &ReadPosition) -> Vec<String> {
        let letter = |piece: Option<Piece>| piece.map(|piece| piece.letter().to_string());
        let next = self.next.map(|next| next.to_string());
        let number = |number: Option<u32>| number.map(|number| number.to_string());
        let facts = [
            ("piece", letter(self.piece), letter(found.piece)),
            ("next", next, letter(found.next).or(found.hides_next.then(|| "unknown".to_owned()))),
            ("level", number(self.level.map(u32::from)), number(found.level.map(u32::from))),
            ("lines", number(self.lines.map(u32::from)), number(found.lines.map(u32::from))),
            ("score", number(self.score), number(found.score)),
        ];
        let said = facts.into_iter().filter_map(|(name, asked, found)| Some((name, asked?, found?)));
        let other = said.filter(|(_, asked, found)| asked != found);
        other.map(|(name, asked, found)| format!("--{name} {asked}: the input says {found}")).collect()
    }

    /// The settings of the player with the values of this request.
    pub(crate) fn player(&self, settings: &Settings) -> Settings {
        let mut settings = settings.clone();
        settings.input = self.input.unwrap_or(settings.input);
        settings.tap_rate = self.tap_rate.unwrap_or(settings.tap_rate);
        settings.reaction_frames = self.reaction_frames.unwrap_or(settings.reaction_frames);
        settings.first_press = self.first_press.unwrap_or(settings.first_press);
        settings.think = self.think.or(settings.think);
        settings
    }
}

/// The player who answers, with the built-in net.
///
/// # Errors
/// Settings that cannot be answered for.
pub(crate) fn analyst(settings: Settings) -> Result<Analyst, Failure> {
    analyst_with(net()?, settings)
}

/// The built-in net.
///
/// # Errors
/// When it cannot be read.
pub(crate) fn net() -> Result<Arc<NetSet>, Failure> {
    match judge::by_name(LEARNED, None).map_err(Failure::run)? {
        Judge::Learned(net) => Ok(net),
        Judge::Handmade(_) => Err(Failure::run(anyhow!("the learned player has no net"))),
    }
}

/// The player who answers, with this net.
///
/// # Errors
/// Settings that cannot be answered for.
pub(crate) fn analyst_with(net: Arc<NetSet>, settings: Settings) -> Result<Analyst, Failure> {
    if settings.input.cheat().is_some() {
        return Err(if settings.reaction_frames > 0 {
            reaction_needs_buttons()
        } else {
            Failure::input(anyhow!(
                "expected an input that presses buttons (taps, gamepad or even-frames), found drag or teleport"
            ))
        });
    }
    if let Some(think @ Think::Time(_)) = settings.think {
        return Err(Failure::input(anyhow!(
            "expected a number of pieces to look ahead, fixed:1 to fixed:5, found {}: the same question has the same \
             answer",
            think.describe()
        )));
    }
    if settings.filter.is_some() || settings.target_score.is_some() {
        return Err(Failure::input(anyhow!("all placements are judged: leave out the filter and the target score")));
    }
    Ok(Analyst::new(net, settings))
}

fn missing(name: &str, what: &str, by: AskedBy) -> Failure {
    Failure::input(match by {
        AskedBy::Flags => anyhow!("the input does not tell {what}: give it with --{name}"),
        AskedBy::Json => anyhow!("the request does not tell {what}: give it as \"{name}\""),
    })
}

fn limited(name: &str, value: u32, least: u32, most: u32) -> Result<u32, Failure> {
    if (least..=most).contains(&value) {
        return Ok(value);
    }
    Err(Failure::input(anyhow!("expected {name} of {least} to {most}, found {value}")))
}

/// No play-outs, or as many as an interval needs.
fn checked_playouts(games: u32) -> Result<u32, String> {
    match games {
        0 | 2..=MOST_PLAYOUTS => Ok(games),
        _ => Err(wrong_playouts(games)),
    }
}

fn wrong_playouts(found: impl fmt::Display) -> String {
    format!("expected playouts of 0 or 2 to {MOST_PLAYOUTS} (one game has no interval), found {found}")
}

/// The number of play-outs in a flag.
pub(crate) fn playouts(text: &str) -> Result<u32, String> {
    checked_playouts(text.parse().map_err(|_| wrong_playouts(format!("{text:?}")))?)
}

/// A piece by its letter.
pub(crate) fn piece(text: &str) -> Result<Piece, String> {
    let found = Piece::ALL.into_iter().find(|piece| text.eq_ignore_ascii_case(&piece.letter().to_string()));
    found.ok_or_else(|| format!("expected a piece T, J, Z, O, S, L or I, found {text:?}"))
}

impl FromStr for Next {
    type Err = String;

    fn from_str(text: &str) -> Result<Next, String> {
        if text == "unknown" {
            return Ok(Next::Unknown);
        }
        piece(text)
            .map(Next::Known)
            .map_err(|_| format!("expected a next piece T, J, Z, O, S, L, I or unknown, found {text:?}"))
    }
}

impl fmt::Display for Next {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Next::Known(piece) => write!(f, "{}", piece.letter()),
            Next::Unknown => f.write_str("unknown"),
        }
    }
}

fn letter<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Piece>, D::Error> {
    let text: Option<String> = Option::deserialize(deserializer)?;
    text.map(|text| piece(&text).map_err(D::Error::custom)).transpose()
}

fn next<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Next>, D::Error> {
    let text: Option<String> = Option::deserialize(deserializer)?;
    text.map(|text| text.parse().map_err(D::Error::custom)).transpose()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAYFIELD: &str = "#########.\n#########.\n";

    fn asked(json: &str) -> Result<Question, String> {
        let request: Request = serde_json::from_str(json).map_err(|error| error.to_string())?;
        request.question().map_err(|failure| failure.line())
    }

    fn with(more: &str) -> String {
        let playfield = PLAYFIELD.replace('\n', "\\n");
        format!("{{\"playfield\": \"{playfield}\", \"piece\": \"T\", \"next\": \"I\"{more}}}")
    }

    #[test]
    fn a_request_in_json_is_a_question() {
        let json = with(", \"level\": 19, \"lines\": 60, \"playouts\": 7, \"tap_rate\": 12, \"think\": \"fixed:2\"");
        let question = asked(&json).unwrap();
        assert_eq!((question.position.piece, question.position.next), (Piece::T, Piece::I));
        assert_eq!((question.position.level, question.position.lines, question.position.score), (19, 60, 0));
        assert_eq!((question.sight, question.play_outs.games, question.play_outs.pieces), (Sight::WithNext, 7, PIECES));
        let request: Request = serde_json::from_str(&json).unwrap();
        let settings = request.player(&Settings::default());
        assert_eq!((settings.tap_rate.to_string().as_str(), settings.think), ("12", Some(Think::Plies(2))));
        let unknown = asked(&json.replace("\"next\": \"I\"", "\"next\": \"unknown\"")).unwrap();
        assert_eq!(unknown.sight, Sight::WithoutNext);
        // The text of a playfield may say it, too, and what is asked counts more.
        let playfield = PLAYFIELD.replace('\n', "\\n");
        let hidden =
            format!("{{\"playfield\": \"{playfield}next unknown\", \"piece\": \"T\", \"level\": 19, \"lines\": 60}}");
        assert_eq!(asked(&hidden).unwrap().sight, Sight::WithoutNext);
        let found = position::read(&format!("{PLAYFIELD}next unknown")).unwrap();
        let request = Request { next: Some(Next::Known(Piece::I)), ..Request::default() };
        assert_eq!(request.differences(&found), ["--next I: the input says unknown"]);
    }

    #[test]
    fn what_is_missing_or_impossible_is_named() {
        for (json, words) in [
            ("{}".to_owned(), "does not tell the playfield: give it as \"playfield\""),
            (with(""), "does not tell the level: give it as \"level\""),
            (with(", \"level\": 19"), "does not tell the number of lines: give it as \"lines\""),
            (with(", \"level\": 18, \"lines\": 290"), "level 18 after 290 lines"),
            (with(", \"level\": 25, \"lines\": 100"), "level 25 after 100 lines"),
            (with(", \"level\": 19, \"lines\": 60, \"pieces\": 0"), "pieces of 1 to 1000, found 0"),
            (with(", \"level\": 19, \"lines\": 60, \"score\": 1000000"), "score 1000000: expected at most 999999"),
            (with(", \"level\": 256"), "256"),
            (with(", \"taps\": 3"), "unknown field `taps`"),
            (
                with(", \"piece\": \"X\"").replace("\"piece\": \"T\", ", ""),
                "expected a piece T, J, Z, O, S, L or I, found \"X\"",
            ),
        ] {
            let error = asked(&json).unwrap_err();
            assert!(error.contains(words), "{json}: {error}");
        }
    }

    #[test]
    fn a_player_that_cannot_be_answered_for_is_refused() {
        for (settings, words) in [
            (Settings { input: Input::Drag, ..Settings::default() }, "found drag or teleport"),
            (Settings { think: "10".parse().ok(), ..Settings::default() }, "found 10 ms"),
            (Settings { target_score: Some(5), ..Settings::default() }, "target score"),
        ] {
            let Err(failure) = analyst(settings) else { panic!("{words}") };
            assert!(failure.line().contains(words), "{}", failure.line());
        }
    }
}
