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

impl Placement {
    /// The first and the last column that the piece covers, counted from 1.
    pub fn columns(self) -> (i8, i8) {
        let columns = self.orientation.cells().iter().map(|&(_, dx)| self.x + dx + 1);
        (columns.clone().min().unwrap_or(0), columns.max().unwrap_or(0))
    }

    /// The cells as `(row, column)`; row 0 is the top row, rows above it are negative.
    pub fn cells(self) -> [(i8, i8); 4] {
        self.orientation.cells().map(|(dy, dx)| (self.y + dy, self.x + dx))
    }

    /// As players say it: the piece, how it is turned, its columns from 1, as in `T down 4-6`,
    /// `I upright 10`, `O 5-6`. Two placements of one piece can have the same name where one of them is
    /// below cells of the playfield.
    pub fn name(self) -> String {
        let turn = self.orientation.turn();
        let space = if turn.is_empty() { "" } else { " " };
        let (first, last) = self.columns();
        let last = if first == last { String::new() } else { format!("-{last}") };
        format!("{}{space}{turn} {first}{last}", self.orientation.piece().letter())
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_players() {
        let name = |id, x| Placement { orientation: Orientation::from_id(id).unwrap(), x, y: 10 }.name();
        let names = [name(0x02, 4), name(0x11, 9), name(0x0A, 5), name(0x12, 2), name(0x0D, 0)];
        assert_eq!(names, ["T down 4-6", "I upright 10", "O 5-6", "I flat 1-4", "L right 1-2"]);
    }
}
