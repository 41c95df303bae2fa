//! The tables of pieces as the game's program contains them, byte for byte. They distinguish a ROM of the game
//! from one of another game.

use super::piece::{Orientation, Piece};

/// Bytes of an orientation: row offset, tile, column offset of four cells.
const ORIENTATION: usize = 12;

/// The cells of each orientation (`$8A9C`, 228 bytes).
pub fn orientations() -> Vec<u8> {
    Orientation::all().flat_map(cells).collect()
}

fn cells(orientation: Orientation) -> [u8; ORIENTATION] {
    let cells = orientation.cells().map(|(row, column)| [row as u8, orientation.tile(), column as u8]);
    std::array::from_fn(|at| cells[at / 3][at % 3])
}

/// Each orientation turned by B and by A (`$88EE`, 38 bytes).
pub fn rotations() -> Vec<u8> {
    Orientation::all().flat_map(|o| [o.counter_clockwise().id(), o.clockwise().id()]).collect()
}

/// The piece of each orientation (`$993B`, 19 bytes).
pub fn pieces() -> Vec<u8> {
    Orientation::all().map(|o| o.piece().index() as u8).collect()
}

/// The orientation in which each piece spawns (`$994E`, 7 bytes).
pub fn spawns() -> Vec<u8> {
    Piece::ALL.iter().map(|piece| piece.spawn().id()).collect()
}

/// The spawn orientation of the piece of each orientation (`$9956`, 19 bytes).
pub fn spawns_by_orientation() -> Vec<u8> {
    Orientation::all().map(|o| o.piece().spawn().id()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_have_the_sizes_and_the_first_bytes_of_the_original_s() {
        assert_eq!(orientations().len(), 228);
        assert_eq!(orientations()[..6], [0, 0x7B, 0xFF, 0, 0x7B, 0]);
        assert_eq!(rotations().len(), 38);
        assert_eq!(pieces(), [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 4, 4, 5, 5, 5, 5, 6, 6]);
        assert_eq!(spawns(), [0x02, 0x07, 0x08, 0x0A, 0x0B, 0x0E, 0x12]);
        let by_orientation = [2, 2, 2, 2, 7, 7, 7, 7, 8, 8, 0x0A, 0x0B, 0x0B, 0x0E, 0x0E, 0x0E, 0x0E, 0x12, 0x12];
        assert_eq!(spawns_by_orientation(), by_orientation);
    }
}
