//! The end of a game: curtain, endings, and the way back to the level menu.

use super::address::*;
use super::pass::Flow;
use super::task::{Screen, Task};
use super::{Simulation, scope};
use crate::game::Orientation;
use crate::gamepad::Buttons;

/// `curtainRow` when the curtain is down.
const CURTAIN_DOWN: u8 = 0x14;
/// The curtain's tile.
const CURTAIN_TILE: u8 = 0x4F;
/// Hundred thousands and ten thousands of the score, BCD, from which an ending is shown.
const ENDING_SCORE: u8 = 0x03;
/// Frames of sleep before an ending.
const ENDING_SLEEP: u8 = 128;
/// Frames from the start of an A-type ending until Start is accepted: 515 after the curtain,
/// less the sleep. The rocket's flight may take longer.
const ENDING_FRAMES: u16 = 515 - ENDING_SLEEP as u16;

impl Simulation {
    /// Play state 10: a row of curtain every fourth frame, then Start is waited for.
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
        } else if self.ram[FRAME_COUNTER] & 3 == 0 {
            if row < CURTAIN_DOWN {
                self.ram[PLAYFIELD + 10 * row as usize..][..10].fill(CURTAIN_TILE);
                self.ram[VRAM_ROW] = row;
                self.ram[CURRENT_PIECE] = Orientation::HIDDEN_ID;
            }
            self.ram[CURTAIN_ROW] = row.wrapping_add(1);
        }
        Flow::Finished
    }

    fn end_game(&mut self) {
        self.ram[PLAY_STATE] = 0;
        self.ram[PRESSED] = 0;
    }

    /// B-type: after the success box 128 dark frames, then the ending.
    pub(super) fn success(&mut self, dark: bool) {
        if self.ram[SLEEP_COUNTER] != 0 {
            return;
        }
        if dark {
            self.start_ending(scope::B_TYPE_ENDING);
        } else {
            self.ram[RENDER_MODE] = 0;
            self.ram[SLEEP_COUNTER] = ENDING_SLEEP;
            self.task = Task::Success { dark: true };
        }
    }

    pub(super) fn ending_sleep(&mut self) {
        if self.ram[SLEEP_COUNTER] == 0 {
            self.start_ending(scope::A_TYPE_ENDING);
        }
    }

    fn start_ending(&mut self, name: &'static str) {
        self.ram[RENDER_MODE] = 4;
        self.task = Task::Ending { frames: 0 };
        self.leave_scope(name);
    }

    /// Stands in for an ending's animation: no picture and no bonus, only the wait for Start.
    pub(super) fn ending(&mut self, frames: u16) {
        let frames = frames.saturating_add(1);
        self.task = Task::Ending { frames };
        if frames >= ENDING_FRAMES && self.pressed() == Buttons::START {
            self.end_game();
            self.ram.copy_within(PLAYER..PLAYER + BLOCK, WORK);
            self.ram[GAME_MODE_STATE] = 2;
            self.task = Task::Play;
        }
    }

    /// `gameModeState` 3 with `playState` 0: name entry if the score deserves one.
    pub(super) fn after_game(&mut self) {
        self.ram[GAME_MODE_STATE] = 3;
        self.ram[RENDER_MODE] = 3;
        if self.enter_high_score() {
            self.enter(Screen::NameEntry);
        } else {
            self.leave_game();
        }
    }

    /// Clears both playfields; the level menu follows.
    pub(super) fn leave_game(&mut self) {
        self.ram[PLAY_STATE] = 1;
        self.ram[PLAYFIELD..PLAYFIELD + 2 * PAGE].fill(EMPTY);
        self.ram[VRAM_ROW] = 0;
        self.task = Task::Leave;
    }
}
