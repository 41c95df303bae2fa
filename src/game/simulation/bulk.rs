//! Many frames at once.

use super::Simulation;
use crate::gamepad::Buttons;

impl Simulation {
    /// Advances `frames` frames with the same buttons down.
    pub fn advance(&mut self, buttons: Buttons, frames: u32) {
        for _ in 0..frames {
            self.step(buttons);
        }
    }
}
