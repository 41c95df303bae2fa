//! The falling piece at the moment of planning.

use std::iter;

use crate::game::control::FallingPiece;
use crate::game::{Position, Ruleset};
use crate::gamepad::Buttons;

/// A falling piece at a sample, before its next control frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Falling {
    /// The piece and its counters.
    pub piece: FallingPiece,
    /// Buttons down in the frame of the sample.
    pub held: Buttons,
    /// Number of the next control frame; 0 is the frame after the spawn.
    pub control_frame: u32,
}

impl Falling {
    /// The piece after these frames, none of which may land it, under the gravity of these rules.
    pub fn after(&self, position: &Position, frames: &[Buttons], rules: Ruleset) -> Falling {
        let gravity = rules.gravity(position.level);
        let mut piece = self.piece;
        let held_before = iter::once(&self.held).chain(frames);
        for (&buttons, &before) in frames.iter().zip(held_before) {
            piece.step(&position.playfield, buttons, buttons.newly_pressed(before), gravity);
        }
        Falling {
            piece,
            held: frames.last().copied().unwrap_or(self.held),
            control_frame: self.control_frame + frames.len() as u32,
        }
    }
}
