//! One gameplay frame: the steps of `gameModeState` and the play states' dispatch.

use super::address::*;
use super::page::Page;
use super::task::{Screen, Task};
use super::{Simulation, scope};
use crate::game::Orientation;
use crate::game::control::{ControlOutcome, FallingPiece};
use crate::game::timing::frames_per_row;
use crate::gamepad::Buttons;

/// Held exactly so, the game returns to the legal screen.
pub(super) const RESET: Buttons = Buttons::A.with(Buttons::B).with(Buttons::SELECT).with(Buttons::START);
/// Held exactly so, the game runs at half speed.
pub(super) const HALF_SPEED: Buttons = Buttons::LEFT.with(Buttons::RIGHT).with(Buttons::DOWN);

impl Simulation {
    /// `gameModeState` 2 to 8.
    pub(super) fn gameplay_frame(&mut self) {
        self.ram[FALL_TIMER] = self.ram[FALL_TIMER].wrapping_add(1);
        if self.pressed().contains(Buttons::SELECT) {
            self.ram[HIDE_NEXT] ^= 1;
        }
        if self.ram[PLAY_STATE] == 0 {
            self.after_game();
            return;
        }
        self.ram[PLAY_PRESSED] = self.ram[PRESSED];
        self.ram[PLAY_HELD] = self.ram[HELD];
        if self.play_update() == Flow::Suspended {
            return;
        }
        // The game works on a copy at $40 and copies it back; only the end result shows.
        self.ram.copy_within(PLAYER..PLAYER + BLOCK, WORK);
        if self.held() == RESET {
            self.ram[GAME_MODE_STATE] = 6;
            self.ram[GAME_MODE] = 0;
            self.enter(Screen::Legal);
        } else if self.held() == HALF_SPEED {
            self.ram[GAME_MODE_STATE] = 7;
            self.task = Task::HalfSpeed;
        } else {
            self.finish_pass();
        }
    }

    /// `gameModeState` 7 and 8: the pause check and the end of the pass.
    pub(super) fn finish_pass(&mut self) {
        let pause = self.pressed().contains(Buttons::START);
        if pause && self.ram[RENDER_MODE] == 3 && self.ram[PLAY_STATE] != 10 {
            self.ram[GAME_MODE_STATE] = 7;
            self.ram[RENDER_MODE] = 0;
            self.task = Task::Paused;
        } else {
            self.ram[GAME_MODE_STATE] = 2;
            self.task = Task::Play;
        }
    }

    /// Only Start, pressed alone, ends a pause; the whole playfield is then drawn anew.
    pub(super) fn paused_frame(&mut self) {
        if self.pressed() == Buttons::START {
            self.ram[VRAM_ROW] = 0;
            self.ram[RENDER_MODE] = 3;
            self.ram[GAME_MODE_STATE] = 2;
            self.task = Task::Play;
        }
    }

    fn play_update(&mut self) -> Flow {
        match self.ram[PLAY_STATE] {
            1 => self.control(),
            2 => self.lock(),
            3 => self.check_row(),
            5 => self.score_rows(),
            6 => return self.check_goal(),
            7 => self.ram[PLAY_STATE] = 8,
            8 => self.spawn(),
            10 => return self.curtain(),
            // 4 runs in the interrupt, 9 is not used.
            _ => {}
        }
        Flow::Finished
    }

    /// Play state 1.
    fn control(&mut self) {
        let Some(mut piece) = self.load_piece() else {
            self.leave_scope(scope::NO_FALLING_PIECE);
            return;
        };
        let (held, pressed) = (self.held(), self.pressed());
        if looks_up_gravity(&piece, held, pressed) {
            self.ram[DROP_SPEED] = frames_per_row(self.ram[LEVEL]);
        }
        let outcome = piece.control(&Page(self.page()), held, pressed, self.ram[LEVEL]);
        self.store_piece(&piece);
        if outcome == ControlOutcome::Landed {
            self.ram[PLAY_STATE] = 2;
            self.touch_rows();
        }
    }

    pub(super) fn load_piece(&self) -> Option<FallingPiece> {
        Some(FallingPiece {
            orientation: Orientation::from_id(self.ram[CURRENT_PIECE])?,
            x: self.ram[X] as i8,
            y: self.ram[Y] as i8,
            fall_timer: self.ram[FALL_TIMER],
            das: self.ram[AUTOREPEAT_X],
            autorepeat_y: self.ram[AUTOREPEAT_Y],
            pushdown: self.ram[HOLD_DOWN_POINTS],
        })
    }

    fn store_piece(&mut self, piece: &FallingPiece) {
        self.ram[CURRENT_PIECE] = piece.orientation.id();
        self.ram[X] = piece.x as u8;
        self.ram[Y] = piece.y as u8;
        self.ram[FALL_TIMER] = piece.fall_timer;
        self.ram[AUTOREPEAT_X] = piece.das;
        self.ram[AUTOREPEAT_Y] = piece.autorepeat_y;
        self.ram[HOLD_DOWN_POINTS] = piece.pushdown;
    }
}

/// How a play update ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Flow {
    /// The rest of the pass follows.
    Finished,
    /// The main program waits inside of it, for an ending.
    Suspended,
}

/// Does this frame of control come to the gravity rule? Not while the first piece hangs, nor
/// when the pushdown drops the piece.
fn looks_up_gravity(piece: &FallingPiece, held: Buttons, pressed: Buttons) -> bool {
    match piece.autorepeat_y {
        0 | 1 => true,
        2..=0x7F => held & Buttons::DIRECTIONS != Buttons::DOWN,
        0x80..=0xFF => pressed.contains(Buttons::DOWN),
    }
}
