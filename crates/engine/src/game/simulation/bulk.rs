//! Many frames at once, with the same result as stepping.
//!
//! Most frames of a game decide nothing: the piece hangs between two drops, the screen is
//! being drawn, columns of a cleared row vanish. In those only counters move, and they can be
//! moved by any number of frames at a time.

use super::Simulation;
use super::address::*;
use super::interrupt::{ALL_SENT, ANIMATION_STEPS, GAME_FLAGS, rows_sent};
use super::page::Page;
use super::pass::{HALF_SPEED, RESET};
use super::task::Task;
use crate::game::control::{FallingPiece, Obstacles};
use crate::game::timing::{DAS_FULL, frames_per_row};
use crate::gamepad::Buttons;

/// Longer than any entry delay, at half speed too; a poked piece that is none never spawns.
const LONGEST_ENTRY_DELAY: u32 = 256;

const SIDES: Buttons = Buttons::LEFT.with(Buttons::RIGHT);

impl Simulation {
    /// Advances `frames` frames with the same buttons down: [`Simulation::step`] so often,
    /// only faster.
    pub fn advance(&mut self, buttons: Buttons, frames: u32) {
        let mut left = frames;
        while left > 0 {
            left -= self.advance_some(buttons, left);
        }
    }

    /// Advances with these buttons down until the next piece has spawned, or until the game
    /// is paused or has topped out, and returns the number of frames. None pass while a piece
    /// is under control, and none outside a game.
    pub fn skip_entry_delay(&mut self, buttons: Buttons) -> u32 {
        let mut frames = 0;
        while matches!(self.task, Task::Play | Task::HalfSpeed)
            && matches!(self.ram[PLAY_STATE], 2..=8)
            && frames < LONGEST_ENTRY_DELAY
        {
            frames += self.advance_some(buttons, u32::MAX);
        }
        frames
    }

    /// Advances one frame that may decide something, or up to `limit` that do not.
    fn advance_some(&mut self, buttons: Buttons, limit: u32) -> u32 {
        let idle = self.idle_frames(buttons).min(limit);
        if idle == 0 {
            self.step(buttons);
            return 1;
        }
        self.idle(idle);
        idle
    }

    /// For how many frames at least will nothing but counters move, with these buttons down?
    fn idle_frames(&self, buttons: Buttons) -> u32 {
        let ordinary = self.task == Task::Play && self.ram[GAME_MODE_STATE] == 2 && self.ram[RENDER_MODE] == 3;
        if !ordinary || buttons != self.held() || buttons == HALF_SPEED || buttons == RESET {
            return 0;
        }
        match self.ram[PLAY_STATE] {
            1 => self.load_piece().map_or(0, |piece| frames_of_hanging(&piece, buttons, self.ram[LEVEL])),
            // A piece that spawned into others tops out without a wait.
            2 if !self.piece_fits() => 0,
            2 | 3 | 8 => frames_of_drawing(self.ram[VRAM_ROW]),
            4 => frames_of_animation(self.ram[ROW_Y], self.ram[FRAME_COUNTER]),
            _ => 0,
        }
    }

    fn piece_fits(&self) -> bool {
        self.load_piece().is_some_and(|piece| Page(self.page()).fits(piece.orientation, piece.x, piece.y))
    }

    /// Moves the counters of `frames` frames, no more than [`Simulation::idle_frames`].
    fn idle(&mut self, frames: u32) {
        // Never more than 255, the longest hang of a first piece being 128 frames.
        let count = frames as u8;
        match self.ram[PLAY_STATE] {
            1 => self.hang(count),
            4 => {
                let steps = animation_steps(count, self.ram[FRAME_COUNTER]);
                self.ram[ROW_Y] = self.ram[ROW_Y].wrapping_add(steps);
            }
            _ => {}
        }
        if self.ram[PLAY_STATE] == 4 {
            self.ram[VRAM_ROW] = 0;
        } else {
            for _ in 0..frames {
                if self.ram[VRAM_ROW] == ALL_SENT {
                    break;
                }
                self.ram[VRAM_ROW] = rows_sent(self.ram[VRAM_ROW]);
            }
        }
        self.ram[RENDER_FLAGS] &= !GAME_FLAGS;
        self.ram[SLEEP_COUNTER] = self.ram[SLEEP_COUNTER].saturating_sub(count);
        self.ram[FALL_TIMER] = self.ram[FALL_TIMER].wrapping_add(count);
        self.ram[PRESSED] = 0;
        self.ram[PLAY_PRESSED] = 0;
        self.ram[PLAY_HELD] = self.ram[HELD];
        self.count_frames(u16::from(count));
        self.ram.copy_within(PLAYER..PLAYER + BLOCK, WORK);
    }

    /// Control frames without a new press, a shift or a drop.
    fn hang(&mut self, frames: u8) {
        let held = self.held();
        if charges_das(held) {
            self.ram[AUTOREPEAT_X] += frames;
        }
        if self.ram[AUTOREPEAT_Y] == 0 {
            self.ram[DROP_SPEED] = frames_per_row(self.ram[LEVEL]);
        } else {
            self.ram[AUTOREPEAT_Y] = self.ram[AUTOREPEAT_Y].wrapping_add(frames);
        }
    }
}

/// Does the DAS counter run?
fn charges_das(held: Buttons) -> bool {
    held.intersects(SIDES) && !held.contains(Buttons::DOWN)
}

fn frames_of_hanging(piece: &FallingPiece, held: Buttons, level: u8) -> u32 {
    let until_drop = match piece.autorepeat_y {
        0 => frames_per_row(level).saturating_sub(piece.fall_timer).saturating_sub(1),
        // A pushdown is stepped.
        1..=0x7F => 0,
        0x80..=0xFF => 0xFF - piece.autorepeat_y,
    };
    let until_shift = if charges_das(held) { (DAS_FULL - 1).saturating_sub(piece.das) } else { u8::MAX };
    u32::from(until_drop.min(until_shift))
}

/// Frames before the one in which the last row is sent to the screen.
fn frames_of_drawing(vram_row: u8) -> u32 {
    if vram_row < 20 { u32::from(20 - vram_row).div_ceil(4) - 1 } else { 0 }
}

/// Frames before the one with the animation's last step.
fn frames_of_animation(row_y: u8, frame_counter: u8) -> u32 {
    let steps = (ANIMATION_STEPS - 1).checked_sub(row_y);
    steps.map_or(0, |steps| u32::from(frames_to_step(frame_counter)) + 4 * u32::from(steps))
}

/// Frames before the next one whose interrupt finds the counter divisible by four.
fn frames_to_step(frame_counter: u8) -> u8 {
    frame_counter.wrapping_neg() & 3
}

/// Steps of the animation in so many frames.
fn animation_steps(frames: u8, frame_counter: u8) -> u8 {
    frames.saturating_sub(frames_to_step(frame_counter)).div_ceil(4)
}
