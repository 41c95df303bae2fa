//! What a pile can draw: 10 x 20 cells.

use crate::game::{Playfield, WIDTH};

/// Cells that no pile can draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum DrawingError {
    /// A row that the game would clear.
    #[error("expected a light pixel in every row, found none in row {row} from the top: a full row would be cleared")]
    FullRow {
        /// The row, counted from 1.
        row: usize,
    },
    /// Nothing to draw.
    #[error("expected dark pixels to draw, found none")]
    Blank,
}

/// The cells that a pile is to have, and no others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Drawing(Playfield);

impl Drawing {
    /// A drawing of these cells.
    ///
    /// # Errors
    /// When a row is full or no cell is set.
    pub fn new(cells: Playfield) -> Result<Drawing, DrawingError> {
        if let Some(row) = cells.visible().iter().position(|row| row.count_ones() as usize == WIDTH) {
            return Err(DrawingError::FullRow { row: row + 1 });
        }
        if cells.cell_count() == 0 { Err(DrawingError::Blank) } else { Ok(Drawing(cells)) }
    }

    /// The cells.
    pub fn cells(&self) -> &Playfield {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_row_and_an_empty_drawing_are_refused() {
        let mut cells = Playfield::EMPTY;
        assert_eq!(Drawing::new(cells), Err(DrawingError::Blank));
        cells.set(4, 3);
        assert_eq!(Drawing::new(cells).map(|drawing| *drawing.cells()), Ok(cells));
        (0..WIDTH).for_each(|column| cells.set(7, column));
        assert_eq!(Drawing::new(cells), Err(DrawingError::FullRow { row: 8 }));
    }
}
