//! How the planner moves pieces, and what it may know when.

use std::num::NonZeroU16;

use super::filter::FilterChoice;
use super::think::Think;
use crate::game::Playfield;
use crate::gamepad::{PressStyle, TapRate};
use crate::movegen::{Moves, Start, generate, generate_free};

/// How pieces are moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Input {
    /// [`PressStyle::EvenFrames`]
    EvenFrames,
    /// [`PressStyle::Gamepad`]
    Gamepad,
    /// [`PressStyle::Taps`], at the tap rate of the settings.
    #[default]
    Taps,
    /// No button: the piece's position is written into RAM, one step of its way a frame.
    Drag,
    /// No button: the piece is written onto its goal, and clears are not animated.
    Teleport,
}

impl Input {
    /// Those that press buttons and write nothing into RAM.
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

/// How the search moves pieces.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields, rename_all = "kebab-case"))]
pub struct Settings {
    /// The way to move.
    pub input: Input,
    /// Taps a second of [`Input::Taps`].
    pub tap_rate: TapRate,
    /// Frames after the spawn in which the next box is not yet used; the piece begins on its
    /// way without it, and is planned anew from where it is then.
    pub reaction_frames: u32,
    /// How far the learned player looks ahead; `None` is the default. Of no use to evaluators.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub think: Option<Think>,
    /// Threads that it thinks with; with a fixed number of plies they change no choice. `None` is
    /// one.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub think_threads: Option<NonZeroU16>,
    /// Which placements are refused before the evaluator sees them.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub filter: Option<FilterChoice>,
    /// The score to reach exactly, 1 to 999,999.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", deserialize_with = "target_score"))]
    pub target_score: Option<u32>,
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
            Input::Taps => Some(PressStyle::Taps(self.tap_rate)),
            Input::Drag | Input::Teleport => None,
        }
    }

    /// Every placement within reach of this way to move.
    pub fn moves(&self, playfield: &Playfield, start: &Start, level: u8) -> Moves {
        match self.style() {
            Some(style) => generate(playfield, start, level, style),
            None => generate_free(playfield, start),
        }
    }

    /// What the summary and the views say of it, as in `taps 20 Hz`.
    pub fn describe(&self) -> String {
        let mut text = match self.input {
            Input::Drag => "drag".to_owned(),
            Input::Teleport => "teleport".to_owned(),
            Input::EvenFrames | Input::Gamepad | Input::Taps => self.style().map_or("", PressStyle::name).to_owned(),
        };
        if self.input == Input::Taps {
            text += &format!(" {} Hz", self.tap_rate.hz());
        }
        if self.reaction_frames > 0 {
            text += &format!(", reaction {} frames", self.reaction_frames);
        }
        if let Some(think) = self.think {
            text += &format!(", think {}", think.describe());
        }
        if let Some(filter) = &self.filter {
            text += &format!(", filter {filter}");
        }
        text
    }
}
