//! Setting up a game, and B-type's garbage rows.

use super::demo_table::DEMO_ADDRESS;
use super::model::Simulation;
use super::task::Task;
use crate::game::HIGHEST_START_HEIGHT;
use crate::game::control::SPAWN_X;
use crate::game::memory::address::{
    ALLEGRO, AUTOREPEAT_Y, CURRENT_PIECE, DEMO_HELD_BUTTONS, DEMO_INDEX, DEMO_POINTER, DEMO_REPEATS, FALL_TIMER,
    GENERAL_COUNTER, LEVEL_NUMBER, LINE_CLEAR_STATS, LINES, NEXT_PIECE, NEXT_PIECE_2, PAGE, PENDING_GARBAGE,
    PLAY_STATE, PLAYER, PLAYER_2, PLAYFIELD, RENDER_FLAGS, RNG, SCORE, SCORE_SIZE, SPAWN_ID, START_HEIGHT, START_LEVEL,
    STATISTICS, STATISTICS_SIZE, TETRIMINO_X, TETRIMINO_Y, VRAM_ROW,
};
use crate::game::memory::tile::{EMPTY, FIRST, SECOND, WHITE};
use crate::game::memory::{GameModeState, PlayState, RenderMode, render_flag};
use crate::game::playfield::{ROWS, WIDTH};
use crate::game::timing::FIRST_PIECE_HOLD;

/// Lines to clear in a B-type game, BCD.
const B_TYPE_LINES: u8 = 0x25;
/// The first row that B-type fills with garbage, at any height.
const FIRST_GARBAGE_ROW: u8 = 8;
/// B-type: tiles by three random bits (table at `$887C`).
const GARBAGE_TILES: [u8; 8] = [EMPTY, WHITE, EMPTY, SECOND, FIRST, FIRST, EMPTY, EMPTY];
/// B-type: last blanked cell by height (table at `$8876`).
const LAST_BLANKED: [u8; HIGHEST_START_HEIGHT as usize + 1] = [0xC8, 0xAA, 0x96, 0x78, 0x64, 0x50];

impl Simulation {
    /// Sets a game up. The DAS counter, `spawnCount` and `hideNext` survive from the game before;
    /// other counters are zero by now or soon rewritten.
    pub(super) fn start_game(&mut self) {
        let b_type = self.is_b_type();
        self.ram[PLAYFIELD..PLAYFIELD + PAGE].fill(EMPTY);
        self.ram[STATISTICS..STATISTICS + STATISTICS_SIZE].fill(0);
        self.ram[LINE_CLEAR_STATS..LINE_CLEAR_STATS + 4].fill(0);
        self.ram[SCORE..SCORE + SCORE_SIZE].fill(0);
        self.ram[LINES] = if b_type { B_TYPE_LINES } else { 0 };
        self.ram[LINES + 1] = 0;
        self.set_play_state(PlayState::Control);
        self.ram[LEVEL_NUMBER] = self.ram[START_LEVEL];
        self.ram[TETRIMINO_X] = SPAWN_X as u8;
        self.ram[TETRIMINO_Y] = 0;
        self.ram[VRAM_ROW] = 0;
        self.ram[FALL_TIMER] = 0;
        self.ram[AUTOREPEAT_Y] = FIRST_PIECE_HOLD;
        self.ram[ALLEGRO] = 0;
        self.ram[PENDING_GARBAGE..PENDING_GARBAGE + 2].fill(0);
        self.ram[DEMO_HELD_BUTTONS..=DEMO_REPEATS].fill(0);
        [self.ram[DEMO_POINTER], self.ram[DEMO_POINTER + 1]] = DEMO_ADDRESS.to_le_bytes();
        self.ram[DEMO_INDEX] = 0;
        self.set_render_mode(RenderMode::Play);
        self.ram[RENDER_FLAGS] = render_flag::GAME;
        self.set_game_mode_state(GameModeState::SetUp);
        // The scratch counter of the routine that empties the playfield.
        self.ram[GENERAL_COUNTER] = 1;

        self.ram[SPAWN_ID] = 0;
        let first = self.draw_piece();
        self.ram[CURRENT_PIECE] = first.id();
        self.count_piece(first);
        self.clock_randomizer();
        let next = self.draw_piece().id();
        self.ram[NEXT_PIECE] = next;
        self.ram[NEXT_PIECE_2] = next;

        // The second player's block is set up, too; of it only the fall timer counts afterwards.
        const OTHER: usize = PLAYER_2 - PLAYER;
        for address in [TETRIMINO_X, CURRENT_PIECE, FALL_TIMER, PLAY_STATE, AUTOREPEAT_Y, LINES] {
            self.ram[OTHER + address] = self.ram[address];
        }

        self.task = if b_type { Task::Garbage { row: FIRST_GARBAGE_ROW } } else { Task::Play };
    }

    /// Fills one row with garbage except one column. After the last row, the rows above the chosen
    /// height are blanked, and the game begins in the same frame.
    pub(super) fn garbage_row(&mut self, row: u8) {
        if usize::from(row) == ROWS {
            self.blank_above_garbage();
            self.gameplay_frame();
            return;
        }
        let start = PLAYFIELD + WIDTH * row as usize;
        self.write_playfield_address();
        for column in (0..WIDTH).rev() {
            self.clock_randomizer();
            self.ram[start + column] = GARBAGE_TILES[(self.ram[RNG] & 7) as usize];
        }
        // The scratch counters: rows left, row, last tile, hole.
        let (tile, hole) = (self.ram[start], self.random_column());
        self.ram[GENERAL_COUNTER] = ROWS as u8 - row;
        self.ram[GENERAL_COUNTER + 1] = row;
        self.ram[GENERAL_COUNTER + 3] = tile;
        self.ram[GENERAL_COUNTER + 4] = hole;
        self.ram[start + usize::from(hole)] = EMPTY;
        self.ram[VRAM_ROW] = 0;
        self.task = Task::Garbage { row: row + 1 };
    }

    /// Quirk: the table's last index is blanked too, the leftmost cell of the first row.
    fn blank_above_garbage(&mut self) {
        let height = (self.ram[START_HEIGHT] as usize).min(LAST_BLANKED.len() - 1);
        self.ram[PLAYFIELD..=PLAYFIELD + LAST_BLANKED[height] as usize].fill(EMPTY);
    }
}
