//! From the lock to the next piece: play states 2, 3, 5, 6 and 8.

use super::address::*;
use super::interrupt::must_wait;
use super::page::{self, Page};
use super::pass::Flow;
use super::task::Task;
use super::{Simulation, scope};
use crate::game::Orientation;
use crate::game::control::Obstacles;
use crate::game::position::Placement;
use crate::game::scoring::{count_clear, count_piece};

/// `curtainRow` at topout: sixteen steps above the first visible row.
const CURTAIN_START: u8 = 0xF0;
/// The playfield row whose occupation starts the fast music.
const ALLEGRO_ROW: usize = 5;
/// Rows checked after a lock.
const ROW_CHECKS: u8 = 4;
/// Flags in `renderFlags`.
const DRAW_LINES: u8 = 0x01;
const DRAW_LEVEL: u8 = 0x02;
const DRAW_SCORE: u8 = 0x04;
const DRAW_STATISTICS: u8 = 0x40;
/// Garbage that 0 to 4 rows would send to a second player.
const GARBAGE_SENT: [u8; 5] = [0, 0, 1, 2, 4];
/// B-type: the success box, playfield rows 7 to 9 (measured).
const SUCCESS_BOX: [[u8; 10]; 3] = [
    [0x38, 0x39, 0x39, 0x39, 0x39, 0x39, 0x39, 0x39, 0x39, 0x3A],
    [0x3B, 0x1C, 0x1E, 0x0C, 0x0C, 0x0E, 0x1C, 0x1C, 0x28, 0x3C],
    [0x3D, 0x3E, 0x3E, 0x3E, 0x3E, 0x3E, 0x3E, 0x3E, 0x3E, 0x3F],
];
/// B-type: frames that the success box is shown.
const SUCCESS_SLEEP: u8 = 20;

impl Simulation {
    /// The highest row that the piece may have changed: `max(y - 2, 0)`.
    fn first_row(&self) -> u8 {
        (self.ram[Y] as i8).wrapping_sub(2).max(0) as u8
    }

    /// Has the screen redrawn from the piece's rows down.
    pub(super) fn touch_rows(&mut self) {
        self.ram[VRAM_ROW] = self.ram[VRAM_ROW].min(self.first_row());
    }

    /// Play state 2: waits for the screen, then writes the piece into the playfield. A piece
    /// in an impossible position tops out without a wait.
    pub(super) fn lock(&mut self) {
        let Some(orientation) = Orientation::from_id(self.ram[CURRENT_PIECE]) else {
            self.leave_scope(scope::NO_LOCKING_PIECE);
            return;
        };
        let placement = Placement { orientation, x: self.ram[X] as i8, y: self.ram[Y] as i8 };
        if !Page(self.page()).fits(orientation, placement.x, placement.y) {
            self.ram[PLAY_STATE] = 10;
            self.ram[CURTAIN_ROW] = CURTAIN_START;
            return;
        }
        if must_wait(self.ram[VRAM_ROW]) {
            return;
        }
        for cell in page::cells(placement) {
            self.ram[PLAYFIELD + cell as usize] = orientation.tile();
        }
        self.ram[LINE_INDEX] = 0;
        self.touch_rows();
        self.choose_music_speed();
        self.ram[PLAY_STATE] = 3;
    }

    /// Fast music while anything lies in row 5.
    fn choose_music_speed(&mut self) {
        let row = &self.ram[PLAYFIELD + 10 * ALLEGRO_ROW..][..10];
        self.ram[ALLEGRO] = if row.iter().any(|&tile| tile != EMPTY) { 0xFF } else { 0 };
    }

    /// Play state 3: waits for the screen, then checks one row a frame.
    pub(super) fn check_row(&mut self) {
        if must_wait(self.ram[VRAM_ROW]) {
            return;
        }
        let index = self.ram[LINE_INDEX];
        let row = self.first_row().wrapping_add(index);
        let start = PLAYFIELD + 10 * row as usize;
        let complete = row < 24 && !self.ram[start..start + 10].contains(&EMPTY);
        if complete {
            self.ram[COMPLETED_LINES] = self.ram[COMPLETED_LINES].wrapping_add(1);
            self.remove_row(row);
            self.ram[CURRENT_PIECE] = Orientation::HIDDEN_ID;
        }
        // Row 0 is the same as "none" here, so the animation leaves it out.
        self.ram[COMPLETED_ROW + (index & 3) as usize] = if complete { row } else { 0 };
        self.ram[LINE_INDEX] = index.wrapping_add(1);
        if self.ram[LINE_INDEX] >= ROW_CHECKS {
            self.ram[VRAM_ROW] = 0;
            self.ram[ROW_Y] = 0;
            let completed = self.ram[COMPLETED_LINES];
            let sent = GARBAGE_SENT[usize::from(completed.min(4))];
            self.ram[PENDING_GARBAGE + 1] = self.ram[PENDING_GARBAGE + 1].wrapping_add(sent);
            self.ram[PLAY_STATE] = if completed == 0 { 5 } else { 4 };
        }
    }

    /// Moves everything above a row down by one. Quirk of row 0: the count down from -1 goes
    /// on from 255, so the whole page moves, and ten bytes into the next one.
    fn remove_row(&mut self, row: u8) {
        let length = if row == 0 { PAGE } else { 10 * row as usize };
        self.ram.copy_within(PLAYFIELD..PLAYFIELD + length, PLAYFIELD + 10);
        self.ram[PLAYFIELD..PLAYFIELD + 10].fill(EMPTY);
    }

    /// Play state 5: lines, level, points.
    pub(super) fn score_rows(&mut self) {
        self.choose_music_speed();
        let rows = self.ram[COMPLETED_LINES];
        if rows > 0 {
            let clears = &mut self.ram[LINE_CLEAR_STATS + usize::from(rows.min(4)) - 1];
            *clears = count_clear(*clears);
            self.count_lines(rows);
        }
        let mut score = self.score();
        if (self.ram[HOLD_DOWN_POINTS] as i8) >= 2 {
            score.add_pushdown(self.ram[HOLD_DOWN_POINTS]);
        }
        self.ram[HOLD_DOWN_POINTS] = 0;
        score.add_line_points(rows, self.ram[LEVEL]);
        self.ram[SCORE..SCORE + 3].copy_from_slice(&score.0);
        self.ram[RENDER_FLAGS] |= DRAW_SCORE;
        self.ram[COMPLETED_LINES] = 0;
        self.ram[PLAY_STATE] = 6;
    }

    fn count_lines(&mut self, rows: u8) {
        let mut progress = self.progress();
        self.ram[RENDER_FLAGS] |= DRAW_LINES;
        if self.ram[GAME_TYPE] != 0 {
            progress.count_b_type(rows);
        } else if progress.count_a_type(rows) {
            self.ram[RENDER_FLAGS] |= DRAW_LEVEL;
        }
        [self.ram[LINES], self.ram[LINES + 1]] = [progress.lines_low, progress.lines_high];
        self.ram[LEVEL] = progress.level;
    }

    /// Play state 6: B-type ends when no line is left.
    pub(super) fn check_goal(&mut self) -> Flow {
        if self.ram[GAME_TYPE] == 0 || self.ram[LINES] != 0 {
            self.ram[PLAY_STATE] = 7;
            return Flow::Finished;
        }
        self.suspend(SUCCESS_SLEEP, Task::Success { dark: false });
        for (row, tiles) in SUCCESS_BOX.iter().enumerate() {
            self.ram[PLAYFIELD + 10 * (7 + row)..][..10].copy_from_slice(tiles);
        }
        self.ram[VRAM_ROW] = 0;
        Flow::Suspended
    }

    /// Waits inside the play update: the working copy is made, `gameModeState` stays 4.
    pub(super) fn suspend(&mut self, frames: u8, task: Task) {
        self.ram.copy_within(PLAYER..PLAYER + BLOCK, WORK);
        self.ram[GAME_MODE_STATE] = 4;
        self.ram[SLEEP_COUNTER] = frames;
        self.task = task;
    }

    /// Play state 8: waits for the screen, then the next piece appears.
    pub(super) fn spawn(&mut self) {
        if must_wait(self.ram[VRAM_ROW]) {
            return;
        }
        let Some(spawned) = Orientation::from_id(self.ram[NEXT_PIECE]) else {
            self.leave_scope(scope::NO_NEXT_PIECE);
            return;
        };
        self.ram[FALL_TIMER] = 0;
        self.ram[Y] = 0;
        self.ram[X] = 5;
        self.ram[PLAY_STATE] = 1;
        self.ram[AUTOREPEAT_Y] = 0;
        self.ram[CURRENT_PIECE] = spawned.id();
        self.count_piece(spawned);
        self.ram[RENDER_FLAGS] |= DRAW_STATISTICS;
        self.ram[NEXT_PIECE] = self.draw_piece().id();
    }

    /// Draws a piece and keeps the generator's new state.
    pub(super) fn draw_piece(&mut self) -> Orientation {
        let draw = self.randomizer().draw(self.ram[SPAWN_ID], self.ram[SPAWN_COUNT]);
        [self.ram[RNG], self.ram[RNG + 1]] = draw.randomizer.to_bytes();
        self.ram[SPAWN_ID] = draw.orientation.id();
        self.ram[SPAWN_COUNT] = draw.spawn_count;
        draw.orientation
    }

    /// Counts a piece in the statistics.
    pub(super) fn count_piece(&mut self, orientation: Orientation) {
        let entry = STATISTICS + 2 * orientation.piece().index();
        [self.ram[entry], self.ram[entry + 1]] = count_piece([self.ram[entry], self.ram[entry + 1]]);
    }
}
