//! Made-up games for the tests.

use crate::simulate::{Ending, GameResult};
use maxout_engine::game::{ROWS, WIDTH};

/// A game of 500 pieces with this many points.
pub fn result(points: u64) -> GameResult {
    let mut lock_rows = [0; ROWS];
    let mut lock_cells = [[0; WIDTH]; ROWS];
    for row in 10..ROWS {
        lock_rows[row] = 1 << (row - 10);
        lock_cells[row] = [1 << (row - 10); WIDTH];
    }
    GameResult {
        game: 0,
        ending: Ending::Topout,
        points,
        pushdown: 0,
        score: points.min(999_999) as u32,
        points_by_29: points,
        pushdown_by_29: 0,
        reached_29: false,
        by_39: None,
        lines: 200,
        level: 25,
        pieces: 500,
        frames: 20_000,
        clears: [0, 0, 0, 50],
        perfect_clears: 0,
        longest_drought: 20,
        lock_rows,
        lock_cells,
        survival: None,
    }
}

/// This many games, their points spread evenly up to `best`.
pub fn games(count: u64, best: u64) -> Vec<GameResult> {
    (1..=count).map(|number| result(best * number / count)).collect()
}
