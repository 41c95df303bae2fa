//! Sets of cells of the playfield.

use maxout_engine::game::{FULL_ROW, HIDDEN_ROWS, ROWS};

/// Rows of the playfield with the hidden ones.
const ALL_ROWS: usize = ROWS + HIDDEN_ROWS;
/// Cells of a piece.
const PIECE: u32 = 4;

/// A set of cells, the hidden rows included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Cells([u16; ALL_ROWS]);

impl Cells {
    pub(super) const NONE: Cells = Cells([0; ALL_ROWS]);

    /// Adds a cell; rows from -2 on.
    pub(super) fn add(&mut self, (row, column): (i8, i8)) {
        self.0[index(row)] |= 1 << column;
    }

    /// Takes a cell away.
    pub(super) fn remove(&mut self, (row, column): (i8, i8)) {
        self.0[index(row)] &= !(1 << column);
    }

    pub(super) fn has(&self, (row, column): (i8, i8)) -> bool {
        self.0[index(row)] >> column & 1 == 1
    }

    /// Can pieces fill all of it? Only their cells are counted: each part that hangs together must be a multiple of
    /// four.
    pub(super) fn may_be_filled(&self) -> bool {
        let mut rest = *self;
        while let Some(row) = rest.0.iter().position(|&cells| cells != 0) {
            if !rest.take_part(row).is_multiple_of(PIECE) {
                return false;
            }
        }
        true
    }

    /// Takes away what hangs together with the first cell of a row, and counts it.
    fn take_part(&mut self, row: usize) -> u32 {
        let mut part = [0_u16; ALL_ROWS];
        part[row] = self.0[row] & self.0[row].wrapping_neg();
        let (mut first, mut last) = (row, row);
        loop {
            let mut grows = false;
            for row in first.saturating_sub(1)..=(last + 1).min(ALL_ROWS - 1) {
                let above = if row > 0 { part[row - 1] } else { 0 };
                let below = part.get(row + 1).copied().unwrap_or(0);
                let mut cells = (part[row] | above | below) & self.0[row];
                loop {
                    let wider = (cells | cells << 1 | cells >> 1) & self.0[row] & FULL_ROW;
                    if wider == cells {
                        break;
                    }
                    cells = wider;
                }
                if cells != part[row] {
                    part[row] = cells;
                    grows = true;
                    first = first.min(row);
                    last = last.max(row);
                }
            }
            if !grows {
                break;
            }
        }
        for (cells, part) in self.0.iter_mut().zip(part) {
            *cells &= !part;
        }
        part.iter().map(|cells| cells.count_ones()).sum()
    }
}

const fn index(row: i8) -> usize {
    (row + HIDDEN_ROWS as i8) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(cells: &[(i8, i8)]) -> Cells {
        let mut all = Cells::NONE;
        cells.iter().for_each(|&cell| all.add(cell));
        all
    }

    #[test]
    fn each_part_is_counted_by_itself() {
        assert!(Cells::NONE.may_be_filled());
        let s = [(-2, 1), (-2, 2), (-1, 0), (-1, 1)];
        assert!(of(&s).may_be_filled());
        assert!(!of(&s[..3]).may_be_filled());
        // Eight cells, but not in fours.
        assert!(!of(&[&s[..], &[(5, 9), (6, 9), (7, 9), (19, 9)]].concat()).may_be_filled());
        // A ring around a free cell hangs together.
        let ring = [(3, 3), (3, 4), (3, 5), (4, 3), (4, 5), (5, 3), (5, 4), (5, 5)];
        assert!(of(&ring).may_be_filled());
        // Columns 0 and 9 are no neighbours.
        assert!(!of(&[(3, 0), (3, 1), (3, 9), (2, 9)]).may_be_filled());
    }

    #[test]
    fn cells_come_and_go() {
        let mut cells = of(&[(-2, 0), (19, 9)]);
        assert!(cells.has((-2, 0)) && cells.has((19, 9)) && !cells.has((0, 0)));
        cells.remove((19, 9));
        assert_eq!(cells, of(&[(-2, 0)]));
    }
}
