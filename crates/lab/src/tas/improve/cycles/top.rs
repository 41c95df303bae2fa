//! What lies above the ready rows between two cycles.

use std::ops::Range;

use maxout_engine::game::{FULL_ROW, ROWS, WIDTH};
use maxout_engine::tas::Page;
use serde::{Deserialize, Serialize};

use super::upper::{END, Upper};

/// The uppermost row that is not empty after a clear of the rows 0 to 2.
pub(in crate::tas) const FIRST: i8 = 4;
/// Most rows above the ready ones. The cycles of the games that were looked at leave one or two; three are left out.
const MOST: usize = 2;
/// Rows from the first one down to the floor: the ready ones and those above them.
pub(super) const ROOM: usize = ROWS - FIRST as usize;

/// The rows above the ready ones, which have their hole all in the same column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "(usize, Vec<u16>)", into = "(usize, Vec<u16>)")]
pub(in crate::tas) struct Top {
    /// The rows from row 4 on; 0: there are no more.
    rows: [u16; MOST],
    /// A ready row.
    ready: u16,
}

/// The column of the ready rows' holes, and the rows above.
impl From<Top> for (usize, Vec<u16>) {
    fn from(top: Top) -> (usize, Vec<u16>) {
        ((!top.ready).trailing_zeros() as usize, top.above().to_vec())
    }
}

impl TryFrom<(usize, Vec<u16>)> for Top {
    type Error = &'static str;

    fn try_from((hole, above): (usize, Vec<u16>)) -> Result<Top, Self::Error> {
        let is_possible = hole < WIDTH && above.iter().all(|&row| row < FULL_ROW);
        is_possible.then(|| Top::over(hole, &above)).flatten().ok_or("expected a top")
    }
}

impl Top {
    /// What lies above the rows with a hole in this column, and how many such rows there are.
    pub(in crate::tas) fn of(page: &Page, hole: usize) -> Option<(Top, usize)> {
        let ready = FULL_ROW & !(1 << hole);
        let first = (FIRST..=FIRST + MOST as i8).find(|&row| page.row(row) == ready)?;
        let above = FIRST..first;
        if (0..FIRST).any(|row| page.row(row) != 0) {
            return None;
        }
        let top = Top::over(hole, &above.map(|row| page.row(row)).collect::<Vec<_>>())?;
        // Row 20 is below the floor; what has sunk there is lost, but still in the page.
        let count = (first..=ROWS as i8).take_while(|&row| page.row(row) == ready).count();
        Some((top, count))
    }

    /// Nothing but ready rows.
    pub(in crate::tas) const fn bare(hole: usize) -> Top {
        Top { rows: [0; MOST], ready: FULL_ROW & !(1 << hole) }
    }

    /// These rows over ready ones; `None` if there are more than two, or one of them is empty or full.
    pub(in crate::tas) fn over(hole: usize, above: &[u16]) -> Option<Top> {
        let mut top = Top::bare(hole);
        top.rows.get_mut(..above.len())?.copy_from_slice(above);
        (!above.contains(&0) && !above.contains(&FULL_ROW)).then_some(top)
    }

    /// The rows above the ready ones.
    pub(in crate::tas) fn above(&self) -> &[u16] {
        &self.rows[..self.count()]
    }

    /// How many rows lie above the ready ones.
    pub(super) fn count(&self) -> usize {
        self.rows.iter().take_while(|&&row| row != 0).count()
    }

    /// The rows in which pieces lock before the next clear.
    pub(super) fn built(&self) -> Range<i8> {
        -1..FIRST + self.count() as i8
    }

    fn row(&self, row: i8) -> u16 {
        match row - FIRST {
            ..0 => 0,
            at => self.rows.get(at as usize).copied().filter(|&row| row != 0).unwrap_or(self.ready),
        }
    }

    /// The playfield with these rows, and ready ones down to the floor.
    pub(super) fn page(&self) -> Page {
        self.page_with(Upper::NONE)
    }

    /// The same with more cells.
    pub(super) fn page_with(&self, more: Upper) -> Page {
        let mut page = Page::EMPTY;
        for row in -1..ROWS as i8 {
            let more = if row < END { more.row(row) } else { 0 };
            let cells = self.row(row) | more;
            (0..WIDTH as i8).filter(|column| cells >> column & 1 == 1).for_each(|column| page.occupy(row, column));
        }
        page
    }

    /// Its cells in the upper rows.
    pub(in crate::tas) fn cells(&self) -> Upper {
        Upper::of(&self.page())
    }

    /// The cells just before a cycle from here ends with that top, without those above row 0; `None` if no cycle does.
    /// The rows 0 to 2 are full, and all others are one row higher than after it.
    pub(in crate::tas) fn before(&self, then: &Top) -> Option<Upper> {
        let lower = (3..END).map(|row| Upper::in_row(then.row(row + 1), row));
        let before = lower.fold(Upper::COMPLETED, Upper::with);
        let built = self.built();
        let stays = (built.end..END).all(|row| before.row(row) == self.row(row));
        (self.cells().lies_within(before) && stays).then_some(before)
    }

    /// The ready rows after a cycle that ends with that top, from `ready` before it: one row sinks.
    pub(super) fn ready_after(&self, then: &Top, ready: usize) -> Option<usize> {
        (ready + self.count() + 1).checked_sub(then.count())
    }
}
