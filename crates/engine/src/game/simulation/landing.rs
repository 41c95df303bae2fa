//! From the lock to the next piece: play states 2, 3, 5, 6 and 8.

use super::interrupt::must_wait;
use super::model::Simulation;
use super::page::{self, Page};
use super::pass::Flow;
use super::scope;
use super::task::Task;
use crate::game::Orientation;
use crate::game::control::Obstacles;
use crate::game::control::SPAWN_X;
use crate::game::memory::address::{
    ALLEGRO, AUTOREPEAT_Y, COMPLETED_LINES, COMPLETED_ROW, COUNT_SIZE, CURRENT_PIECE, CURTAIN_ROW, FALL_TIMER,
    GENERAL_COUNTER, HOLD_DOWN_POINTS, LEVEL_NUMBER, LINE_CLEAR_STATS, LINE_INDEX, LINES, NEXT_PIECE, PAGE,
    PENDING_GARBAGE, PLAYFIELD, RENDER_FLAGS, RNG, ROW_Y, SCORE, SCORE_SIZE, SLEEP_COUNTER, SPAWN_COUNT, SPAWN_ID,
    STATISTICS, TETRIMINO_X, TETRIMINO_Y, VRAM_ROW,
};
use crate::game::memory::tile::EMPTY;
use crate::game::memory::{GameModeState, PlayState, render_flag};
use crate::game::placement::Placement;
use crate::game::playfield::WIDTH;
use crate::game::scoring::{count_clear, count_piece};

/// `curtainRow` at topout: sixteen steps above the first visible row.
const CURTAIN_START: u8 = 0xF0;
/// The music is fast while this row of the playfield has an occupied cell.
const ALLEGRO_ROW: usize = 5;
/// Rows of ten cells that the playfield's page could hold below the top: only these are checked.
const ROWS_IN_PAGE: u8 = 24;
/// Rows checked after a lock.
const ROW_CHECKS: u8 = 4;
/// Garbage that 0 to 4 rows would send to a second player.
const GARBAGE_SENT: [u8; 5] = [0, 0, 1, 2, 4];
/// B-type: the tiles of the success box, from row 7 of the playfield down (measured).
const SUCCESS_BOX: [[u8; WIDTH]; 3] = [
    [0x38, 0x39, 0x39, 0x39, 0x39, 0x39, 0x39, 0x39, 0x39, 0x3A],
    [0x3B, 0x1C, 0x1E, 0x0C, 0x0C, 0x0E, 0x1C, 0x1C, 0x28, 0x3C],
    [0x3D, 0x3E, 0x3E, 0x3E, 0x3E, 0x3E, 0x3E, 0x3E, 0x3E, 0x3F],
];
/// B-type: the first row of the success box.
const SUCCESS_ROW: usize = 7;
/// B-type: frames that the success box is shown.
const SUCCESS_SLEEP: u8 = 20;

impl Simulation {
    /// The highest row that the piece may have changed: `max(y - 2, 0)`.
    fn first_row(&self) -> u8 {
        (self.ram[TETRIMINO_Y] as i8).wrapping_sub(2).max(0) as u8
    }

    /// Makes the interrupt redraw the screen from the piece's rows down.
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
        let placement = Placement { orientation, x: self.ram[TETRIMINO_X] as i8, y: self.ram[TETRIMINO_Y] as i8 };
        if !Page(self.page()).fits(orientation, placement.x, placement.y) {
            self.set_play_state(PlayState::Curtain);
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
        self.set_play_state(PlayState::RowCheck);
    }

    /// The music is fast while row 5 has an occupied cell.
    fn choose_music_speed(&mut self) {
        let row = &self.ram[PLAYFIELD + WIDTH * ALLEGRO_ROW..][..WIDTH];
        self.ram[ALLEGRO] = if row.iter().any(|&tile| tile != EMPTY) { 0xFF } else { 0 };
    }

    /// Play state 3: waits for the screen, then checks one row a frame.
    pub(super) fn check_row(&mut self) {
        if must_wait(self.ram[VRAM_ROW]) {
            return;
        }
        let index = self.ram[LINE_INDEX];
        let row = self.first_row().wrapping_add(index);
        let start = PLAYFIELD + WIDTH * row as usize;
        let complete = row < ROWS_IN_PAGE && !self.ram[start..start + WIDTH].contains(&EMPTY);
        if complete {
            self.ram[COMPLETED_LINES] = self.ram[COMPLETED_LINES].wrapping_add(1);
            self.remove_row(row);
            self.ram[CURRENT_PIECE] = Orientation::HIDDEN_ID;
        }
        // Row 0 looks like "none" here, so that the animation leaves it out.
        self.ram[COMPLETED_ROW + (index & 3) as usize] = if complete { row } else { 0 };
        self.ram[LINE_INDEX] = index.wrapping_add(1);
        if self.ram[LINE_INDEX] >= ROW_CHECKS {
            self.ram[VRAM_ROW] = 0;
            self.ram[ROW_Y] = 0;
            let completed = self.ram[COMPLETED_LINES];
            let sent = GARBAGE_SENT[usize::from(completed.min(4))];
            self.ram[PENDING_GARBAGE + 1] = self.ram[PENDING_GARBAGE + 1].wrapping_add(sent);
            self.set_play_state(if completed == 0 { PlayState::Score } else { PlayState::ClearAnimation });
        }
    }

    /// Moves all rows above a row down by one. Quirk of row 0: the index counts down from -1, which
    /// is 255, so that the whole page moves, and ten bytes of it into the next page.
    fn remove_row(&mut self, row: u8) {
        let length = if row == 0 { PAGE } else { WIDTH * row as usize };
        self.ram.copy_within(PLAYFIELD..PLAYFIELD + length, PLAYFIELD + WIDTH);
        self.ram[PLAYFIELD..PLAYFIELD + WIDTH].fill(EMPTY);
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
        score.add_line_points(rows, self.ram[LEVEL_NUMBER]);
        self.ram[SCORE..SCORE + SCORE_SIZE].copy_from_slice(&score.0);
        self.ram[RENDER_FLAGS] |= render_flag::SCORE;
        self.ram[COMPLETED_LINES] = 0;
        self.set_play_state(PlayState::GoalCheck);
    }

    fn count_lines(&mut self, rows: u8) {
        let mut progress = self.progress();
        self.ram[RENDER_FLAGS] |= render_flag::LINES;
        if self.is_b_type() {
            progress.count_b_type(rows);
        } else if progress.count_a_type(rows) {
            self.ram[RENDER_FLAGS] |= render_flag::LEVEL;
        }
        [self.ram[LINES], self.ram[LINES + 1]] = [progress.lines_low, progress.lines_high];
        self.ram[LEVEL_NUMBER] = progress.level;
    }

    /// Play state 6: B-type ends when no line is left.
    pub(super) fn check_goal(&mut self) -> Flow {
        if !self.is_b_type() || self.ram[LINES] != 0 {
            self.set_play_state(PlayState::Garbage);
            return Flow::Finished;
        }
        self.suspend(SUCCESS_SLEEP, Task::Success { dark: false });
        for (row, tiles) in SUCCESS_BOX.iter().enumerate() {
            self.ram[PLAYFIELD + WIDTH * (SUCCESS_ROW + row)..][..WIDTH].copy_from_slice(tiles);
        }
        self.ram[VRAM_ROW] = 0;
        Flow::Suspended
    }

    /// Waits inside the play update: the working copy is made, `gameModeState` stays at 4.
    pub(super) fn suspend(&mut self, frames: u8, task: Task) {
        self.update_working_copy();
        // The interrupt has drawn the score, and its lowest byte last.
        self.ram[GENERAL_COUNTER] = self.ram[SCORE];
        self.set_game_mode_state(GameModeState::PlayUpdate);
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
        self.ram[TETRIMINO_Y] = 0;
        self.ram[TETRIMINO_X] = SPAWN_X as u8;
        self.set_play_state(PlayState::Control);
        self.ram[AUTOREPEAT_Y] = 0;
        self.ram[CURRENT_PIECE] = spawned.id();
        self.count_piece(spawned);
        self.ram[RENDER_FLAGS] |= render_flag::STATISTICS;
        self.ram[NEXT_PIECE] = self.draw_piece().id();
    }

    /// Draws a piece and keeps the generator's new state.
    pub(super) fn draw_piece(&mut self) -> Orientation {
        if self.in_demo() {
            return self.demo_piece();
        }
        let draw = self.randomizer().draw(self.ram[SPAWN_ID], self.ram[SPAWN_COUNT]);
        [self.ram[RNG], self.ram[RNG + 1]] = draw.randomizer.to_bytes();
        self.ram[SPAWN_ID] = draw.orientation.id();
        self.ram[SPAWN_COUNT] = draw.spawn_count;
        draw.orientation
    }

    /// Counts a piece in the statistics.
    pub(super) fn count_piece(&mut self, orientation: Orientation) {
        let entry = STATISTICS + COUNT_SIZE * orientation.piece().index();
        [self.ram[entry], self.ram[entry + 1]] = count_piece([self.ram[entry], self.ram[entry + 1]]);
    }
}
