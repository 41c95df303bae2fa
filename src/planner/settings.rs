//! How the planner moves pieces, and what it may know when.

use serde::{Deserialize, Serialize};

use crate::gamepad::{PressStyle, TapRate};

/// How pieces are moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Input {
    /// [`PressStyle::EvenFrames`]
    #[default]
    EvenFrames,
    /// [`PressStyle::Gamepad`]
    Gamepad,
    /// [`PressStyle::Taps`], at the tap rate of the settings.
    Taps,
}

impl Input {
    /// All of them.
    pub const ALL: [Input; 3] = [Input::EvenFrames, Input::Gamepad, Input::Taps];
}

/// How the search moves pieces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Settings {
    /// The way to move.
    pub input: Input,
    /// Taps a second of [`Input::Taps`].
    pub tap_rate: TapRate,
    /// Frames after the spawn in which the next box is not yet used; the piece begins on its
    /// way without it, and is planned anew from where it is then.
    pub reaction_frames: u32,
}

impl Settings {
    /// The press style of the movement search.
    pub fn style(&self) -> PressStyle {
        match self.input {
            Input::EvenFrames => PressStyle::EvenFrames,
            Input::Gamepad => PressStyle::Gamepad,
            Input::Taps => PressStyle::Taps(self.tap_rate),
        }
    }

    /// What the summary and the views say of it, as in `taps 20 Hz`.
    pub fn describe(&self) -> String {
        let mut text = self.style().name().to_owned();
        if self.input == Input::Taps {
            text += &format!(" {} Hz", self.tap_rate.hz());
        }
        if self.reaction_frames > 0 {
            text += &format!(", reaction {} frames", self.reaction_frames);
        }
        text
    }
}
