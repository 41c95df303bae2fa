//! The position that is asked about, as far as its input tells it.

use std::path::Path;

use anyhow::anyhow;

use crate::system::failure::Failure;
use maxout_engine::game::{Piece, Playfield, ROWS, WIDTH};

/// A position; what the input does not tell is `None`.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Found {
    /// Occupied cells.
    pub playfield: Playfield,
    /// The falling piece.
    pub piece: Option<Piece>,
    /// The next piece.
    pub next: Option<Piece>,
    /// The level.
    pub level: Option<u8>,
    /// Lines cleared so far.
    pub lines: Option<u16>,
    /// The score.
    pub score: Option<u32>,
}

/// Reads the position of a text.
pub(crate) fn of_text(text: &str) -> Result<Found, Failure> {
    let cells: Vec<char> = text.chars().filter(|letter| !letter.is_whitespace()).collect();
    if cells.len() % WIDTH != 0 || cells.len() > ROWS * WIDTH {
        return Err(Failure::input(anyhow!("expected rows of {WIDTH} cells, found {} cells", cells.len())));
    }
    let mut playfield = Playfield::EMPTY;
    let first = ROWS * WIDTH - cells.len();
    for (index, cell) in (first..).zip(cells) {
        if !['.', '0'].contains(&cell) {
            playfield.set((index / WIDTH) as i8, index % WIDTH);
        }
    }
    Ok(Found { playfield, piece: None, next: None, level: None, lines: None, score: None })
}

/// Reads the position of a file.
pub(crate) fn of_file(path: &Path) -> Result<Found, Failure> {
    of_text(&std::fs::read_to_string(path).map_err(Failure::input)?)
}
