//! The rows -1 to 6 as a set of cells: where cycles at the top are built.

use maxout_engine::game::{FULL_ROW, Placement, WIDTH};
use maxout_engine::tas::Page;
use serde::{Deserialize, Serialize};

/// The first row.
const FIRST: i8 = -1;
/// The row after the last one.
pub(in crate::tas) const END: i8 = 7;
/// Cells of a piece.
const PIECE: u32 = 4;

/// A set of cells of these rows, ten bits for each row, the uppermost row first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "u128")]
pub(in crate::tas) struct Upper(u128);

impl TryFrom<u128> for Upper {
    type Error = &'static str;

    fn try_from(cells: u128) -> Result<Upper, Self::Error> {
        if cells & !in_all_rows(FULL_ROW) == 0 { Ok(Upper(cells)) } else { Err("expected cells of the upper rows") }
    }
}

const fn row_of(cells: u16, row: i8) -> u128 {
    (cells as u128) << ((row - FIRST) as usize * WIDTH)
}

/// A row in every row.
const fn in_all_rows(cells: u16) -> u128 {
    let (mut all, mut row) = (0, FIRST);
    while row < END {
        all |= row_of(cells, row);
        row += 1;
    }
    all
}

/// All cells but those of the first column, and but those of the last one.
const NOT_FIRST: u128 = in_all_rows(FULL_ROW & !1);
const NOT_LAST: u128 = in_all_rows(FULL_ROW >> 1);
/// Where a piece that spawns has its cells or its centre: column 5 of row 0 is in all of them.
pub(in crate::tas) const SPAWN_COLUMN: u16 = 1 << 5;
/// Cells that stay free until the last piece of a cycle: without them no piece spawns and turns.
const SPAWN: u128 = row_of(SPAWN_COLUMN, 0) | row_of(SPAWN_COLUMN, 1);

impl Upper {
    pub(in crate::tas) const NONE: Upper = Upper(0);
    /// The cells above row 0.
    pub(in crate::tas) const ABOVE: Upper = Upper(row_of(FULL_ROW, FIRST));
    /// The rows 0 to 2, which a cycle completes.
    pub(in crate::tas) const COMPLETED: Upper = Upper(row_of(FULL_ROW, 0) | row_of(FULL_ROW, 1) | row_of(FULL_ROW, 2));

    pub(in crate::tas) fn of(page: &Page) -> Upper {
        Upper((FIRST..END).map(|row| row_of(page.row(row), row)).sum())
    }

    /// The cells of a piece; `None` if it reaches out of these rows.
    pub(in crate::tas) fn of_placement(placement: Placement) -> Option<Upper> {
        placement.cells().into_iter().try_fold(Upper::NONE, |cells, (row, column)| {
            let fits = (FIRST..END).contains(&row) && (0..WIDTH as i8).contains(&column);
            fits.then(|| cells.with(Upper(row_of(1 << column, row))))
        })
    }

    /// One row of this set.
    pub(in crate::tas) const fn row(self, row: i8) -> u16 {
        (self.0 >> ((row - FIRST) as usize * WIDTH)) as u16 & FULL_ROW
    }

    /// These cells of a row, in a row of the set.
    pub(in crate::tas) const fn in_row(cells: u16, row: i8) -> Upper {
        Upper(row_of(cells, row))
    }

    pub(in crate::tas) const fn with(self, other: Upper) -> Upper {
        Upper(self.0 | other.0)
    }

    pub(in crate::tas) const fn without(self, other: Upper) -> Upper {
        Upper(self.0 & !other.0)
    }

    pub(in crate::tas) const fn meets(self, other: Upper) -> bool {
        self.0 & other.0 != 0
    }

    pub(in crate::tas) const fn lies_within(self, other: Upper) -> bool {
        self.0 & !other.0 == 0
    }

    pub(in crate::tas) const fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// The same cells one row lower.
    const fn lower(self) -> u128 {
        self.0 << WIDTH
    }

    /// Does a piece in these cells lie on one of those?
    pub(in crate::tas) const fn lies_on(self, those: Upper) -> bool {
        self.lower() & those.0 != 0
    }

    /// Is a row full, or no place left for a piece that spawns?
    pub(in crate::tas) const fn is_closed(self) -> bool {
        let mut row = 0;
        while row < END {
            if self.row(row) == FULL_ROW {
                return true;
            }
            row += 1;
        }
        self.0 & SPAWN != 0
    }

    /// All cells that hang together with some of these, among those.
    const fn spread(mut cells: u128, among: u128) -> u128 {
        loop {
            let sides = (cells & NOT_LAST) << 1 | (cells & NOT_FIRST) >> 1;
            let wider = (cells | cells << WIDTH | cells >> WIDTH | sides) & among;
            if wider == cells {
                return cells;
            }
            cells = wider;
        }
    }

    /// Can a piece get from the spawn to each of these cells, as far as single cells say? `self` is occupied.
    pub(in crate::tas) const fn leaves_open(self, cells: Upper) -> bool {
        let free = !self.0 & in_all_rows(FULL_ROW);
        let reached = Upper::spread((row_of(SPAWN_COLUMN, 0) | row_of(SPAWN_COLUMN, FIRST)) & free, free);
        cells.0 & !reached == 0
    }

    /// Does each part that hangs together have a multiple of four cells? Otherwise no pieces fill it.
    pub(in crate::tas) const fn may_be_filled(self) -> bool {
        let mut rest = self.0;
        while rest != 0 {
            let part = Upper::spread(rest & rest.wrapping_neg(), rest);
            if !part.count_ones().is_multiple_of(PIECE) {
                return false;
            }
            rest &= !part;
        }
        true
    }
}
