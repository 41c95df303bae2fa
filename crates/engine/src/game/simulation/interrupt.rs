//! The vertical-blank interrupt that begins a frame.

use super::model::Simulation;
use crate::game::memory::address::{
    FRAME_COUNTER, HELD_BUTTONS, HELD_BUTTONS_2, NEW_BUTTONS, PLAYER, POLLED_BUTTONS, RENDER_FLAGS, RNG, ROW_Y,
    SLEEP_COUNTER, VRAM_ROW, WORKING_COPY,
};
use crate::game::memory::{ALL_ROWS_SENT, ANIMATION_STEPS, PlayState, RenderMode, render_flag};
use crate::game::playfield::ROWS;
use crate::game::timing::ROWS_SENT_PER_FRAME;
use crate::gamepad::Buttons;

/// The clear animation advances in the frames whose counter is divisible by this.
pub(super) const FRAMES_PER_ANIMATION_STEP: u8 = 4;

impl Simulation {
    pub(super) fn interrupt(&mut self, buttons: Buttons) {
        match self.render_mode() {
            Some(RenderMode::Play) => self.render_game(),
            Some(RenderMode::NameEntry) => self.ram[RENDER_FLAGS] &= !render_flag::NAME,
            _ => {}
        }
        self.ram[SLEEP_COUNTER] = self.ram[SLEEP_COUNTER].saturating_sub(1);
        self.add_to_frame_counter(1);
        self.clock_randomizer();
        let held_before = self.held();
        self.ram[NEW_BUTTONS] = buttons.newly_pressed(held_before).bits();
        self.ram[HELD_BUTTONS] = buttons.bits();
        self.ram[POLLED_BUTTONS] = self.ram[HELD_BUTTONS];
        self.ram[POLLED_BUTTONS + 1] = self.ram[HELD_BUTTONS_2];
        if self.in_demo() {
            self.poll_demo(buttons);
        }
    }

    /// Moves the frame counter and the random number generator by `frames` frames.
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
        if self.play_state() == Some(PlayState::ClearAnimation) {
            self.animate_clear();
        } else {
            self.send_rows();
        }
        self.ram[RENDER_FLAGS] &= !render_flag::GAME;
    }

    /// Sends up to four playfield rows to the screen.
    pub(super) fn send_rows(&mut self) {
        let row = self.ram[VRAM_ROW];
        let sent = rows_sent(row);
        self.ram[VRAM_ROW] = sent;
        // The interrupt keeps its scratch in the working copy.
        self.ram[WORKING_COPY + VRAM_ROW - PLAYER] = sent;
    }

    /// Removes two more columns of the completed rows in every fourth frame of the counter.
    fn animate_clear(&mut self) {
        if self.ram[FRAME_COUNTER].is_multiple_of(FRAMES_PER_ANIMATION_STEP) {
            self.ram[ROW_Y] = self.ram[ROW_Y].wrapping_add(1);
            if self.ram[ROW_Y] == ANIMATION_STEPS {
                self.set_play_state(PlayState::Score);
            }
        }
        self.ram[VRAM_ROW] = 0;
    }
}

/// `vramRow` after an interrupt that found it at `row`.
pub(super) fn rows_sent(row: u8) -> u8 {
    if row == ALL_ROWS_SENT {
        return ALL_ROWS_SENT;
    }
    let mut row = row;
    for _ in 0..ROWS_SENT_PER_FRAME {
        // The game compares signed numbers.
        if (row as i8) <= ROWS as i8 {
            row = row.wrapping_add(1);
            if (row as i8) >= ROWS as i8 {
                row = ALL_ROWS_SENT;
            }
        }
    }
    row
}

/// Does a play state that waits for the screen have to wait for another frame?
pub(super) fn must_wait(vram_row: u8) -> bool {
    (vram_row as i8) < ALL_ROWS_SENT as i8
}
