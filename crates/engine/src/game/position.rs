//! What a player looks at when a piece spawns, and where pieces lock.

use std::fmt;

use super::piece::{Orientation, Piece};
use super::playfield::Playfield;

/// Where a piece locks: its orientation and the cell of its origin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Placement {
    /// Orientation at the lock.
    pub orientation: Orientation,
    /// Column of the origin (`$60`), 0 to 9.
    pub x: i8,
    /// Row of the origin (`$61`), 0 (top) to 19.
    pub y: i8,
}

impl fmt::Display for Placement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} orientation ${:02X} x {} y {}",
            self.orientation.piece().letter(),
            self.orientation.id(),
            self.x,
            self.y
        )
    }
}

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
