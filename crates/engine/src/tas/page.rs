//! The playfield's page of RAM, `$0400-$04FF`, as 256 bits.
//!
//! The whole page is kept, not only the playfield: clearing row 0 moves all of it by ten cells, so that
//! what leaves the bottom row comes back above the top after four such clears.

use crate::game::{FULL_ROW, HIDDEN_ROWS, Placement, Playfield, ROWS, WIDTH};

/// One bit for each byte of the page: set where the cell is not empty. Rows -1 and -2 are its last
/// twenty bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, PartialOrd, Ord)]
pub struct Page([u64; 4]);

/// Index of a cell in the page: the game's index wraps at 256.
const fn index(row: i8, column: i8) -> usize {
    (row as u8).wrapping_mul(WIDTH as u8).wrapping_add(column as u8) as usize
}

impl Page {
    /// Nothing but empty cells.
    pub const EMPTY: Page = Page([0; 4]);

    /// The page with these words, lowest cell first.
    pub const fn from_words(words: [u64; 4]) -> Page {
        Page(words)
    }

    /// The page as four words, lowest cell first.
    pub const fn words(self) -> [u64; 4] {
        self.0
    }

    /// The page of 256 bytes where a cell is occupied if the function says so.
    pub fn from_cells(occupied: impl Fn(usize) -> bool) -> Page {
        let mut page = Page::EMPTY;
        (0..256).filter(|&cell| occupied(cell)).for_each(|cell| page.set(cell));
        page
    }

    /// The ten cells of a row, -2 to 20; bit 0 is column 0.
    #[inline]
    pub const fn row(&self, row: i8) -> u16 {
        let first = index(row, 0);
        let (word, shift) = (first / 64, first % 64);
        let low = self.0[word] >> shift;
        let high = if shift > 64 - WIDTH { self.0[word + 1] << (64 - shift) } else { 0 };
        (low | high) as u16 & FULL_ROW
    }

    /// The rows as a playfield has them, without those below its floor.
    pub fn playfield(&self) -> Playfield {
        let mut playfield = Playfield::EMPTY;
        (-(HIDDEN_ROWS as i8)..ROWS as i8).for_each(|row| playfield.set_row(row, self.row(row)));
        playfield
    }

    /// Is this cell occupied? Rows from -2 on.
    pub const fn is_occupied(&self, row: i8, column: i8) -> bool {
        let cell = index(row, column);
        self.0[cell / 64] >> (cell % 64) & 1 == 1
    }

    /// Occupies a cell; rows from -2 on. No row is cleared.
    pub fn occupy(&mut self, row: i8, column: i8) {
        self.set(index(row, column));
    }

    fn set(&mut self, cell: usize) {
        self.0[cell / 64] |= 1 << (cell % 64);
    }

    /// Writes a piece and removes the rows that it completes, as play states 2 and 3 do. The number of
    /// rows removed: row 0 counts once for itself and once more where it has moved to.
    pub fn lock(&mut self, placement: Placement) -> u8 {
        for (row, column) in placement.cells() {
            self.set(index(row, column));
        }
        let first = (placement.y - 2).max(0);
        let mut rows = 0;
        for row in first..first + 4 {
            if self.row(row) == FULL_ROW {
                self.remove(row);
                rows += 1;
            }
        }
        rows
    }

    /// Moves the rows above a row down by one. Quirk of row 0: the whole page moves, with the rows below.
    fn remove(&mut self, row: i8) {
        let [a, b, c, d] = self.0;
        let step = WIDTH as u32;
        let moved =
            [a << step, b << step | a >> (64 - step), c << step | b >> (64 - step), d << step | c >> (64 - step)];
        if row == 0 {
            self.0 = moved;
            return;
        }
        // Cells below the end of the removed row stay.
        let end = index(row, WIDTH as i8);
        for (word, moved) in moved.into_iter().enumerate() {
            let below = match end.saturating_sub(64 * word) {
                0 => !0,
                count if count >= 64 => 0,
                count => !0 << count,
            };
            self.0[word] = self.0[word] & below | moved & !below;
        }
    }
}
