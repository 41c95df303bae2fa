//! The demo: a game with buttons and pieces from a table in ROM. The steps are those of the original.

use super::demo_table::DEMO_ADDRESS;
use super::model::Simulation;
use super::task::Screen;
use crate::game::Orientation;
use crate::game::memory::address::{
    DEMO_HELD_BUTTONS, DEMO_INDEX, DEMO_POINTER, DEMO_REPEATS, FRAME_COUNTER, GAME_MODE, HELD_BUTTONS, NEW_BUTTONS,
};
use crate::game::memory::{GameMode, RenderMode};
use crate::game::piece::Piece;
use crate::gamepad::Buttons;

/// Where the pieces begin in the table.
const PIECES: usize = 0x200;
/// Buttons that end the demo: all of them cannot be meant.
const END: u8 = 0xFF;

impl Simulation {
    /// Does the demo play?
    pub(super) fn in_demo(&self) -> bool {
        self.ram[GAME_MODE] == GameMode::Demo.byte()
    }

    /// The demo's part of the interrupt: buttons from the table in place of the gamepad's.
    pub(super) fn poll_demo(&mut self, gamepad: Buttons) {
        let pointer = u16::from_le_bytes([self.ram[DEMO_POINTER], self.ram[DEMO_POINTER + 1]]);
        let next = pointer.wrapping_add(2).to_le_bytes();
        if self.render_mode() != Some(RenderMode::Play) {
            // Before the game is set up the pointer leads into RAM, where no buttons are.
            [self.ram[DEMO_POINTER], self.ram[DEMO_POINTER + 1]] = next;
            return;
        }
        let held_before = Buttons::from_bits(self.ram[DEMO_HELD_BUTTONS]);
        if gamepad.contains(Buttons::START) {
            self.demo_over = true;
            return;
        }
        if self.ram[DEMO_REPEATS] > 0 {
            self.ram[DEMO_REPEATS] -= 1;
        } else {
            let at = usize::from(pointer.wrapping_sub(DEMO_ADDRESS));
            let entry = self.demo.get(at..at + 2).map_or([END, 0], |pair| [pair[0], pair[1]]);
            if entry[0] == END {
                self.demo_over = true;
                return;
            }
            [self.ram[DEMO_HELD_BUTTONS], self.ram[DEMO_REPEATS]] = entry;
            [self.ram[DEMO_POINTER], self.ram[DEMO_POINTER + 1]] = next;
        }
        let held = Buttons::from_bits(self.ram[DEMO_HELD_BUTTONS]);
        self.ram[HELD_BUTTONS] = held.bits();
        self.ram[NEW_BUTTONS] = held.newly_pressed(held_before).bits();
    }

    /// The demo's next piece. The random generator and the count of draws stay as they are.
    pub(super) fn demo_piece(&mut self) -> Orientation {
        let index = self.ram[DEMO_INDEX];
        self.ram[DEMO_INDEX] = index.wrapping_add(1);
        let number = usize::from(self.demo[PIECES + usize::from(index)] >> 4 & 7);
        // The table has no eighth piece.
        Piece::ALL.get(number).copied().unwrap_or(Piece::T).spawn()
    }

    /// Back to the title.
    pub(super) fn end_demo(&mut self) {
        self.demo_over = false;
        self.set_game_mode(GameMode::Title);
        self.ram[FRAME_COUNTER + 1] = 0;
        self.enter(Screen::Title);
    }
}
