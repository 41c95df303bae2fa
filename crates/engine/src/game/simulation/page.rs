//! The playfield's page of RAM as something to collide with.

use crate::game::Orientation;
use crate::game::control::Obstacles;
use crate::game::memory::address::PAGE;
use crate::game::memory::tile::{EMPTY, is_solid};
use crate::game::placement::Placement;
use crate::game::playfield::{HIDDEN_ROWS, Playfield, ROWS, WIDTH};

/// The 256 bytes at `$0400`. Rows -1 and -2 are its last twenty bytes, because the game's
/// index wraps at 256.
pub(super) struct Page<'a>(pub(super) &'a [u8; PAGE]);

/// The first row above the top that exists.
const TOP_ROW: i8 = -(HIDDEN_ROWS as i8);

impl Obstacles for Page<'_> {
    fn fits(&self, orientation: Orientation, x: i8, y: i8) -> bool {
        orientation.cells().iter().all(|&(dy, dx)| {
            let (row, column) = (y.wrapping_add(dy), x.wrapping_add(dx));
            (TOP_ROW..ROWS as i8).contains(&row)
                && (0..WIDTH as i8).contains(&column)
                && !is_solid(self.0[cell(row, column) as usize])
        })
    }
}

/// Index of a cell in the page.
fn cell(row: i8, column: i8) -> u8 {
    (row as u8).wrapping_mul(WIDTH as u8).wrapping_add(column as u8)
}

/// The indices of the four cells of a placement.
pub(super) fn cells(placement: Placement) -> [u8; 4] {
    placement.orientation.cells().map(|(dy, dx)| cell(placement.y.wrapping_add(dy), placement.x.wrapping_add(dx)))
}

/// The page as bits: every cell that is not empty is occupied.
pub(super) fn playfield(page: &[u8; PAGE]) -> Playfield {
    let mut playfield = Playfield::EMPTY;
    for row in TOP_ROW..ROWS as i8 {
        for column in 0..WIDTH {
            if page[cell(row, column as i8) as usize] != EMPTY {
                playfield.set(row, column);
            }
        }
    }
    playfield
}
