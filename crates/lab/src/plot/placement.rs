//! A playfield with a placement in it, and what it is worth beside it.

use plotters::coord::Shift;
use plotters::prelude::{DrawingArea, DrawingBackend, Rectangle};
use plotters::style::text_anchor::HPos;
use plotters::style::{Color, RGBColor};

use super::canvas::{Drawn, Plot};
use super::chart::{HEADING, MARGIN, TEXT, fitted, letters, stroke};
use super::colours;
use maxout_engine::game::{Placement, Playfield, ROWS, WIDTH};

/// Units of the side of a cell.
const SIDE: i32 = 48;
/// Units of the words beside the playfield.
const WORDS: i32 = 1040;
/// Units from one line of words to the next.
const LINE: i32 = 38;
/// Locked cells.
const LOCKED: RGBColor = RGBColor(0x8b, 0x90, 0xa0);
/// The playfield.
const FIELD: RGBColor = RGBColor(0xfa, 0xfa, 0xfc);

/// What is drawn.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PlacementPicture {
    /// The cells that are occupied.
    pub playfield: Playfield,
    /// The placement that is filled.
    pub best: Option<Placement>,
    /// The placement that is outlined.
    pub second: Option<Placement>,
    /// The heading beside the playfield.
    pub title: String,
    /// Lines below it; each with the colour of the best (0), of the second (1) or of plain words.
    pub lines: Vec<(Option<usize>, String)>,
}

impl Plot for PlacementPicture {
    fn size(&self) -> (u32, u32) {
        let width = 3 * MARGIN + SIDE * WIDTH as i32 + WORDS;
        let words = HEADING as i32 + MARGIN + LINE * self.lines.len() as i32;
        let height = 2 * MARGIN + words.max(SIDE * ROWS as i32);
        // An SVG is shown at half its size.
        (width as u32, (height + height % 2) as u32)
    }

    fn draw<DB: DrawingBackend>(&self, canvas: &DrawingArea<DB, Shift>) -> Drawn<DB> {
        let (right, bottom) = (MARGIN + SIDE * WIDTH as i32, MARGIN + SIDE * ROWS as i32);
        canvas.draw(&Rectangle::new([(MARGIN, MARGIN), (right, bottom)], FIELD.filled()))?;
        for (row, bits) in (0..).zip(self.playfield.visible()) {
            for column in 0..WIDTH as i32 {
                let is_locked = bits >> column & 1 == 1;
                let area = cell(row, column);
                if is_locked {
                    canvas.draw(&Rectangle::new(area, LOCKED.filled()))?;
                }
                canvas.draw(&Rectangle::new(area, stroke(colours::GRID, 2)))?;
            }
        }
        for (row, column) in visible(self.best) {
            canvas.draw(&Rectangle::new(cell(row, column), colours::line(0).filled()))?;
            canvas.draw(&Rectangle::new(cell(row, column), stroke(plotters::style::WHITE, 3)))?;
        }
        for (row, column) in visible(self.second) {
            let [from, to] = cell(row, column);
            canvas.draw(&Rectangle::new([from, to], colours::line(1).mix(0.18).filled()))?;
            // Two outlines: one alone is thin at this size.
            for inset in [7, 9] {
                let area = [(from.0 + inset, from.1 + inset), (to.0 - inset, to.1 - inset)];
                canvas.draw(&Rectangle::new(area, stroke(colours::line(1), 2)))?;
            }
        }
        canvas.draw(&Rectangle::new([(MARGIN, MARGIN), (right, bottom)], stroke(colours::FAINT, 3)))?;
        let left = right + MARGIN;
        let title = fitted(&self.title, HEADING, WORDS);
        canvas.draw_text(&title, &letters(HEADING, colours::INK, HPos::Left), (left, MARGIN + HEADING as i32 / 2))?;
        let mut y = MARGIN + HEADING as i32 + LINE;
        for (whose, line) in &self.lines {
            if let Some(whose) = whose {
                let mark = [(left, y - 10), (left + 20, y + 10)];
                canvas.draw(&Rectangle::new(mark, colours::line(*whose).filled()))?;
            }
            let colour = if whose.is_some() { colours::INK } else { colours::FAINT };
            canvas.draw_text(&fitted(line, TEXT, WORDS - 34), &letters(TEXT, colour, HPos::Left), (left + 34, y))?;
            y += LINE;
        }
        Ok(())
    }
}

fn cell(row: i32, column: i32) -> [(i32, i32); 2] {
    let (x, y) = (MARGIN + SIDE * column, MARGIN + SIDE * row);
    [(x, y), (x + SIDE, y + SIDE)]
}

/// The cells that are not above the top.
fn visible(placement: Option<Placement>) -> impl Iterator<Item = (i32, i32)> {
    let cells = placement.into_iter().flat_map(Placement::cells).filter(|(row, _)| *row >= 0);
    cells.map(|(row, column)| (i32::from(row), i32::from(column)))
}
