//! The vertical-blank interrupt that begins a frame.

use super::Simulation;
use super::address::*;
use crate::gamepad::Buttons;

/// `vramRow` when all rows have been sent to the screen.
pub(super) const ALL_SENT: u8 = 0x20;
/// Rows sent to the screen by one interrupt.
const ROWS_PER_FRAME: u8 = 4;
/// Lines, level, score and statistics in `renderFlags`.
pub(super) const GAME_FLAGS: u8 = 0x47;
/// The name's letter in `renderFlags`.
const NAME_FLAG: u8 = 0x80;
/// Steps of the clear animation.
pub(super) const ANIMATION_STEPS: u8 = 5;

impl Simulation {
    pub(super) fn interrupt(&mut self, buttons: Buttons) {
        match self.ram[RENDER_MODE] {
            3 => self.render_game(),
            2 => self.ram[RENDER_FLAGS] &= !NAME_FLAG,
            _ => {}
        }
        self.ram[SLEEP_COUNTER] = self.ram[SLEEP_COUNTER].saturating_sub(1);
        self.add_to_frame_counter(1);
        self.clock_randomizer();
        let held_before = self.held();
        self.ram[PRESSED] = buttons.newly_pressed(held_before).bits();
        self.ram[HELD] = buttons.bits();
    }

    /// Moves the frame counter and the random number generator by so many frames.
    pub(super) fn count_frames(&mut self, frames: u16) {
        self.add_to_frame_counter(frames);
        [self.ram[RNG], self.ram[RNG + 1]] = self.randomizer().clocked_times(frames).to_bytes();
    }

    fn add_to_frame_counter(&mut self, frames: u16) {
        let counter = u16::from_le_bytes([self.ram[FRAME_COUNTER], self.ram[FRAME_COUNTER + 1]]);
        [self.ram[FRAME_COUNTER], self.ram[FRAME_COUNTER + 1]] = counter.wrapping_add(frames).to_le_bytes();
    }

    pub(super) fn clock_randomizer(&mut self) {
        [self.ram[RNG], self.ram[RNG + 1]] = self.randomizer().clocked().to_bytes();
    }

    fn render_game(&mut self) {
        if self.ram[PLAY_STATE] == 4 {
            self.animate_clear();
        } else {
            self.send_rows();
        }
        self.ram[RENDER_FLAGS] &= !GAME_FLAGS;
    }

    /// Sends up to four playfield rows to the screen.
    pub(super) fn send_rows(&mut self) {
        let row = self.ram[VRAM_ROW];
        let sent = rows_sent(row);
        self.ram[VRAM_ROW] = sent;
        // The interrupt uses the working copy as its scratch.
        self.ram[WORK + VRAM_ROW - PLAYER] = sent;
    }

    /// Wipes two more columns of the completed rows, every fourth frame of the counter.
    fn animate_clear(&mut self) {
        if self.ram[FRAME_COUNTER] & 3 == 0 {
            self.ram[ROW_Y] = self.ram[ROW_Y].wrapping_add(1);
            if self.ram[ROW_Y] == ANIMATION_STEPS {
                self.ram[PLAY_STATE] = 5;
            }
        }
        self.ram[VRAM_ROW] = 0;
    }
}

/// `vramRow` after an interrupt that found it at `row`.
pub(super) fn rows_sent(row: u8) -> u8 {
    if row == ALL_SENT {
        return ALL_SENT;
    }
    let mut row = row;
    for _ in 0..ROWS_PER_FRAME {
        // The game compares signed numbers.
        if (row as i8) <= 20 {
            row = row.wrapping_add(1);
            if (row as i8) >= 20 {
                row = ALL_SENT;
            }
        }
    }
    row
}

/// Must a state that waits for the screen wait once more?
pub(super) fn must_wait(vram_row: u8) -> bool {
    (vram_row as i8) < ALL_SENT as i8
}
