//! The playfield with its tiles, rebuilt by the rules: a log says where pieces locked, but usually
//! has only the CRC-32 of the cells.

use maxout_engine::game::memory::tile;
use maxout_engine::game::{HIDDEN_ROWS as HIDDEN, Placement, Playfield, ROWS, WIDTH};

/// The tile before those of pieces, which a page numbers 1 to 3.
const BEFORE_TILES: u8 = tile::WHITE - 1;
/// 64 letters, each for six bits.
const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
/// Cells in a letter, two bits each.
const CELLS_PER_LETTER: usize = 3;

/// All cells, hidden rows first; an empty one is 0, the others have the number of their tile.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct TileField {
    rows: [[u8; WIDTH]; HIDDEN + ROWS],
}

impl TileField {
    /// Locks a piece and removes the rows that it completes. Returns false, and changes nothing,
    /// where the piece does not fit.
    pub(crate) fn lock(&mut self, placement: Placement) -> bool {
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

    /// The playfield after a lock; not known where the piece does not fit.
    pub(crate) fn after(mut self, placement: Placement) -> Option<TileField> {
        self.lock(placement).then_some(self)
    }

    /// The playfield at a spawn: that of the rules if it has the logged CRC-32, or else the logged cells; not known without
    /// them. Where none is logged, that of the rules.
    pub(crate) fn at_spawn(
        by_rules: Option<TileField>,
        crc32: Option<u32>,
        cells: Option<&[u16; ROWS]>,
    ) -> Option<TileField> {
        match crc32 {
            Some(logged) if by_rules.as_ref().is_none_or(|field| field.crc32() != logged) => {
                cells.map(TileField::of_cells)
            }
            _ => by_rules,
        }
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

    /// Its occupied cells, hidden rows included.
    pub(crate) fn playfield(&self) -> Playfield {
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
    fn crc32(&self) -> u32 {
        let tile_of = |cell| if cell == 0 { tile::EMPTY } else { BEFORE_TILES + cell };
        crc32fast::hash(&self.visible().map(tile_of).collect::<Vec<_>>())
    }

    /// The playfield with these full cells, bit 0 for column 0. Their tiles are not known: all
    /// get the first one.
    pub(crate) fn of_cells(cells: &[u16; ROWS]) -> TileField {
        let mut field = TileField::default();
        for (row, bits) in field.rows[HIDDEN..].iter_mut().zip(cells) {
            *row = std::array::from_fn(|column| (bits >> column & 1) as u8);
        }
        field
    }

    /// The visible cells, three to a letter, without the leading letters that stand for empty
    /// cells.
    pub(crate) fn text(&self) -> String {
        // One empty cell before the first makes the number of cells a multiple of three.
        let cells: Vec<u8> = std::iter::once(0).chain(self.visible()).collect();
        let letter = |cells: &[u8]| LETTERS[cells.iter().fold(0, |bits, cell| bits << 2 | usize::from(*cell))] as char;
        let text: String = cells.chunks(CELLS_PER_LETTER).map(letter).collect();
        text.trim_start_matches('A').to_owned()
    }
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
        let (mut field, mut playfield) = (TileField::default(), Playfield::EMPTY);
        for (piece, x, y) in
            [(Piece::I, 2, 19), (Piece::I, 6, 19), (Piece::O, 9, 18), (Piece::T, 1, 18), (Piece::O, 9, 17)]
        {
            assert!(field.lock(placement(piece, x, y)));
            playfield.lock(placement(piece, x, y));
            assert_eq!(field.playfield(), playfield);
        }
        let tiles: Vec<_> = field.visible().collect();
        assert_eq!(tiles.iter().filter(|&&tile| tile != 0).count() as u32, playfield.cell_count());
    }

    #[test]
    fn what_cannot_lock_is_refused() {
        let mut field = TileField::default();
        for (x, y) in [(0, 5), (9, 5), (5, 21), (5, -5), (127, 127), (-128, -128)] {
            assert!(!field.lock(placement(Piece::I, x, y)), "{x} {y}");
        }
        assert_eq!(field, TileField::default());
    }

    #[test]
    fn the_playfield_at_a_spawn_is_that_of_the_rules_as_long_as_the_log_agrees() {
        let by_rules = TileField::default().after(placement(Piece::J, 8, 18));
        let crc32 = by_rules.as_ref().map(TileField::crc32);
        let other = crc32.map(|crc32| !crc32);
        let cells = [1; ROWS];
        let logged = Some(TileField::of_cells(&cells));
        for (field, crc32, cells, expected) in [
            (&by_rules, crc32, Some(&cells), &by_rules),
            (&by_rules, None, Some(&cells), &by_rules),
            (&by_rules, other, Some(&cells), &logged),
            (&by_rules, other, None, &None),
            (&None, crc32, Some(&cells), &logged),
            (&None, None, Some(&cells), &None),
        ] {
            assert_eq!(&TileField::at_spawn(field.clone(), crc32, cells), expected);
        }
        assert_eq!(TileField::default().after(placement(Piece::I, 9, 5)), None);
    }

    #[test]
    fn the_text_begins_at_the_first_full_cell() {
        let mut field = TileField::default();
        assert_eq!(field.text(), "");
        field.lock(placement(Piece::J, 8, 18));
        // J is on row 18, with one cell in row 19: tile $7D, number 3.
        assert_eq!(field.text().len(), 5);
        assert!(field.text().ends_with('D'));
        let mut cells = [0; ROWS];
        cells[19] = 0b10_0000_0000;
        assert_eq!(TileField::of_cells(&cells).text(), "B");
        assert_eq!(TileField::of_cells(&cells).playfield().row(19), 0b10_0000_0000);
    }
}
