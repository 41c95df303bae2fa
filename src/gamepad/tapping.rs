//! Press styles: which buttons may go down in which frames, all at 30 Hz.

use serde::{Deserialize, Serialize};

/// How the buttons are pressed.
///
/// Every style presses a given button at most every second frame and never opposite
/// directions, so that a real gamepad could be handled like this.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PressStyle {
    /// On even frames, counted from the first control frame, one of Left, Right, A, B or
    /// nothing; on odd frames nothing. On the plateau (levels 19-28) that is one press for
    /// every row the piece falls. Once in place, the piece may be pushed down.
    #[default]
    EvenFrames,
    /// A shift and a rotation may share a frame; each may come every second frame, on even or
    /// odd frames alike. Down is held for three frames at least, from when on it drops the
    /// piece every second frame, and no shift goes with it.
    Gamepad,
}

impl PressStyle {
    /// All styles.
    pub const ALL: [PressStyle; 2] = [PressStyle::EvenFrames, PressStyle::Gamepad];

    /// Its name on the command line and in files.
    pub const fn name(self) -> &'static str {
        match self {
            PressStyle::EvenFrames => "even-frames",
            PressStyle::Gamepad => "gamepad",
        }
    }

    /// May a button go down in this frame, counted from the first control frame?
    pub const fn may_press(self, control_frame: u32) -> bool {
        match self {
            PressStyle::EvenFrames => control_frame.is_multiple_of(2),
            PressStyle::Gamepad => true,
        }
    }
}
