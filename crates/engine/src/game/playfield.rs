//! The playfield as rows of bits, with the two hidden rows above it.

use std::fmt;

use super::control::Obstacles;
use super::piece::Orientation;
use super::placement::Placement;

/// Columns of the playfield.
pub const WIDTH: usize = 10;
/// Visible rows of the playfield; row 0 is the top.
pub const ROWS: usize = 20;
/// Rows above the top that the game remembers: row -2 and row -1 (`$04EC-$04FF`).
pub const HIDDEN_ROWS: usize = 2;

/// A full row: all columns occupied.
pub const FULL_ROW: u16 = (1 << WIDTH) - 1;

/// The occupied cells: 20 rows of 10, and the two hidden rows -1 and -2.
///
/// Bit `x` of a row is column `x`; column 0 is on the left. The hidden rows are obstacles too: a
/// piece that locks partly above the top leaves its cells there. They are never checked for
/// completion, and clears of rows below do not move them.
///
/// ```
/// use maxout_engine::game::Playfield;
///
/// let playfield = Playfield::drawn("
///     ..........
///     XXXX.XXXXX
/// ");
/// assert!(playfield.occupied(19, 0));
/// assert!(!playfield.occupied(19, 4));
/// assert_eq!(playfield.row(18), 0);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Playfield {
    /// `rows[0]` is row -2.
    rows: [u16; HIDDEN_ROWS + ROWS],
}

/// The rows that a lock completed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Cleared {
    /// Number of rows, 0 to 4.
    pub count: u8,
    /// Their row numbers, top first. Only the first `count` are valid.
    pub rows: [u8; 4],
}

impl Cleared {
    /// The row numbers, top first.
    pub fn rows(&self) -> &[u8] {
        &self.rows[..self.count as usize]
    }
}

impl Playfield {
    /// No cell occupied.
    pub const EMPTY: Playfield = Playfield { rows: [0; HIDDEN_ROWS + ROWS] };

    /// A playfield of visible rows, top first; bits beyond column 9 are dropped.
    pub fn from_rows(visible: [u16; ROWS]) -> Playfield {
        let mut playfield = Playfield::EMPTY;
        for (row, bits) in visible.into_iter().enumerate() {
            playfield.set_row(row as i8, bits);
        }
        playfield
    }

    /// From a drawing of one line for each row. `.` and spaces inside a line are empty cells, all
    /// else is occupied. The last line is row 19. Blank lines are skipped, missing rows are empty.
    ///
    /// # Panics
    /// When the drawing has more than 20 rows or a row is not ten columns wide. Drawings are for
    /// tests and examples, not for input.
    pub fn drawn(drawing: &str) -> Playfield {
        let lines: Vec<&str> = drawing.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        assert!(lines.len() <= ROWS, "a drawing has at most {ROWS} rows, this has {}", lines.len());
        let mut playfield = Playfield::EMPTY;
        for (line, row) in lines.iter().rev().zip((0..ROWS as i8).rev()) {
            assert_eq!(line.chars().count(), WIDTH, "row {row} of a drawing is {WIDTH} columns wide: {line:?}");
            for (column, cell) in line.chars().enumerate() {
                if cell != '.' && cell != ' ' {
                    playfield.set(row, column);
                }
            }
        }
        playfield
    }

    /// The ten bits of row `row`, -2 to 19.
    pub const fn row(&self, row: i8) -> u16 {
        self.rows[(row + HIDDEN_ROWS as i8) as usize]
    }

    /// Can some piece find its spawn occupied? None does while the rows 0 to 2 are empty.
    pub const fn may_block_spawn(&self) -> bool {
        self.row(0) | self.row(1) | self.row(2) != 0
    }

    /// Replaces row `row`, -2 to 19.
    pub const fn set_row(&mut self, row: i8, bits: u16) {
        self.rows[(row + HIDDEN_ROWS as i8) as usize] = bits & FULL_ROW;
    }

    /// The 20 visible rows, top first.
    pub fn visible(&self) -> &[u16; ROWS] {
        self.rows[HIDDEN_ROWS..].try_into().expect("22 rows less the 2 hidden ones are 20")
    }

    /// The highest visible row that has an occupied cell; 20 when there is none.
    #[inline(always)]
    pub fn top(&self) -> usize {
        self.visible().iter().position(|&row| row != 0).unwrap_or(ROWS)
    }

    /// All rows from row -2 down.
    pub const fn all_rows(&self) -> &[u16; HIDDEN_ROWS + ROWS] {
        &self.rows
    }

    /// Is the cell occupied? `row` is -2 to 19, `column` 0 to 9.
    pub const fn occupied(&self, row: i8, column: usize) -> bool {
        self.row(row) >> column & 1 == 1
    }

    /// Occupies a cell.
    pub const fn set(&mut self, row: i8, column: usize) {
        self.rows[(row + HIDDEN_ROWS as i8) as usize] |= 1 << column;
    }

    /// Occupied visible cells.
    pub fn cell_count(&self) -> u32 {
        self.visible().iter().map(|row| row.count_ones()).sum()
    }

    /// Locks a piece and removes the rows that it completes as the game does: from the top it
    /// checks the four rows from `max(y - 2, 0)` down, as far as they are visible.
    ///
    /// Quirk: when row 0 is complete, the game moves the whole page of memory down one row, the
    /// full row and the visible bottom row included. So does this function.
    pub fn lock(&mut self, placement: Placement) -> Cleared {
        for &(dy, dx) in placement.orientation.cells() {
            self.set(placement.y + dy, (placement.x + dx) as usize);
        }
        let first = (placement.y - 2).max(0);
        let mut cleared = Cleared::default();
        for row in first..(first + 4).min(ROWS as i8) {
            if self.row(row) == FULL_ROW {
                cleared.rows[cleared.count as usize] = row as u8;
                cleared.count += 1;
                self.remove(row);
            }
        }
        cleared
    }

    fn remove(&mut self, row: i8) {
        let index = row as usize + HIDDEN_ROWS;
        if row > 0 {
            self.rows.copy_within(HIDDEN_ROWS..index, HIDDEN_ROWS + 1);
            self.rows[HIDDEN_ROWS] = 0;
        } else {
            // Quirk of row 0: all 256 bytes of the page move down by ten, so that the bottom row
            // leaves the playfield and row -2 becomes row -1.
            self.rows.copy_within(HIDDEN_ROWS..HIDDEN_ROWS + ROWS - 1, HIDDEN_ROWS + 1);
            self.rows[1] = self.rows[0];
            self.rows[0] = 0;
            self.rows[HIDDEN_ROWS] = 0;
        }
    }
}

impl Obstacles for Playfield {
    fn fits(&self, orientation: Orientation, x: i8, y: i8) -> bool {
        orientation.cells().iter().all(|&(dy, dx)| {
            let (row, column) = (y + dy, x + dx);
            (-(HIDDEN_ROWS as i8)..ROWS as i8).contains(&row)
                && (0..WIDTH as i8).contains(&column)
                && !self.occupied(row, column as usize)
        })
    }
}

impl Default for Playfield {
    fn default() -> Playfield {
        Playfield::EMPTY
    }
}

impl fmt::Display for Playfield {
    /// Twenty lines of ten characters, `#` for occupied.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in self.visible() {
            for column in 0..WIDTH {
                f.write_str(if row >> column & 1 == 1 { "#" } else { "." })?;
            }
            f.write_str("\n")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Playfield {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Playfield (hidden {:010b} {:010b})\n{self}", self.rows[0], self.rows[1])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Obstacles, Piece, SPAWN_X};

    #[test]
    fn no_spawn_is_occupied_while_the_uppermost_rows_are_empty() {
        let mut playfield = Playfield::EMPTY;
        (3..20).for_each(|row| playfield.set_row(row, FULL_ROW));
        assert!(!playfield.may_block_spawn());
        assert!(Piece::ALL.iter().all(|piece| playfield.fits(piece.spawn(), SPAWN_X, 0)));
        // What is occupied tells of each piece that does not fit.
        for cell in (0..3).flat_map(|row| (0..10).map(move |column| (row, column))) {
            let mut playfield = playfield;
            playfield.set(cell.0, cell.1);
            assert!(playfield.may_block_spawn());
        }
    }

    #[test]
    fn a_vertical_i_in_the_well_clears_four_rows() {
        let mut playfield = Playfield::drawn(
            "
            #.........
            #########.
            #########.
            #########.
            #########.
            ",
        );
        let vertical = Piece::I.spawn().clockwise();
        let cleared = playfield.lock(Placement { orientation: vertical, x: 9, y: 18 });
        assert_eq!(cleared.rows(), [16, 17, 18, 19]);
        assert_eq!(playfield, Playfield::drawn("#........."));
    }

    #[test]
    fn rows_above_a_cleared_one_fall_and_rows_below_stay() {
        let mut playfield = Playfield::drawn(
            "
            ##........
            #######..#
            ###.......
            ",
        );
        playfield.lock(Placement { orientation: Piece::O.spawn(), x: 8, y: 17 });
        assert_eq!(
            playfield,
            Playfield::drawn(
                "
                ##.....##.
                ###.......
                "
            )
        );
    }

    #[test]
    fn cells_above_the_top_stay_as_obstacles_that_clears_do_not_move() {
        let mut playfield = Playfield::EMPTY;
        let vertical = Piece::I.spawn().clockwise();
        playfield.lock(Placement { orientation: vertical, x: 0, y: 1 });
        assert!(playfield.occupied(-1, 0));
        assert!(!playfield.fits(vertical, 0, 2));
        playfield.set_row(19, 0b01_1111_1111);
        playfield.lock(Placement { orientation: vertical, x: 9, y: 18 });
        assert!(playfield.occupied(-1, 0));
        assert!(playfield.occupied(2, 0) && !playfield.occupied(0, 0));
    }

    #[test]
    fn a_completed_top_row_moves_the_whole_page() {
        let mut playfield = Playfield::EMPTY;
        playfield.set_row(0, 0b11_1111_0000);
        playfield.set_row(19, 0b1);
        playfield.set_row(18, 0b10);
        playfield.set_row(-2, 0b100);
        let cleared = playfield.lock(Placement { orientation: Piece::I.spawn(), x: 2, y: 0 });
        assert_eq!(cleared.rows(), [0, 1], "the full row itself moves down and counts again");
        assert_eq!(playfield.row(19), 0b10, "the bottom row left the playfield");
        assert_eq!((playfield.row(-1), playfield.row(-2)), (0b100, 0));
    }

    #[test]
    fn positions_outside_do_not_fit() {
        let field = Playfield::EMPTY;
        let flat = Piece::I.spawn();
        assert!(field.fits(flat, 2, 0) && !field.fits(flat, 1, 0));
        assert!(field.fits(flat, 8, 19) && !field.fits(flat, 9, 19) && !field.fits(flat, 8, 20));
        assert!(field.fits(flat.clockwise(), 0, 0) && !field.fits(flat.clockwise(), 0, 19 + 1));
    }
}
