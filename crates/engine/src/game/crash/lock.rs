//! What the length of a scoring pass depends on, and the length in cycles of the processor.

use crate::game::memory::address::{
    ALLEGRO, COMPLETED_LINES, COMPLETED_ROW, CURRENT_PIECE, FRAME_COUNTER, GAME_MODE_STATE, GAME_TYPE, HIDE_NEXT,
    HOLD_DOWN_POINTS, LEVEL_NUMBER, LINE_CLEAR_STATS, LINES, PLAY_STATE, PLAYFIELD, ROW_Y,
};
use crate::game::memory::tile::EMPTY;
use crate::game::memory::{ANIMATION_STEPS, GameModeState, GameType, PlayState, Ram};
use crate::game::playfield::{Playfield, WIDTH};
use crate::game::scoring::{Progress, count_clear};
use crate::game::{Orientation, Placement};

/// The part of every scoring pass that depends on nothing.
const ALWAYS: u32 = 7_279;
/// Cycles of the point loop for 0 to 4 rows: for each level, and once. The level is the one after the
/// clear.
const POINT_LOOP: [[u32; 2]; 5] = [[83, 737], [136, 28], [125, 56], [125, 84], [125, 128]];
/// Adding a completed row in or below [`FAR_ROW`], and above it.
const ROW: [u32; 2] = [97, 95];
/// From this row on, the address of a row takes two cycles more.
const FAR_ROW: u8 = 11;
/// Drawing the next box.
pub(super) const NEXT_BOX: u32 = 394;
/// Looking through row 5 for the music's speed: when all ten cells are empty, and more when the music was
/// fast before.
const EMPTY_ROW: [u32; 2] = [149, 38];
/// The same, for each empty cell before the first block, and more when the music was slow before.
const BLOCK: [u32; 2] = [16, 41];
/// The ones digit of the lines wraps; the tens digit wraps too; the level goes up.
const WRAPS: [u32; 3] = [79, 12, 18];
/// Pushdown points are added, and more when there are fewer than eight rows of them.
const PUSHDOWN: [u32; 2] = [90, 9];
/// No pushdown points, for 0 to 4 rows.
const NO_PUSHDOWN: [u32; 5] = [0, 53, 42, 42, 42];
/// The count of the clears of this kind reaches a multiple of ten.
const TENTH_CLEAR: u32 = 11;
/// The current piece has the orientation id 8; a higher one, as that of a hidden piece.
const PIECE: [u32; 2] = [8, 12];
/// Select was newly pressed.
const SELECT: u32 = 7;
/// A tetris in a frame in which the screen flashes.
const FLASH: u32 = 5;
/// The row of the playfield that sets the music's speed.
pub(super) const MUSIC_ROW: usize = 5;

/// Row 5 of the playfield, which sets the music's speed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Music {
    /// The first column with a block after the clear; `None` when the row is empty.
    pub first_block: Option<u8>,
    /// Did the row have a block when the piece locked, before the clear?
    pub was_fast: bool,
}

/// A lock in the frame that scores it: what the length of that frame's pass depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lock {
    /// The level after the clear.
    pub level: u8,
    /// Lines after the clear.
    pub lines: u16,
    /// Completed rows, 0 to 4.
    pub rows: u8,
    /// How many of them are in row 11 or below, counted from 0 at the top.
    pub far_rows: u8,
    /// The ones digit of the lines went from 9 to 0 or past it.
    pub ones_wrap: bool,
    /// The tens digit did too.
    pub tens_wrap: bool,
    /// The level went up.
    pub level_up: bool,
    /// The next box is hidden.
    pub next_hidden: bool,
    /// The music's speed.
    pub music: Music,
    /// Rows of the pushdown (`$6F`).
    pub pushdown: u8,
    /// The count of clears of this kind reaches a multiple of ten.
    pub tenth_clear: bool,
    /// The current piece (`$62`), which a clear hides.
    pub piece: u8,
    /// Select is newly pressed in this frame.
    pub select: bool,
    /// A tetris in a frame in which the screen flashes.
    pub flash: bool,
}

impl Lock {
    /// The lock that the frame after this sample scores; `None` in all other frames. Select, pressed in
    /// that frame, is not known yet.
    pub fn next(ram: &Ram) -> Option<Lock> {
        // In a pause, at half speed and in a slow frame the next frame has no play update of its own.
        if ![GameModeState::SetUp, GameModeState::Running].map(GameModeState::byte).contains(&ram[GAME_MODE_STATE]) {
            return None;
        }
        // The interrupt that makes the last step of the animation leads to the score in the same frame.
        let is_last_step = ram[PLAY_STATE] == PlayState::ClearAnimation.byte()
            && ram[ROW_Y] == ANIMATION_STEPS - 1
            && ram[FRAME_COUNTER].is_multiple_of(4);
        let is_next = ram[PLAY_STATE] == PlayState::Score.byte() || is_last_step;
        is_next.then(|| Lock::of(ram, ram[FRAME_COUNTER]))
    }

    /// The lock that the running frame scores, after its interrupt.
    pub fn now(ram: &Ram, select: bool) -> Lock {
        Lock { select, ..Lock::of(ram, ram[FRAME_COUNTER].wrapping_sub(1)) }
    }

    /// `frame_counter` is its low byte before the interrupt of the frame that scores.
    fn of(ram: &Ram, frame_counter: u8) -> Lock {
        let rows = ram[COMPLETED_LINES].min(4);
        let before = Progress { lines_low: ram[LINES], lines_high: ram[LINES + 1], level: ram[LEVEL_NUMBER] };
        let mut after = before;
        if ram[GAME_TYPE] == GameType::A.byte() {
            after.count_a_type(rows);
        }
        let far = ram[COMPLETED_ROW..][..4].iter().filter(|&&row| row >= FAR_ROW).count() as u8;
        let kind = usize::from(rows.max(1)) - 1;
        let music_row = &ram[PLAYFIELD + WIDTH * MUSIC_ROW..][..WIDTH];
        Lock {
            rows,
            far_rows: far.min(rows),
            next_hidden: ram[HIDE_NEXT] != 0,
            music: Music {
                first_block: music_row.iter().position(|&tile| tile != EMPTY).map(|column| column as u8),
                was_fast: ram[ALLEGRO] != 0,
            },
            pushdown: ram[HOLD_DOWN_POINTS],
            tenth_clear: rows > 0 && count_clear(ram[LINE_CLEAR_STATS + kind]).trailing_zeros() >= 4,
            piece: ram[CURRENT_PIECE],
            select: false,
            flash: rows == 4 && frame_counter.is_multiple_of(8),
            ..Lock::counted(before, after)
        }
    }

    /// A placement before it is played: the playfield before it, `pushdown` rows of pushdown at its lock,
    /// and the clears of one to four rows so far. The next box is shown; whether the screen flashes is not
    /// known.
    pub fn planned(
        playfield: &Playfield,
        placement: Placement,
        before: Progress,
        pushdown: u8,
        clears: [u32; 4],
    ) -> Lock {
        let mut cleared = *playfield;
        let completed = cleared.lock(placement);
        let was_fast =
            playfield.row(MUSIC_ROW as i8) != 0 || placement.cells().iter().any(|&(row, _)| row == MUSIC_ROW as i8);
        let first_block = (0..WIDTH).find(|&column| cleared.occupied(MUSIC_ROW as i8, column));
        let rows = completed.count;
        let mut after = before;
        after.count_a_type(rows);
        let kind = usize::from(rows.max(1)) - 1;
        Lock {
            rows,
            far_rows: completed.rows().iter().filter(|&&row| row >= FAR_ROW).count() as u8,
            music: Music { first_block: first_block.map(|column| column as u8), was_fast },
            pushdown,
            tenth_clear: rows > 0 && (clears[kind] + 1).is_multiple_of(10),
            piece: if rows > 0 { Orientation::HIDDEN_ID } else { placement.orientation.id() },
            ..Lock::counted(before, after)
        }
    }

    /// A lock between these counts, and nothing else.
    pub(super) fn counted(before: Progress, after: Progress) -> Lock {
        Lock {
            level: after.level,
            lines: after.lines(),
            rows: 0,
            far_rows: 0,
            ones_wrap: after.lines() / 10 != before.lines() / 10,
            tens_wrap: after.lines() / 100 != before.lines() / 100,
            level_up: after.level != before.level,
            next_hidden: false,
            music: Music { first_block: None, was_fast: false },
            pushdown: 0,
            tenth_clear: false,
            piece: 0,
            select: false,
            flash: false,
        }
    }

    /// T: cycles from the interrupt to the first of the jumps that follow the score, but for up to eight
    /// that the model does not know.
    pub fn cycles(&self) -> u32 {
        let rows = usize::from(self.rows.min(4));
        let [a_level, once] = POINT_LOOP[rows];
        let far = u32::from(self.far_rows);
        let [empty, was_fast] = EMPTY_ROW;
        let [column, was_slow] = BLOCK;
        let music = match self.music {
            Music { first_block: None, was_fast: before } => empty + if before { was_fast } else { 0 },
            Music { first_block: Some(first), was_fast: before } => {
                column * u32::from(first) + if before { 0 } else { was_slow }
            }
        };
        let [ones, tens, level_up] = WRAPS;
        let [points, few] = PUSHDOWN;
        let pushdown = match self.pushdown as i8 {
            ..2 => NO_PUSHDOWN[rows],
            2..8 => points + few,
            8.. => points,
        };
        let [eight, more] = PIECE;
        let when = |is: bool, cycles: u32| if is { cycles } else { 0 };
        ALWAYS
            + a_level * u32::from(self.level)
            + once
            + ROW[0] * far
            + ROW[1] * (u32::from(self.rows.min(4)).saturating_sub(far))
            + when(!self.next_hidden, NEXT_BOX)
            + music
            + when(self.ones_wrap, ones)
            + when(self.tens_wrap, tens)
            + when(self.level_up, level_up)
            + pushdown
            + when(self.tenth_clear, TENTH_CLEAR)
            + when(self.piece == 8, eight)
            + when(self.piece > 8, more)
            + when(self.select, SELECT)
            + when(self.flash, FLASH)
    }
}
