//! One gameplay frame: the steps of `gameModeState`, and what each play state calls.

use super::model::Simulation;
use super::page::Page;
use super::scope;
use super::task::{Screen, Task};
use crate::game::Orientation;
use crate::game::control::{ControlOutcome, FallingPiece};
use crate::game::crash::PassEnd;
use crate::game::memory::address::{
    ACTIVE_PLAYER, AUTOREPEAT_X, AUTOREPEAT_Y, CURRENT_PIECE, DROP_SPEED, FALL_TIMER, FALL_TIMER_2, GENERAL_COUNTER,
    HELD_BUTTONS, HIDE_NEXT, HOLD_DOWN_POINTS, LAST_SPRITE_Y, NEW_BUTTONS, PLAY_HELD_BUTTONS, PLAY_NEW_BUTTONS,
    PLAYFIELD, PLAYFIELD_ADDRESS, SPRITE_ORIENTATION, SPRITE_X, SPRITE_Y, TETRIMINO_X, TETRIMINO_Y, VRAM_ROW,
};
use crate::game::memory::{GameMode, GameModeState, HANGING, PlayState, RenderMode};
use crate::gamepad::Buttons;

/// While exactly these are held, the game returns to the legal screen.
pub const RESET: Buttons = Buttons::A.with(Buttons::B).with(Buttons::SELECT).with(Buttons::START);
/// While exactly these are held, the game runs at half speed.
pub const HALF_SPEED: Buttons = Buttons::LEFT.with(Buttons::RIGHT).with(Buttons::DOWN);

/// Width and height of a cell in pixels.
const CELL_PIXELS: u8 = 8;
/// Left edge of the playfield's column 0 in pixels.
const SPRITE_LEFT: u8 = 0x60;
/// Line in pixels that is written for a sprite in row 0 of the playfield.
const SPRITE_TOP: u8 = 0x2F;

impl Simulation {
    /// `gameModeState` 2 to 8.
    pub(super) fn gameplay_frame(&mut self) {
        let end = self.pass_end();
        self.gameplay_frame_ending(end);
    }

    /// A gameplay frame whose pass ends like this.
    pub(super) fn gameplay_frame_ending(&mut self, end: PassEnd) {
        if self.demo_over {
            self.end_demo();
            return;
        }
        self.ram[FALL_TIMER] = self.ram[FALL_TIMER].wrapping_add(1);
        self.ram[FALL_TIMER_2] = self.ram[FALL_TIMER_2].wrapping_add(1);
        if self.pressed().contains(Buttons::SELECT) {
            self.ram[HIDE_NEXT] ^= 1;
        }
        if self.play_state() == Some(PlayState::Leaving) {
            self.after_game();
            return;
        }
        self.ram[PLAY_NEW_BUTTONS] = self.ram[NEW_BUTTONS];
        self.ram[PLAY_HELD_BUTTONS] = self.ram[HELD_BUTTONS];
        self.ram[ACTIVE_PLAYER] = 1;
        self.write_playfield_address();
        if end != PassEnd::IN_TIME {
            self.play_update_ending(end);
        } else if self.play_update() == Flow::Finished {
            self.finish_update();
        }
    }

    /// What follows the play update in the same frame.
    pub(super) fn finish_update(&mut self) {
        self.finish_play_update();
        self.check_buttons();
    }

    /// The end of `gameModeState` 4.
    pub(super) fn finish_play_update(&mut self) {
        // The game works on a copy at $40 and copies it back. Only the result can be seen.
        self.update_working_copy();
        self.place_sprites();
    }

    /// `gameModeState` 6 to 8.
    pub(super) fn check_buttons(&mut self) {
        if self.held() == RESET {
            self.set_game_mode_state(GameModeState::ResetCheck);
            self.set_game_mode(GameMode::Legal);
            self.demo_over = false;
            self.enter(Screen::Legal);
        } else if self.held() == HALF_SPEED {
            self.set_game_mode_state(GameModeState::PauseCheck);
            self.task = Task::HalfSpeed;
        } else {
            self.finish_pass();
        }
    }

    /// `gameModeState` 7 and 8: the pause check and the end of the pass.
    pub(super) fn finish_pass(&mut self) {
        let pause = self.pressed().contains(Buttons::START);
        if pause && self.render_mode() == Some(RenderMode::Play) && self.play_state() != Some(PlayState::Curtain) {
            self.set_game_mode_state(GameModeState::PauseCheck);
            self.set_render_mode(RenderMode::Still);
            self.task = Task::Paused;
        } else {
            self.set_game_mode_state(GameModeState::Running);
            self.task = Task::Play;
        }
    }

    /// Only Start pressed alone ends a pause; then the whole playfield is drawn again.
    pub(super) fn paused_frame(&mut self) {
        if self.pressed() == Buttons::START {
            self.ram[VRAM_ROW] = 0;
            self.set_render_mode(RenderMode::Play);
            self.set_game_mode_state(GameModeState::Running);
            self.task = Task::Play;
        }
    }

    /// Every play update sets the playfield's address, and so does every row of B-type's garbage.
    pub(super) fn write_playfield_address(&mut self) {
        [self.ram[PLAYFIELD_ADDRESS], self.ram[PLAYFIELD_ADDRESS + 1]] = (PLAYFIELD as u16).to_le_bytes();
    }

    /// What placing the falling piece's sprites leaves in the scratch bytes.
    pub(super) fn place_sprites(&mut self) {
        let id = self.ram[CURRENT_PIECE];
        let x = self.ram[TETRIMINO_X].wrapping_mul(CELL_PIXELS).wrapping_add(SPRITE_LEFT);
        let y = self.ram[TETRIMINO_Y].wrapping_mul(CELL_PIXELS).wrapping_add(SPRITE_TOP);
        let last = Orientation::from_id(id).map_or(0, |orientation| orientation.cells()[3].0);
        self.ram[SPRITE_X] = x;
        self.ram[SPRITE_Y] = y;
        self.ram[SPRITE_ORIENTATION] = id;
        self.ram[LAST_SPRITE_Y] = y.wrapping_add_signed(last.wrapping_mul(CELL_PIXELS as i8));
        if self.ram[HIDE_NEXT] != 0 {
            // Else the next piece's sprites come after it, from another table.
            self.ram[GENERAL_COUNTER] = id.wrapping_mul(4);
            self.ram[GENERAL_COUNTER + 1] = 0;
        }
    }

    pub(super) fn play_update(&mut self) -> Flow {
        match self.play_state() {
            Some(PlayState::Control) => self.control(),
            Some(PlayState::Lock) => self.lock(),
            Some(PlayState::RowCheck) => self.check_row(),
            Some(PlayState::Score) => self.score_rows(),
            Some(PlayState::GoalCheck) => return self.check_goal(),
            Some(PlayState::Garbage) => self.set_play_state(PlayState::Spawn),
            Some(PlayState::Spawn) => self.spawn(),
            Some(PlayState::Curtain) => return self.curtain(),
            // The interrupt runs the clear animation.
            Some(PlayState::Leaving | PlayState::ClearAnimation | PlayState::Unused) | None => {}
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
            self.ram[DROP_SPEED] = self.gravity().frames();
        }
        let outcome = piece.control(&Page(self.page()), held, pressed, self.gravity());
        self.store_piece(&piece);
        if outcome == ControlOutcome::Landed {
            self.set_play_state(PlayState::Lock);
            self.touch_rows();
        }
    }

    pub(super) fn load_piece(&self) -> Option<FallingPiece> {
        Some(FallingPiece {
            orientation: Orientation::from_id(self.ram[CURRENT_PIECE])?,
            x: self.ram[TETRIMINO_X] as i8,
            y: self.ram[TETRIMINO_Y] as i8,
            fall_timer: self.ram[FALL_TIMER],
            das: self.ram[AUTOREPEAT_X],
            autorepeat_y: self.ram[AUTOREPEAT_Y],
            pushdown: self.ram[HOLD_DOWN_POINTS],
        })
    }

    fn store_piece(&mut self, piece: &FallingPiece) {
        self.ram[CURRENT_PIECE] = piece.orientation.id();
        self.ram[TETRIMINO_X] = piece.x as u8;
        self.ram[TETRIMINO_Y] = piece.y as u8;
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
    /// The main program waits inside the play update, for an ending.
    Suspended,
}

/// Does this frame of control look up the gravity? Not while the first piece hangs, and not when
/// the pushdown drops the piece.
fn looks_up_gravity(piece: &FallingPiece, held: Buttons, pressed: Buttons) -> bool {
    match piece.autorepeat_y {
        0 | 1 => true,
        2..HANGING => held & Buttons::DIRECTIONS != Buttons::DOWN,
        HANGING.. => pressed.contains(Buttons::DOWN),
    }
}
