//! A record as values.

use super::PIECES;
use maxout_engine::game::{Piece, Playfield, ROWS, WIDTH};

/// Bytes of a record before the piece counts, in every version.
const HEAD: usize = 14;
/// Bytes of the field: two bits a cell.
const FIELD: usize = ROWS * WIDTH / 4;

/// The versions that are read. Of versions 2 and 1 the piece counts have fewer bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Version {
    One = 1,
    Two = 2,
    Three = 3,
}

impl Version {
    /// The version that the first byte of a record tells.
    pub(super) const fn of(byte: u8) -> Option<Version> {
        match byte >> 5 {
            1 => Some(Version::One),
            2 => Some(Version::Two),
            3 => Some(Version::Three),
            _ => None,
        }
    }

    /// Bits of each of the seven counts.
    const fn count_bits(self) -> u32 {
        match self {
            Version::One => 8,
            Version::Two => 9,
            Version::Three => 10,
        }
    }

    /// Bits of lines, level and score of which all ones mean "unknown". Version 1 has narrower values
    /// in the same bytes.
    const fn value_bits(self) -> [u32; 3] {
        match self {
            Version::One => [9, 6, 21],
            Version::Two | Version::Three => [12, 8, 24],
        }
    }

    /// Bytes of a record.
    pub(super) const fn length(self) -> usize {
        HEAD + (self.count_bits() as usize * Piece::COUNT).div_ceil(8) + FIELD
    }
}

/// What a record says; `None` where it says "unknown".
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NgfRecord {
    /// Number of the game.
    pub game: u16,
    /// Milliseconds since the start.
    pub time: Option<u32>,
    /// Lines.
    pub lines: Option<u16>,
    /// Level.
    pub level: Option<u8>,
    /// Score, without a cap at 999,999.
    pub score: Option<u32>,
    /// DAS counter.
    pub das: Option<u8>,
    /// DAS counter at the spawn of the present piece.
    pub spawn_das: Option<u8>,
    /// The next piece.
    pub next: Option<Piece>,
    /// The present piece.
    pub piece: Option<Piece>,
    /// Pieces that became current: T J Z O S L I.
    pub counts: [Option<u16>; Piece::COUNT],
    /// Colour of each cell, row by row: 0 is empty, 1 to 3 are colours. The falling piece is drawn into
    /// it.
    pub cells: [u8; ROWS * WIDTH],
}

impl NgfRecord {
    /// Reads a record of this version, which has its length.
    pub(super) fn of(bytes: &[u8], version: Version) -> NgfRecord {
        // Bits from the first byte of the record on; `None` when all are one.
        let raw = |from: usize, bits: usize| {
            (from..from + bits).fold(0_u32, |value, bit| value << 1 | u32::from(bytes[bit / 8] >> (7 - bit % 8) & 1))
        };
        let known = |value: u32, bits: u32| (value < (1 << bits) - 1).then_some(value);
        let [lines, level, score] = version.value_bits();
        let das = |byte: usize| known(u32::from(bytes[byte] >> 3), 5).map(|das| das as u8);
        let piece = |byte: usize| PIECES.get(usize::from(bytes[byte] & 7)).copied();
        let bits = version.count_bits();
        let count = |piece: usize| {
            let from = HEAD * 8 + piece * bits as usize;
            known(raw(from, bits as usize), bits).map(|count| count as u16)
        };
        let field = &bytes[version.length() - FIELD..];
        NgfRecord {
            game: raw(8, 16) as u16,
            time: known(raw(24, 28), 28),
            lines: known(raw(52, 12), lines).map(|lines| lines as u16),
            level: known(raw(64, 8), level).map(|level| level as u8),
            score: known(raw(72, 24), score),
            das: das(12),
            spawn_das: das(13),
            next: piece(12),
            piece: piece(13),
            counts: std::array::from_fn(count),
            cells: std::array::from_fn(|cell| field[cell / 4] >> (6 - 2 * (cell % 4)) & 3),
        }
    }

    /// The full cells of the field.
    pub fn playfield(&self) -> Playfield {
        let row = |row: usize| {
            let cells = self.cells[row * WIDTH..][..WIDTH].iter().enumerate();
            cells.fold(0, |bits, (column, &cell)| bits | u16::from(cell != 0) << column)
        };
        Playfield::from_rows(std::array::from_fn(row))
    }
}
