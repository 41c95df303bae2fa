//! The rows of a playfield as the estimate sees them.

use maxout_engine::game::{ROWS, WIDTH};
use maxout_engine::tas::Page;

/// What the estimate looks at.
pub(super) struct Surface {
    pub rows: [u16; ROWS],
    /// Empty cells with an occupied one above them, row by row.
    pub covered: [u16; ROWS],
    /// The uppermost occupied row of each column; 20 where there is none.
    pub tops: [u8; WIDTH],
}

impl Surface {
    pub(super) fn of(page: &Page) -> Surface {
        let mut surface = Surface { rows: [0; ROWS], covered: [0; ROWS], tops: [ROWS as u8; WIDTH] };
        let mut above = page.row(-2) | page.row(-1);
        for column in columns_of(above) {
            surface.tops[column] = 0;
        }
        for row in 0..ROWS {
            let cells = page.row(row as i8);
            surface.rows[row] = cells;
            surface.covered[row] = above & !cells;
            for column in columns_of(cells & !above) {
                surface.tops[column] = row as u8;
            }
            above |= cells;
        }
        surface
    }
}

/// The columns of a row that are occupied.
pub(super) fn columns_of(mut cells: u16) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let column = (cells != 0).then(|| cells.trailing_zeros() as usize);
        cells &= cells.wrapping_sub(1);
        column
    })
}
