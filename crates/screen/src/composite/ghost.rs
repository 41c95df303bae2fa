//! Where the plan puts the falling piece and the next one, drawn into the picture's playfield.

use super::canvas::{Canvas, Rgb};
use super::colours::{NEXT_TARGET, TARGET};
use super::cover::COVERS;
use crate::model::Cell;
use maxout_engine::game::{ROWS, WIDTH};

/// Where the game draws its playfield: pixels from the left and the top of the picture.
pub(super) const FIELD_AT: (i32, i32) = (96, 48);
/// Pixels of a cell. The last column and the last row of them stay empty between cells.
pub(super) const CELL: i32 = 8;

/// The style of a ghost: eighths of its colour on the edge and inside.
struct GhostStyle {
    colour: Rgb,
    edge: u16,
    inside: u16,
}

/// Draws the ghosts of a playfield.
pub(super) fn draw(canvas: &mut Canvas, cells: &[[Cell; WIDTH]; ROWS]) {
    let next = GhostStyle { colour: NEXT_TARGET, edge: 4, inside: 0 };
    shape(canvas, cells, |cell| matches!(cell, Cell::NextTarget(_)), &next);
    let target = GhostStyle { colour: TARGET, edge: COVERS, inside: 2 };
    shape(canvas, cells, |cell| matches!(cell, Cell::Target(_)), &target);
}

/// Draws the cells that are meant as one shape with an edge of one pixel of the console.
fn shape(canvas: &mut Canvas, cells: &[[Cell; WIDTH]; ROWS], is_meant: impl Fn(Cell) -> bool, style: &GhostStyle) {
    let has = |column: i32, row: i32| {
        let row = usize::try_from(row).ok().and_then(|row| cells.get(row));
        let cell = row.and_then(|row| usize::try_from(column).ok().and_then(|column| row.get(column)));
        cell.is_some_and(|&cell| is_meant(cell))
    };
    let is_inside = |x: i32, y: i32| {
        let (column, row) = (x.div_euclid(CELL), y.div_euclid(CELL));
        // The gap between two cells belongs to the shape only if the shape continues after it.
        let across = 0..=i32::from(x.rem_euclid(CELL) == CELL - 1);
        let mut down = 0..=i32::from(y.rem_euclid(CELL) == CELL - 1);
        down.all(|dy| across.clone().all(|dx| has(column + dx, row + dy)))
    };
    for (row, line) in (0..).zip(cells) {
        for (column, _) in (0..).zip(line).filter(|&(_, &cell)| is_meant(cell)) {
            for (x, y) in (0..CELL * CELL).map(|at| (column * CELL + at % CELL, row * CELL + at / CELL)) {
                if is_inside(x, y) {
                    let is_edge = (-1..=1).any(|dy| (-1..=1).any(|dx| !is_inside(x + dx, y + dy)));
                    let part = if is_edge { style.edge } else { style.inside };
                    canvas.mix_unit(FIELD_AT.0 + x, FIELD_AT.1 + y, style.colour, part);
                }
            }
        }
    }
}
