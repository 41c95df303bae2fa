//! What a player looks at when a piece spawns.

use super::piece::Piece;
use super::playfield::Playfield;
use super::scoring::Progress;

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

impl Position {
    /// Lines and level.
    pub fn progress(&self) -> Progress {
        Progress::from_lines(self.level, self.lines)
    }

    /// Lines and level after a lock that clears this number of rows, in an A-type game.
    pub fn progress_after(&self, rows: u8) -> Progress {
        let mut progress = self.progress();
        progress.count_a_type(rows);
        progress
    }

    /// The position after a lock that clears this number of rows and leaves this playfield, in an A-type game. The pieces
    /// and the score stay as they are.
    pub fn after(&self, playfield: Playfield, rows: u8) -> Position {
        let progress = self.progress_after(rows);
        Position { playfield, level: progress.level, lines: progress.lines(), ..*self }
    }
}
