//! What a player looks at when a piece spawns.

use super::piece::Piece;
use super::playfield::Playfield;

/// The state of a game at the spawn of a piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    /// Occupied cells.
    pub playfield: Playfield,
    /// The piece that falls.
    pub piece: Piece,
    /// The piece in the next box.
    pub next: Piece,
    /// Level, `$64`.
    pub level: u8,
    /// Lines cleared so far.
    pub lines: u16,
    /// The score shown, 0 to 999,999.
    pub score: u32,
}
