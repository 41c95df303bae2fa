//! How the planner moves pieces, when it may use the next box, and what limits its choice.

use std::num::NonZeroU16;

use super::aim::Aim;
use super::dodging::Dodging;
use super::filter::FilterChoice;
use super::rng::RngUse;
use super::think::Think;
use crate::game::crash::{Crashes, FIRST_DANGEROUS_LEVEL};
use crate::game::{Gravity, Playfield, Ruleset};
use crate::gamepad::{PressStyle, Tapping};
use crate::movegen::{Moves, Start, generate, generate_free, generate_waiting};

/// From this level on a plan says how long the pass takes that scores its lock: a round number a little below
/// level 133, at which the first slow frame was seen.
const FIRST_TIMED_LEVEL: u8 = 130;

/// The way to move pieces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Input {
    /// [`PressStyle::EvenFrames`]
    EvenFrames,
    /// [`PressStyle::Gamepad`]
    Gamepad,
    /// [`PressStyle::Taps`], [`PressStyle::Rhythm`] or [`PressStyle::Gaps`], by the tap rate of the settings.
    #[default]
    Taps,
    /// No button: the piece's position is written into RAM, one step of its way a frame.
    Drag,
    /// No button: the piece is written onto its goal, and clears are not animated.
    Teleport,
}

impl Input {
    /// The inputs that press buttons and write nothing into RAM.
    pub const HONEST: [Input; 3] = [Input::EvenFrames, Input::Gamepad, Input::Taps];

    /// How it cheats, in words; `None` for an honest input.
    pub const fn cheat(self) -> Option<&'static str> {
        match self {
            Input::EvenFrames | Input::Gamepad | Input::Taps => None,
            Input::Drag => Some("drag writes RAM"),
            Input::Teleport => Some("teleport writes RAM"),
        }
    }
}

/// The planner's settings.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields, rename_all = "kebab-case"))]
pub struct Settings {
    /// The way to move.
    pub input: Input,
    /// When the taps of [`Input::Taps`] come.
    pub tap_rate: Tapping,
    /// The rules that are played. They belong to the game, so a settings file does not say them here.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub rules: Ruleset,
    /// Lines with which the game ends, so that nothing after them counts; `None` where it goes on until the
    /// topout. It belongs to the game, too.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub last_line: Option<u16>,
    /// Can the game crash? It belongs to the console, too.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub crashes: Crashes,
    /// Does the player keep it from crashing?
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Dodging::is_auto"))]
    pub dodge: Dodging,
    /// Does the player read the game's piece generator?
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "RngUse::is_honest"))]
    pub rng: RngUse,
    /// What the learned player plays for. Evaluators ignore it.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Aim::is_mean"))]
    pub aim: Aim,
    /// Frames after the spawn in which the next box is not yet used: the piece is first moved
    /// without it, then planned again from where it is.
    pub reaction_frames: u32,
    /// Frames after the spawn in which nothing is pressed.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "is_zero"))]
    pub first_press: u32,
    /// How far the learned player looks ahead; `None` is the default. Evaluators ignore it.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub think: Option<Think>,
    /// Number of threads with which the learned player looks ahead; `None` is one. With a fixed
    /// number of plies it does not change any choice.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub think_threads: Option<NonZeroU16>,
    /// The filter, which refuses placements before they are judged.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub filter: Option<FilterChoice>,
    /// The score to reach exactly, 1 to 999,999.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", deserialize_with = "target_score"))]
    pub target_score: Option<u32>,
}

#[cfg(feature = "serde")]
fn is_zero(frames: &u32) -> bool {
    *frames == 0
}

#[cfg(feature = "serde")]
fn target_score<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<u32>, D::Error> {
    use crate::game::MAXOUT;
    use serde::de::Error as _;

    let score: u64 = serde::Deserialize::deserialize(deserializer)?;
    let valid = u32::try_from(score).ok().filter(|score| (1..=MAXOUT).contains(score));
    valid.map(Some).ok_or_else(|| D::Error::custom(format!("a target score is 1 to {MAXOUT}, not {score}")))
}

impl Settings {
    /// The press style of the movement search; `None` where no button moves the piece.
    pub fn style(&self) -> Option<PressStyle> {
        match self.input {
            Input::EvenFrames => Some(PressStyle::EvenFrames),
            Input::Gamepad => Some(PressStyle::Gamepad),
            Input::Taps => Some(self.tap_rate.style()),
            Input::Drag | Input::Teleport => None,
        }
    }

    /// The gravity of a level by the rules that are played.
    pub fn gravity(&self, level: u8) -> Gravity {
        self.rules.gravity(level)
    }

    /// Do plans at this level say how long the pass takes that scores their lock?
    pub fn times_locks(&self, level: u8) -> bool {
        self.can_crash() && level >= FIRST_TIMED_LEVEL
    }

    /// Can the game that is played crash or hang?
    pub(super) fn can_crash(&self) -> bool {
        self.crashes == Crashes::On && self.rules.is_original()
    }

    /// May a lock at this level, before it, crash or hang the game, and does the player dodge? A player with a target
    /// score does not: no game comes to that level with at most 999,999 points. The fewest, by singles alone, are more
    /// than four million.
    pub(super) fn dodges(&self, level: u8) -> bool {
        // The lock may raise the level.
        let is_dangerous = self.can_crash() && level >= FIRST_DANGEROUS_LEVEL - 1;
        is_dangerous && self.dodge == Dodging::Auto && self.target_score.is_none()
    }

    /// Why a game with these settings is not honest, marked as such: `CHEATS: drag writes RAM`, `NOT HONEST: reads the
    /// generator`. `None` for an honest one.
    pub fn mark(&self) -> Option<String> {
        let cheat = self.input.cheat().map(|cheat| format!("CHEATS: {cheat}"));
        cheat.or_else(|| self.rng.not_honest().map(|why| format!("NOT HONEST: {why}")))
    }

    /// Every placement that can be reached from `start` with this way to move.
    pub fn moves(&self, playfield: &Playfield, start: &Start, level: u8) -> Moves {
        match self.style() {
            Some(style) => generate(playfield, start, self.gravity(level), style),
            None => generate_free(playfield, start),
        }
    }

    /// The same without pushdown, as a hand moves the piece that waits for the next box.
    pub(super) fn moves_waiting(&self, playfield: &Playfield, start: &Start, level: u8) -> Moves {
        match self.style() {
            Some(style) => generate_waiting(playfield, start, self.gravity(level), style),
            None => generate_free(playfield, start),
        }
    }

    /// The settings for people, as in `taps 20 Hz` or `taps X....`.
    pub fn describe(&self) -> String {
        let mut text = match self.input {
            Input::Drag => "drag".to_owned(),
            Input::Teleport => "teleport".to_owned(),
            Input::EvenFrames | Input::Gamepad | Input::Taps => self.style().map_or("", PressStyle::name).to_owned(),
        };
        if self.input == Input::Taps {
            text += &format!(" {}", self.tap_rate.describe());
        }
        if self.reaction_frames > 0 {
            text += &format!(", reaction {} frames", self.reaction_frames);
        }
        if self.first_press > 0 {
            text += &format!(", first press after {} frames", self.first_press);
        }
        if let Some(think) = self.think {
            text += &format!(", think {}", think.describe());
        }
        if !self.aim.is_mean() {
            text += &format!(", aim {}", self.aim);
        }
        if !self.rng.is_honest() {
            text += &format!(", rng {}", self.rng);
        }
        if let Some(filter) = &self.filter {
            text += &format!(", filter {filter}");
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::MAXOUT;
    use crate::game::scoring::{Progress, clear_points};

    #[test]
    fn no_game_with_a_target_score_comes_to_a_level_that_can_crash() {
        for start_level in 0..20 {
            let (mut progress, mut points) = (Progress::from_lines(start_level, 0), 0);
            while progress.level < FIRST_DANGEROUS_LEVEL - 1 {
                // A line is paid least by a single.
                progress.count_a_type(1);
                points += clear_points(1, progress.level);
            }
            assert!(points > 4 * MAXOUT, "{points} points from level {start_level}");
        }
    }
}
