//! The playfield with its tiles, kept by the rules: a log says where pieces locked, and of the
//! cells mostly their CRC-32 only.

use maxout_engine::game::memory::tile;
use maxout_engine::game::{HIDDEN_ROWS as HIDDEN, Orientation, Placement, Playfield, ROWS, WIDTH};

/// Tiles of pieces are written as 1 to 3: the distance from this tile.
const BEFORE_TILES: u8 = tile::WHITE - 1;
/// Sixty-four letters, for six bits each.
const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
/// Cells that a letter tells, two bits each.
const CELLS_PER_LETTER: usize = 3;

/// All cells, hidden rows first; an empty one is 0, the others say which tile they have.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Pile {
    rows: [[u8; WIDTH]; HIDDEN + ROWS],
}

impl Pile {
    /// Locks a piece and removes what it completes; false, and nothing is done, where it cannot
    /// be.
    pub(super) fn lock(&mut self, placement: Placement) -> bool {
        let Placement { orientation, x, y } = placement;
        let cells = orientation.cells().map(|(dy, dx)| (y.checked_add(dy), x.checked_add(dx)));
        let inside = cells.iter().all(|&(row, column)| {
            row.is_some_and(|row| (-(HIDDEN as i8)..ROWS as i8).contains(&row))
                && column.is_some_and(|column| (0..WIDTH as i8).contains(&column))
        });
        if !inside {
            return false;
        }
        let cleared = self.playfield().lock(placement);
        for (row, column) in cells {
            if let (Some(row), Some(column)) = (row, column) {
                self.rows[(row + HIDDEN as i8) as usize][column as usize] = orientation.tile() - BEFORE_TILES;
            }
        }
        for &row in cleared.rows() {
            self.remove(usize::from(row) + HIDDEN);
        }
        true
    }

    /// As the playfield of the rules moves its rows, the quirk of row 0 included.
    fn remove(&mut self, row: usize) {
        if row > HIDDEN {
            self.rows.copy_within(HIDDEN..row, HIDDEN + 1);
        } else {
            self.rows.copy_within(HIDDEN..HIDDEN + ROWS - 1, HIDDEN + 1);
            self.rows[1] = self.rows[0];
            self.rows[0] = [0; WIDTH];
        }
        self.rows[HIDDEN] = [0; WIDTH];
    }

    fn playfield(&self) -> Playfield {
        let mut playfield = Playfield::EMPTY;
        for (row, cells) in (-(HIDDEN as i8)..).zip(&self.rows) {
            let bits = (0..WIDTH).filter(|&column| cells[column] != 0).fold(0, |bits, column| bits | 1 << column);
            playfield.set_row(row, bits);
        }
        playfield
    }

    fn visible(&self) -> impl Iterator<Item = u8> + '_ {
        self.rows[HIDDEN..].iter().flatten().copied()
    }

    /// The CRC-32 of the visible cells, as a log has it.
    pub(super) fn crc32(&self) -> u32 {
        let tile_of = |cell| if cell == 0 { tile::EMPTY } else { BEFORE_TILES + cell };
        crc32fast::hash(&self.visible().map(tile_of).collect::<Vec<_>>())
    }

    /// The pile of a log's column of cells, all of one tile.
    pub(super) fn of_cells(digits: &str) -> Option<Pile> {
        let bits: Option<Vec<u32>> = digits.chars().map(|digit| digit.to_digit(16)).collect();
        let bits = bits.filter(|digits| digits.len() == ROWS * WIDTH / 4)?;
        let mut pile = Pile::default();
        for (cell, is_full) in pile.rows[HIDDEN..]
            .iter_mut()
            .flatten()
            .enumerate()
            .map(|(index, cell)| (cell, bits[index / 4] >> (3 - index % 4) & 1 == 1))
        {
            *cell = u8::from(is_full);
        }
        Some(pile)
    }

    /// The visible cells, three to a letter, the first letters left out while they say "empty".
    pub(super) fn text(&self) -> String {
        // One empty cell before the first makes the number of cells a multiple of three.
        let cells: Vec<u8> = std::iter::once(0).chain(self.visible()).collect();
        let letter = |cells: &[u8]| LETTERS[cells.iter().fold(0, |bits, cell| bits << 2 | usize::from(*cell))] as char;
        let text: String = cells.chunks(CELLS_PER_LETTER).map(letter).collect();
        text.trim_start_matches('A').to_owned()
    }
}

/// The orientation of a log's two hex digits; none while none is shown.
pub(super) fn orientation(digits: &str) -> Option<Orientation> {
    Orientation::from_id(u8::from_str_radix(digits, 16).ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use maxout_engine::game::Piece;

    fn placement(piece: Piece, x: i8, y: i8) -> Placement {
        Placement { orientation: piece.spawn(), x, y }
    }

    #[test]
    fn tiles_move_as_the_rows_of_the_rules_do() {
        let (mut pile, mut playfield) = (Pile::default(), Playfield::EMPTY);
        for (piece, x, y) in
            [(Piece::I, 2, 19), (Piece::I, 6, 19), (Piece::O, 9, 18), (Piece::T, 1, 18), (Piece::O, 9, 17)]
        {
            assert!(pile.lock(placement(piece, x, y)));
            playfield.lock(placement(piece, x, y));
            assert_eq!(pile.playfield(), playfield);
        }
        let tiles: Vec<_> = pile.visible().collect();
        assert_eq!(tiles.iter().filter(|&&tile| tile != 0).count() as u32, playfield.cell_count());
    }

    #[test]
    fn what_cannot_lock_is_refused() {
        let mut pile = Pile::default();
        for (x, y) in [(0, 5), (9, 5), (5, 21), (5, -5), (127, 127), (-128, -128)] {
            assert!(!pile.lock(placement(Piece::I, x, y)), "{x} {y}");
        }
        assert_eq!(pile, Pile::default());
        assert_eq!(Pile::of_cells("F"), None);
        assert_eq!(Pile::of_cells(&"x".repeat(50)), None);
    }

    #[test]
    fn a_pile_is_told_from_its_first_cell_on() {
        let mut pile = Pile::default();
        assert_eq!(pile.text(), "");
        pile.lock(placement(Piece::J, 8, 18));
        // J lies on row 18 and hangs its end into row 19: tile $7D, which is told as 3.
        assert_eq!(pile.text().len(), 5);
        assert!(pile.text().ends_with('D'));
        let cells = format!("{}7001", "0".repeat(46));
        let bits = Pile::of_cells(&cells).expect("cells");
        assert_eq!(bits.playfield().row(19), 0b10_0000_0000);
    }
}
