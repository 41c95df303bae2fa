//! Many frames at once, with the same result as stepping.
//!
//! In most frames of a game only counters move: the piece waits between two drops, the screen is
//! drawn, columns of a cleared row vanish. The counters can be moved by any number of frames at a
//! time.

use super::interrupt::{FRAMES_PER_ANIMATION_STEP, rows_sent};
use super::model::Simulation;
use super::page::Page;
use super::pass::{HALF_SPEED, RESET};
use super::task::Task;
use crate::game::control::{FallingPiece, Obstacles};
use crate::game::gravity::Gravity;
use crate::game::memory::address::{
    ACTIVE_PLAYER, AUTOREPEAT_X, AUTOREPEAT_Y, DROP_SPEED, FALL_TIMER, FALL_TIMER_2, FRAME_COUNTER, GAME_MODE_STATE,
    HELD_BUTTONS, NEW_BUTTONS, PLAY_HELD_BUTTONS, PLAY_NEW_BUTTONS, POLLED_BUTTONS, RENDER_FLAGS, ROW_Y, SLEEP_COUNTER,
    VRAM_ROW,
};
use crate::game::memory::{ALL_ROWS_SENT, ANIMATION_STEPS, GameModeState, HANGING, PlayState, RenderMode, render_flag};
use crate::game::playfield::ROWS;
use crate::game::timing::{DAS_FULL, ROWS_SENT_PER_FRAME};
use crate::gamepad::Buttons;

/// A limit above every entry delay, at half speed too: 18 + 20 frames, doubled. It is needed
/// because a poked value that is no piece never spawns.
const LONGEST_ENTRY_DELAY: u32 = 256;

const SIDES: Buttons = Buttons::LEFT.with(Buttons::RIGHT);

impl Simulation {
    /// Advances `frames` frames with the same buttons down. The result is that of as many
    /// calls of [`Simulation::step`].
    pub fn advance(&mut self, buttons: Buttons, frames: u32) {
        let mut left = frames;
        while left > 0 {
            left -= self.advance_some(buttons, left);
        }
    }

    /// Advances with these buttons down until the next piece has spawned or the game is paused or
    /// has topped out, crashes or hangs, and returns the number of frames: 0 while a piece is under
    /// control and outside a game.
    pub fn skip_entry_delay(&mut self, buttons: Buttons) -> u32 {
        let mut frames = 0;
        while matches!(self.task, Task::Play | Task::HalfSpeed | Task::Late { .. })
            && self.play_state().is_some_and(PlayState::is_entry_delay)
            && frames < LONGEST_ENTRY_DELAY
        {
            frames += self.advance_some(buttons, u32::MAX);
        }
        frames
    }

    /// Advances one ordinary frame, or up to `limit` frames in which only counters move.
    fn advance_some(&mut self, buttons: Buttons, limit: u32) -> u32 {
        let idle = self.idle_frames(buttons).min(limit);
        if idle == 0 {
            self.step(buttons);
            return 1;
        }
        self.idle(idle);
        idle
    }

    /// A number of frames in which only counters move with these buttons down; 0 when the next
    /// frame has to be stepped.
    fn idle_frames(&self, buttons: Buttons) -> u32 {
        let ordinary = self.task == Task::Play
            && !self.in_demo()
            && self.ram[GAME_MODE_STATE] == GameModeState::Running.byte()
            && self.render_mode() == Some(RenderMode::Play);
        if !ordinary || buttons != self.held() || buttons == HALF_SPEED || buttons == RESET {
            return 0;
        }
        match self.play_state() {
            Some(PlayState::Control) => {
                self.load_piece().map_or(0, |piece| frames_of_hanging(&piece, buttons, self.gravity()))
            }
            // A piece that spawned into blocks tops out without a wait.
            Some(PlayState::Lock) if !self.piece_fits() => 0,
            Some(PlayState::Lock | PlayState::RowCheck | PlayState::Spawn) => frames_of_drawing(self.ram[VRAM_ROW]),
            Some(PlayState::ClearAnimation) => frames_of_animation(self.ram[ROW_Y], self.ram[FRAME_COUNTER]),
            _ => 0,
        }
    }

    fn piece_fits(&self) -> bool {
        self.load_piece().is_some_and(|piece| Page(self.page()).fits(piece.orientation, piece.x, piece.y))
    }

    /// Moves the counters by `frames` frames, at most [`Simulation::idle_frames`].
    fn idle(&mut self, frames: u32) {
        // At most 127: a first piece that was poked to hang from $80 on.
        let count = frames as u8;
        match self.play_state() {
            Some(PlayState::Control) => self.hang(count),
            Some(PlayState::ClearAnimation) => {
                let steps = animation_steps(count, self.ram[FRAME_COUNTER]);
                self.ram[ROW_Y] = self.ram[ROW_Y].wrapping_add(steps);
            }
            _ => {}
        }
        if self.play_state() == Some(PlayState::ClearAnimation) {
            self.ram[VRAM_ROW] = 0;
        } else {
            for _ in 0..frames {
                if self.ram[VRAM_ROW] == ALL_ROWS_SENT {
                    break;
                }
                self.ram[VRAM_ROW] = rows_sent(self.ram[VRAM_ROW]);
            }
        }
        self.ram[RENDER_FLAGS] &= !render_flag::GAME;
        self.ram[SLEEP_COUNTER] = self.ram[SLEEP_COUNTER].saturating_sub(count);
        self.ram[FALL_TIMER] = self.ram[FALL_TIMER].wrapping_add(count);
        self.ram[FALL_TIMER_2] = self.ram[FALL_TIMER_2].wrapping_add(count);
        self.ram[NEW_BUTTONS] = 0;
        self.ram[PLAY_NEW_BUTTONS] = 0;
        self.ram[PLAY_HELD_BUTTONS] = self.ram[HELD_BUTTONS];
        self.count_frames(u16::from(count));
        self.ram[ACTIVE_PLAYER] = 1;
        self.write_playfield_address();
        self.update_working_copy();
        self.ram[POLLED_BUTTONS] = self.ram[HELD_BUTTONS];
        self.place_sprites();
    }

    /// Control frames without a new press, a shift or a drop.
    fn hang(&mut self, frames: u8) {
        let held = self.held();
        if charges_das(held) {
            self.ram[AUTOREPEAT_X] += frames;
        }
        if self.ram[AUTOREPEAT_Y] == 0 {
            self.ram[DROP_SPEED] = self.gravity().frames();
        } else {
            self.ram[AUTOREPEAT_Y] = self.ram[AUTOREPEAT_Y].wrapping_add(frames);
        }
    }
}

/// Does the DAS counter run?
fn charges_das(held: Buttons) -> bool {
    held.intersects(SIDES) && !held.contains(Buttons::DOWN)
}

fn frames_of_hanging(piece: &FallingPiece, held: Buttons, gravity: Gravity) -> u32 {
    let until_drop = match piece.autorepeat_y {
        0 => gravity.frames().saturating_sub(piece.fall_timer).saturating_sub(1),
        // A pushdown takes ordinary steps.
        1..HANGING => 0,
        HANGING.. => 0xFF - piece.autorepeat_y,
    };
    let until_shift = if charges_das(held) { (DAS_FULL - 1).saturating_sub(piece.das) } else { u8::MAX };
    u32::from(until_drop.min(until_shift))
}

/// Frames before the one in which the last row is sent to the screen.
fn frames_of_drawing(vram_row: u8) -> u32 {
    const LAST: u8 = ROWS as u8;
    if vram_row < LAST { u32::from((LAST - vram_row).div_ceil(ROWS_SENT_PER_FRAME)) - 1 } else { 0 }
}

/// Frames before the one with the animation's last step.
fn frames_of_animation(row_y: u8, frame_counter: u8) -> u32 {
    let steps = (ANIMATION_STEPS - 1).checked_sub(row_y);
    steps.map_or(0, |steps| {
        u32::from(frames_to_step(frame_counter)) + u32::from(FRAMES_PER_ANIMATION_STEP) * u32::from(steps)
    })
}

/// Frames before the next one whose interrupt finds the counter divisible by four.
fn frames_to_step(frame_counter: u8) -> u8 {
    frame_counter.wrapping_neg() % FRAMES_PER_ANIMATION_STEP
}

/// Steps of the animation in `frames` frames.
fn animation_steps(frames: u8, frame_counter: u8) -> u8 {
    frames.saturating_sub(frames_to_step(frame_counter)).div_ceil(FRAMES_PER_ANIMATION_STEP)
}
