//! The seven pieces and their nineteen orientations, in the order of the game's own tables.

use super::memory::tile;

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

/// Id of the orientation in which each piece spawns (table at `$994E`).
const SPAWN_IDS: [u8; Piece::COUNT] = [0x02, 0x07, 0x08, 0x0A, 0x0B, 0x0E, 0x12];

impl Piece {
    /// Number of pieces.
    pub const COUNT: usize = 7;
    /// All pieces in the game's order.
    pub const ALL: [Piece; Piece::COUNT] = [Piece::T, Piece::J, Piece::Z, Piece::O, Piece::S, Piece::L, Piece::I];

    /// 0 for T to 6 for I.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The orientation in which it spawns (table at `$994E`).
    pub const fn spawn(self) -> Orientation {
        Orientation(SPAWN_IDS[self as usize])
    }

    /// The letter that names it.
    pub const fn letter(self) -> char {
        ['T', 'J', 'Z', 'O', 'S', 'L', 'I'][self as usize]
    }

    /// Its orientations, in the game's order: 4 for T J L, 2 for Z S I, 1 for O.
    pub fn orientations(self) -> impl Iterator<Item = Orientation> {
        Orientation::all().filter(move |orientation| orientation.piece() == self)
    }

    /// The most rows that it can clear: those that it spans upright.
    pub fn most_clears(self) -> u8 {
        let rows = |orientation: Orientation| {
            let rows = orientation.cells().map(|(row, _)| row);
            rows.iter().max().zip(rows.iter().min()).map_or(0, |(low, high)| low.abs_diff(*high) + 1)
        };
        self.orientations().map(rows).max().unwrap_or(0)
    }
}

/// One of the nineteen orientations. Its number is the id that the game keeps in `$62`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Orientation(u8);

/// The cells of each orientation, relative to the origin: `(row offset, column offset)`.
const CELLS: [[(i8, i8); 4]; Orientation::COUNT] = [
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

/// `[B, A]`: the orientation after a counter-clockwise and after a clockwise turn (table at `$88EE`).
const TURNS: [[u8; 2]; Orientation::COUNT] = [
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

/// The piece of each orientation (table at `$993B`).
const PIECES: [Piece; Orientation::COUNT] = [
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

/// The tile that each locked piece writes into the playfield.
const TILES: [u8; Piece::COUNT] =
    [tile::WHITE, tile::FIRST, tile::SECOND, tile::WHITE, tile::FIRST, tile::SECOND, tile::WHITE];

impl Orientation {
    /// Number of orientations.
    pub const COUNT: usize = 19;
    /// The id in `$62` while no piece is shown: row clears, curtain, topout.
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

    /// The four cells as `(row offset, column offset)` from the origin.
    pub const fn cells(self) -> &'static [(i8, i8); 4] {
        &CELLS[self.0 as usize]
    }

    /// Its piece.
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

    /// How it is turned, in a word. T, J and L: to which side of its line of three cells the fourth cell is,
    /// `down` as they spawn. Z, S and I: `flat` or `upright`. Nothing for the O.
    pub fn turn(self) -> &'static str {
        const SIDES: [&str; 4] = ["down", "left", "up", "right"];
        let piece = self.piece();
        let spawn = piece.spawn();
        let turns = std::iter::successors(Some(spawn), |turned| Some(turned.clockwise()));
        let turns = turns.take(4).position(|turned| turned == self).unwrap_or(0);
        match piece {
            Piece::T | Piece::J | Piece::L => SIDES[turns],
            Piece::O => "",
            Piece::Z | Piece::S | Piece::I => ["flat", "upright"][turns % 2],
        }
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
    fn a_turn_names_the_side_of_the_fourth_cell() {
        for orientation in [Piece::T, Piece::J, Piece::L].into_iter().flat_map(Piece::orientations) {
            let cells = orientation.cells();
            // The row or column of three cells, and the cell beside it.
            let beside = |part: fn((i8, i8)) -> i8| {
                let alone = |cell: (i8, i8)| cells.iter().filter(|&&other| part(other) == part(cell)).count() == 1;
                cells.iter().copied().find(|&cell| alone(cell)).map(part).filter(|_| {
                    cells.iter().any(|&cell| cells.iter().filter(|&&other| part(other) == part(cell)).count() == 3)
                })
            };
            let side = match (beside(|cell| cell.0), beside(|cell| cell.1)) {
                (Some(row), None) => {
                    if row > 0 {
                        "down"
                    } else {
                        "up"
                    }
                }
                (None, Some(column)) => {
                    if column > 0 {
                        "right"
                    } else {
                        "left"
                    }
                }
                other => panic!("{orientation:?}: {other:?}"),
            };
            assert_eq!(orientation.turn(), side, "{orientation:?}");
        }
        assert_eq!((Piece::I.spawn().turn(), Piece::I.spawn().clockwise().turn()), ("flat", "upright"));
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
