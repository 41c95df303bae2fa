//! The seven pieces and their nineteen orientations, in the order of the game's own tables.

/// One of the seven pieces, in the game's order (piece statistics at `$03F0`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Piece {
    /// T
    T,
    /// J
    J,
    /// Z
    Z,
    /// O
    O,
    /// S
    S,
    /// L
    L,
    /// I
    I,
}

impl Piece {
    /// All pieces in the game's order.
    pub const ALL: [Piece; 7] = [Piece::T, Piece::J, Piece::Z, Piece::O, Piece::S, Piece::L, Piece::I];

    /// 0 for T to 6 for I.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The orientation in which it spawns (table at `$994E`).
    pub const fn spawn(self) -> Orientation {
        Orientation([0x02, 0x07, 0x08, 0x0A, 0x0B, 0x0E, 0x12][self as usize])
    }

    /// The letter people call it by.
    pub const fn letter(self) -> char {
        ['T', 'J', 'Z', 'O', 'S', 'L', 'I'][self as usize]
    }

    /// The piece of a letter, either case.
    pub fn from_letter(letter: char) -> Option<Piece> {
        Piece::ALL.into_iter().find(|piece| piece.letter() == letter.to_ascii_uppercase())
    }

    /// Its orientations, in the game's order: 4 for T J L, 2 for Z S I, 1 for O.
    pub fn orientations(self) -> impl Iterator<Item = Orientation> {
        Orientation::all().filter(move |orientation| orientation.piece() == self)
    }
}

/// One of the nineteen orientations, by the id that the game keeps in `$62`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Orientation(u8);

/// Cells relative to the piece's (y, x): `(row offset, column offset)`.
const CELLS: [[(i8, i8); 4]; 19] = [
    [(0, -1), (0, 0), (0, 1), (-1, 0)],
    [(-1, 0), (0, 0), (0, 1), (1, 0)],
    [(0, -1), (0, 0), (0, 1), (1, 0)],
    [(-1, 0), (0, -1), (0, 0), (1, 0)],
    [(-1, 0), (0, 0), (1, -1), (1, 0)],
    [(-1, -1), (0, -1), (0, 0), (0, 1)],
    [(-1, 0), (-1, 1), (0, 0), (1, 0)],
    [(0, -1), (0, 0), (0, 1), (1, 1)],
    [(0, -1), (0, 0), (1, 0), (1, 1)],
    [(-1, 1), (0, 0), (0, 1), (1, 0)],
    [(0, -1), (0, 0), (1, -1), (1, 0)],
    [(0, 0), (0, 1), (1, -1), (1, 0)],
    [(-1, 0), (0, 0), (0, 1), (1, 1)],
    [(-1, 0), (0, 0), (1, 0), (1, 1)],
    [(0, -1), (0, 0), (0, 1), (1, -1)],
    [(-1, -1), (-1, 0), (0, 0), (1, 0)],
    [(-1, 1), (0, -1), (0, 0), (0, 1)],
    [(-2, 0), (-1, 0), (0, 0), (1, 0)],
    [(0, -2), (0, -1), (0, 0), (0, 1)],
];

/// `[B, A]`: the orientation after a counter-clockwise and a clockwise turn (`$88EE`).
const TURNS: [[u8; 2]; 19] = [
    [0x03, 0x01],
    [0x00, 0x02],
    [0x01, 0x03],
    [0x02, 0x00],
    [0x07, 0x05],
    [0x04, 0x06],
    [0x05, 0x07],
    [0x06, 0x04],
    [0x09, 0x09],
    [0x08, 0x08],
    [0x0A, 0x0A],
    [0x0C, 0x0C],
    [0x0B, 0x0B],
    [0x10, 0x0E],
    [0x0D, 0x0F],
    [0x0E, 0x10],
    [0x0F, 0x0D],
    [0x12, 0x12],
    [0x11, 0x11],
];

/// Piece of each orientation (`$993B`).
const PIECES: [Piece; 19] = [
    Piece::T,
    Piece::T,
    Piece::T,
    Piece::T,
    Piece::J,
    Piece::J,
    Piece::J,
    Piece::J,
    Piece::Z,
    Piece::Z,
    Piece::O,
    Piece::S,
    Piece::S,
    Piece::L,
    Piece::L,
    Piece::L,
    Piece::L,
    Piece::I,
    Piece::I,
];

/// Tile that a locked piece writes into the playfield.
const TILES: [u8; 7] = [0x7B, 0x7D, 0x7C, 0x7B, 0x7D, 0x7C, 0x7B];

impl Orientation {
    /// How many there are.
    pub const COUNT: usize = 19;
    /// The id in `$62` while no piece is shown: row clears, curtain, top-out.
    pub const HIDDEN_ID: u8 = 0x13;

    /// The orientation with this id, `None` from `$13` on.
    pub const fn from_id(id: u8) -> Option<Orientation> {
        if (id as usize) < Self::COUNT { Some(Orientation(id)) } else { None }
    }

    /// All nineteen, by id.
    pub fn all() -> impl Iterator<Item = Orientation> {
        (0..Self::COUNT as u8).map(Orientation)
    }

    /// The game's id, `$00..=$12`.
    pub const fn id(self) -> u8 {
        self.0
    }

    /// The four cells as `(row offset, column offset)` from the piece's (y, x).
    pub const fn cells(self) -> &'static [(i8, i8); 4] {
        &CELLS[self.0 as usize]
    }

    /// The piece that this is an orientation of.
    pub const fn piece(self) -> Piece {
        PIECES[self.0 as usize]
    }

    /// After one turn with A.
    pub const fn clockwise(self) -> Orientation {
        Orientation(TURNS[self.0 as usize][1])
    }

    /// After one turn with B.
    pub const fn counter_clockwise(self) -> Orientation {
        Orientation(TURNS[self.0 as usize][0])
    }

    /// The playfield tile of its cells: `$7B`, `$7C` or `$7D`.
    pub const fn tile(self) -> u8 {
        TILES[self.piece() as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_and_its_opposite_cancel() {
        for orientation in Orientation::all() {
            assert_eq!(orientation.clockwise().counter_clockwise(), orientation);
            assert_eq!(orientation.clockwise().piece(), orientation.piece());
        }
    }

    #[test]
    fn a_piece_has_as_many_orientations_as_turns_bring_up() {
        let counts = Piece::ALL.map(|piece| piece.orientations().count());
        assert_eq!(counts, [4, 4, 2, 1, 2, 4, 2]);
        for piece in Piece::ALL {
            let mut seen = vec![piece.spawn()];
            while !seen.contains(&seen[seen.len() - 1].clockwise()) {
                seen.push(seen[seen.len() - 1].clockwise());
            }
            assert_eq!(seen.len(), piece.orientations().count());
        }
    }

    #[test]
    fn a_clockwise_turn_turns_the_cells_clockwise_where_the_piece_pivots() {
        // T, J and L turn about their origin: (dy, dx) becomes (dx, -dy).
        for piece in [Piece::T, Piece::J, Piece::L] {
            for orientation in piece.orientations() {
                let mut turned = orientation.cells().map(|(dy, dx)| (dx, -dy));
                let mut after = *orientation.clockwise().cells();
                turned.sort_unstable();
                after.sort_unstable();
                assert_eq!(turned, after, "{orientation:?}");
            }
        }
    }
}
