//! Playfields that a game of the learning begins with.

use maxout_engine::game::{FULL_ROW, Orientation, Placement, ROWS, WIDTH};
use maxout_engine::tas::Page;

use crate::tas::dice::Dice;

/// The lowest row of a page that is filled: those below the floor come back above the top.
const LOWEST_ROW: i8 = 22;
/// The holes of sunk rows lie below each other, but for one row in so many. Chosen by hand, not measured.
const ALIGNED: usize = 10;
/// Pieces that are taken out at most: one tetris' worth.
const MOST_OUT: usize = 10;

/// Sunk rows with one hole each, and over them the rows of a tetris with some pieces taken out again.
pub(super) fn sunk(dice: &mut Dice) -> Page {
    let mut page = Page::EMPTY;
    let first = 3 + dice.roll(14) as i8;
    let mut hole = dice.roll(WIDTH) as i8;
    for row in first..=LOWEST_ROW {
        if dice.roll(ALIGNED) == 0 {
            hole = dice.roll(WIDTH) as i8;
        }
        (0..WIDTH as i8).filter(|&column| column != hole).for_each(|column| page.occupy(row, column));
    }
    for row in (first - 4).max(0)..first {
        (0..WIDTH as i8).for_each(|column| page.occupy(row, column));
    }
    for _ in 0..=dice.roll(MOST_OUT) {
        take_out(&mut page, dice);
    }
    page
}

/// Takes out a piece that could have dropped there as the last one.
fn take_out(page: &mut Page, dice: &mut Dice) {
    let mut found: Vec<Placement> = Vec::new();
    for orientation in Orientation::all() {
        for (y, x) in (0..ROWS as i8).flat_map(|y| (0..WIDTH as i8).map(move |x| (y, x))) {
            let placement = Placement { orientation, x, y };
            let cells = placement.cells();
            let is_last = cells.iter().all(|&(row, column)| {
                (0..WIDTH as i8).contains(&column)
                    && (0..ROWS as i8).contains(&row)
                    && page.is_occupied(row, column)
                    && (0..row).all(|above| !page.is_occupied(above, column) || cells.contains(&(above, column)))
            });
            if is_last {
                found.push(placement);
            }
        }
    }
    if found.is_empty() {
        return;
    }
    let cells = found[dice.roll(found.len())].cells();
    let old = *page;
    *page = Page::EMPTY;
    for row in -2..=LOWEST_ROW {
        let columns = (0..WIDTH as i8).filter(|&column| old.row(row) & FULL_ROW & 1 << column != 0);
        columns.filter(|&column| !cells.contains(&(row, column))).for_each(|column| page.occupy(row, column));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_start_has_sunk_rows_and_room_above_them() {
        let mut dice = Dice(7);
        for _ in 0..200 {
            let page = sunk(&mut dice);
            let cells: u32 = (-2..=LOWEST_ROW).map(|row| page.row(row).count_ones()).sum();
            let ready = (0..=LOWEST_ROW).filter(|&row| page.row(row).count_ones() == 9).count();
            assert!(ready >= 3, "{ready} ready rows");
            assert_eq!(page.row(-1) | page.row(-2), 0);
            // Whole pieces were taken out of whole rows.
            let first = (0..=LOWEST_ROW).find(|&row| page.row(row) != 0).unwrap_or(0);
            assert!(first < 18 && cells > 40, "row {first}, {cells} cells");
        }
    }
}
