//! Can a game be in this position?

use super::error::PositionError;
use maxout_engine::game::level::level_after;
use maxout_engine::game::{
    FULL_ROW, HIDDEN_ROWS, HIGHEST_START_LEVEL, MAXOUT, Placement, Playfield, Position, ROWS, SPAWN_X, WIDTH,
};

/// Cells of a piece.
const PIECE_CELLS: u32 = 4;
/// Lines up to which the rule of levels holds as numbers; then its digits run over.
const MAX_LINES: u16 = 2_200;

/// Refuses a playfield that no A-type game has between two pieces: a full row, an empty row below a
/// cell. The first problem is the error.
///
/// # Errors
/// As above.
pub fn check_playfield(playfield: &Playfield) -> Result<(), PositionError> {
    let rows = playfield.visible();
    if let Some(row) = rows.iter().position(|&row| row == FULL_ROW) {
        return Err(PositionError::FullRow { row });
    }
    let top = playfield.top();
    if let Some(row) = (top..ROWS).find(|&row| rows[row] == 0) {
        return Err(PositionError::Floating { above: row - 1, row });
    }
    Ok(())
}

/// Has it an odd number of cells? A game has only where a piece has locked partly above the top or row 0 was cleared, which
/// takes the bottom row away.
pub(super) fn is_odd(playfield: &Playfield) -> bool {
    !playfield.cell_count().is_multiple_of(2)
}

/// Refuses an odd number of cells after so few lines that the stack has not been at the top: what leaves an odd number
/// leaves cells in row 0, and each line lowers them by one row.
///
/// # Errors
/// As above.
pub fn check_cells(playfield: &Playfield, lines: u16) -> Result<(), PositionError> {
    if !is_odd(playfield) || playfield.top() <= usize::from(lines) {
        return Ok(());
    }
    Err(PositionError::Odd { cells: playfield.cell_count(), lines })
}

/// Refuses a number of lines that does not fit the playfield: each piece has four cells and each line
/// takes ten. A game in which row 0 was cleared or a piece locked above the top is an exception.
///
/// # Errors
/// When they do not fit.
pub fn check_lines(playfield: &Playfield, lines: u16) -> Result<(), PositionError> {
    let cells = playfield.cell_count();
    let sum = cells + WIDTH as u32 * u32::from(lines);
    if sum.is_multiple_of(PIECE_CELLS) { Ok(()) } else { Err(PositionError::Parity { cells, lines, sum }) }
}

/// Refuses a level that no start level leads to after these lines.
///
/// # Errors
/// When there is none.
pub fn check_level(level: u8, lines: u16) -> Result<(), PositionError> {
    let levels = (0..=HIGHEST_START_LEVEL).map(|start| level_after(start, lines));
    if lines >= MAX_LINES || levels.clone().any(|possible| possible == level) {
        return Ok(());
    }
    let [lowest, highest] = [levels.clone().min(), levels.clone().max()].map(Option::unwrap_or_default);
    let possible = if level < lowest {
        format!("after so many lines every game is at level {lowest} or higher")
    } else if level > highest {
        format!("after so many lines no game is above level {highest}")
    } else {
        "no start level leads there".to_owned()
    };
    Err(PositionError::Level { level, lines, possible })
}

/// Refuses a piece that is outside of the playfield or where full cells are. Where it spawns there may be full cells: it
/// can still be moved out of them.
///
/// # Errors
/// The first such cell.
pub fn check_place(playfield: &Playfield, place: Placement) -> Result<(), PositionError> {
    let Placement { orientation, x, y } = place;
    let piece = orientation.piece();
    let spawns = orientation == piece.spawn() && (x, y) == (SPAWN_X, 0);
    for (dy, dx) in orientation.cells() {
        let (row, column) = (y.saturating_add(*dy), x.saturating_add(*dx));
        let is_inside = (-(HIDDEN_ROWS as i8)..ROWS as i8).contains(&row) && (0..WIDTH as i8).contains(&column);
        if !is_inside {
            return Err(PositionError::Outside { piece, x, y });
        }
        if playfield.occupied(row, column as usize) && !spawns {
            return Err(PositionError::Overlap { piece, row, column });
        }
    }
    Ok(())
}

/// Refuses a position that no A-type game has at a spawn: the checks of this module together, but for
/// ten times the lines and the cells as a multiple of four ([`check_lines`]), which a position that somebody made up
/// need not keep.
///
/// # Errors
/// The first problem.
pub fn check(position: &Position) -> Result<(), PositionError> {
    check_playfield(&position.playfield)?;
    check_cells(&position.playfield, position.lines)?;
    check_level(position.level, position.lines)?;
    if position.score > MAXOUT { Err(PositionError::Score(position.score)) } else { Ok(()) }
}
