//! Where a piece is, or where it locks.

use std::fmt;

use super::piece::Orientation;

/// An orientation and the cell of its origin: where a piece locks.
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
