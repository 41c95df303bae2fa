//! The end of a game: curtain, endings, and the way back to the level menu.

use super::model::Simulation;
use super::pass::Flow;
use super::scope;
use super::task::{Screen, Task};
use crate::game::Orientation;
use crate::game::memory::address::{
    CURRENT_PIECE, CURTAIN_ROW, FRAME_COUNTER, NEW_BUTTONS, PAGE, PLAYFIELD, SCORE, SLEEP_COUNTER, VRAM_ROW,
};
use crate::game::memory::tile::{CURTAIN, EMPTY};
use crate::game::memory::{CURTAIN_DOWN, GameModeState, PlayState, RenderMode};
use crate::game::playfield::WIDTH;
use crate::gamepad::Buttons;

/// Hundred thousands and ten thousands of the score, BCD, from which an ending is shown.
const ENDING_SCORE: u8 = 0x03;
/// A row of curtain falls in the frames whose counter is divisible by this.
const FRAMES_PER_CURTAIN_ROW: u8 = 4;
/// Frames of sleep before an ending (measured).
const ENDING_SLEEP: u8 = 128;
/// Frames from the start of an A-type ending until Start is accepted: measured 515 frames after
/// the curtain, less the sleep. The rocket's flight may take longer.
const ENDING_FRAMES: u16 = 515 - ENDING_SLEEP as u16;

impl Simulation {
    /// The curtain: a row of it every fourth frame, then a wait for Start.
    pub(super) fn curtain(&mut self) -> Flow {
        let row = self.ram[CURTAIN_ROW];
        if row == CURTAIN_DOWN {
            if self.ram[SCORE + 2] >= ENDING_SCORE {
                self.suspend(ENDING_SLEEP, Task::EndingSleep);
                return Flow::Suspended;
            }
            if self.pressed() == Buttons::START {
                self.end_game();
            }
        } else if self.ram[FRAME_COUNTER].is_multiple_of(FRAMES_PER_CURTAIN_ROW) {
            if row < CURTAIN_DOWN {
                self.ram[PLAYFIELD + WIDTH * row as usize..][..WIDTH].fill(CURTAIN);
                self.ram[VRAM_ROW] = row;
                self.ram[CURRENT_PIECE] = Orientation::HIDDEN_ID;
            }
            self.ram[CURTAIN_ROW] = row.wrapping_add(1);
        }
        Flow::Finished
    }

    fn end_game(&mut self) {
        self.set_play_state(PlayState::Leaving);
        self.ram[NEW_BUTTONS] = 0;
    }

    /// B-type: after the success box come 128 dark frames, then the ending.
    pub(super) fn success(&mut self, dark: bool) {
        if self.ram[SLEEP_COUNTER] != 0 {
            return;
        }
        if dark {
            self.start_bonus();
        } else {
            self.set_render_mode(RenderMode::Still);
            self.ram[SLEEP_COUNTER] = ENDING_SLEEP;
            self.task = Task::Success { dark: true };
        }
    }

    pub(super) fn ending_sleep(&mut self) {
        if self.ram[SLEEP_COUNTER] == 0 {
            self.set_render_mode(RenderMode::Ending);
            self.task = Task::Ending { frames: 0 };
            self.leave_scope(scope::A_TYPE_ENDING);
        }
    }

    /// Stands in for the A-type ending's animation: no picture, only the wait for Start.
    pub(super) fn ending(&mut self, frames: u16) {
        let frames = frames.saturating_add(1);
        self.task = Task::Ending { frames };
        if frames >= ENDING_FRAMES && self.pressed() == Buttons::START {
            self.end_game();
            self.finish_update();
        }
    }

    /// The first frame after the end: name entry if the score has a place in the table.
    pub(super) fn after_game(&mut self) {
        if self.in_demo() {
            self.end_demo();
            return;
        }
        self.set_game_mode_state(GameModeState::Leaving);
        self.set_render_mode(RenderMode::Play);
        if self.enter_high_score() {
            self.enter(Screen::NameEntry);
        } else {
            self.leave_game();
        }
    }

    /// Clears both playfields; the level menu follows.
    pub(super) fn leave_game(&mut self) {
        self.set_play_state(PlayState::Control);
        self.ram[PLAYFIELD..PLAYFIELD + 2 * PAGE].fill(EMPTY);
        self.ram[VRAM_ROW] = 0;
        self.task = Task::Leave;
    }
}
