//! Why something is no position.

use std::path::PathBuf;

use crate::Error;
use crate::replay::ReplayError;
use maxout_engine::game::{Piece, ROWS, WIDTH};
use maxout_engine::text::counted;

/// Why something is no position of the game.
#[derive(Debug, thiserror::Error)]
pub enum PositionError {
    /// A drawing has too many rows.
    #[error("expected a drawing of at most {ROWS} rows, found {0}")]
    Rows(usize),
    /// A row of a drawing is too short or too long. Rows count from the top of the drawing, from 1.
    #[error("line {line}: expected a row of {WIDTH} cells, found {found}: {text:?}")]
    Width {
        /// Line of the text, from 1.
        line: usize,
        /// Its cells.
        found: usize,
        /// The line.
        text: String,
    },
    /// A character is neither a full nor an empty cell.
    #[error(
        "line {line}, cell {cell}: expected `.`, `-`, `_`, `0` or a space for an empty cell, `#`, `X`, `1` or the \
         letter of a piece for a full one, found {found:?}"
    )]
    Character {
        /// Line of the text, from 1.
        line: usize,
        /// Cell of the row, from 1.
        cell: usize,
        /// The character.
        found: char,
    },
    /// Another length than the notation has.
    #[error("expected {expected}, found {found}")]
    Length {
        /// What has which length.
        expected: &'static str,
        /// The length.
        found: usize,
    },
    /// A byte that no cell of a game has.
    #[error("row {row}, column {column}: expected $EF (empty) or $7B to $7D (full), found ${found:02X}")]
    Tile {
        /// Row of the playfield, from 0 at the top.
        row: usize,
        /// Column, from 0.
        column: usize,
        /// The byte.
        found: u8,
    },
    /// A value beside the playfield that no game has.
    #[error("line {line}: {name}: expected {expected}, found {found:?}")]
    Value {
        /// Line of the text, from 1.
        line: usize,
        /// The name of the value.
        name: &'static str,
        /// What it can be.
        expected: &'static str,
        /// What it is.
        found: String,
    },
    /// There is nothing.
    #[error("expected a playfield, found nothing: an empty one is a row of {WIDTH} dots")]
    Nothing,
    /// A row that would have been cleared.
    #[error("row {row} (0 is the top) is full: the game would have cleared it")]
    FullRow {
        /// The row.
        row: usize,
    },
    /// Cells above an empty row.
    #[error(
        "row {above} (0 is the top) has cells, but row {row} below it is empty: a playfield has no empty row below a cell"
    )]
    Floating {
        /// The lowest row with cells above it.
        above: usize,
        /// The empty row.
        row: usize,
    },
    /// Pieces have four cells and rows ten, and the stack cannot have been at the top.
    #[error(
        "found {} after {}: a playfield has an even number, because pieces have four cells and rows ten, until a piece \
         locks partly above the top or row 0 is cleared",
        counted((*.cells).into(), "cell"),
        counted((*.lines).into(), "line")
    )]
    Odd {
        /// The cells.
        cells: u32,
        /// The lines.
        lines: u16,
    },
    /// Pieces have four cells.
    #[error(
        "found {cells} cells after {lines} lines: cells and ten times the lines add up to {sum}, which is no multiple of \
         four"
    )]
    Parity {
        /// The cells.
        cells: u32,
        /// The lines.
        lines: u16,
        /// Cells of all pieces.
        sum: u32,
    },
    /// A piece is where another cell is.
    #[error(
        "the {} overlaps the full cell in row {row}, column {column} (0 is the top and the left)", .piece.letter()
    )]
    Overlap {
        /// The piece.
        piece: Piece,
        /// Row.
        row: i8,
        /// Column.
        column: i8,
    },
    /// A piece is outside of the playfield.
    #[error("the {} at column {x}, row {y} is partly outside of the playfield", .piece.letter())]
    Outside {
        /// The piece.
        piece: Piece,
        /// Column of its origin.
        x: i8,
        /// Row of its origin.
        y: i8,
    },
    /// No game has this level after this number of lines.
    #[error("level {level} after {lines} lines: {possible}")]
    Level {
        /// The level.
        level: u8,
        /// The lines.
        lines: u16,
        /// What is possible.
        possible: String,
    },
    /// A score that the game does not show.
    #[error("score {0}: expected at most 999999")]
    Score(u32),
    /// The picture is not one of the game.
    #[error("the picture is not one of the game: {0}")]
    Picture(String),
    /// A picture of another size.
    #[error(
        "expected a picture of 256x240 or 256x224 pixels or a whole multiple of that, or one that maxout made, found \
         {width}x{height}"
    )]
    PictureSize {
        /// Columns of pixels.
        width: u32,
        /// Rows of pixels.
        height: u32,
    },
    /// A recording without a frame.
    #[error("{}: which frame? expected FILE@FRAME, such as {}@12345", .0.display(), .0.display())]
    NoFrame(PathBuf),
    /// A frame in which no piece is under control.
    #[error("{}@{frame}: no piece is under control in that frame of an A-type game{}", path.display(), nearest(*.next))]
    NoPiece {
        /// The file.
        path: PathBuf,
        /// The frame.
        frame: u64,
        /// The next frame in which one spawns.
        next: Option<u64>,
    },
    /// The recording ends before.
    #[error("{}@{frame}: the recording ends before that frame: it has {frames}", path.display())]
    PastTheEnd {
        /// The file.
        path: PathBuf,
        /// The frame.
        frame: u64,
        /// Its frames.
        frames: u64,
    },
    /// Neither a position nor a file.
    #[error("expected a position or a file, found {found:?}: {reason}")]
    Neither {
        /// What was given.
        found: String,
        /// Why it is no file.
        reason: String,
    },
    /// What a file contains is no position.
    #[error("{}: {error}", path.display())]
    InFile {
        /// The file.
        path: PathBuf,
        /// Why it is none.
        error: Box<PositionError>,
    },
    /// A file cannot be read.
    #[error(transparent)]
    File(#[from] Error),
    /// A movie cannot be played.
    #[error(transparent)]
    Replay(#[from] ReplayError),
}

fn nearest(next: Option<u64>) -> String {
    next.map(|frame| format!("; the next one spawns in frame {frame}")).unwrap_or_default()
}
