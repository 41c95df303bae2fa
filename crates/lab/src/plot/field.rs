//! The heat map of the playfield's cells.

use plotters::coord::Shift;
use plotters::prelude::{DrawingArea, DrawingBackend, PathElement, Rectangle};
use plotters::style::Color;
use plotters::style::text_anchor::HPos;

use super::canvas::Drawn;
use super::chart::{TEXT, letters, stroke};
use super::colours;
use maxout_engine::game::{ROWS, WIDTH};

/// Powers of ten that the colours span, below the largest share. Chosen by hand, not measured.
const DECADES: f64 = 3.0;

/// Steps of the scale. Chosen by hand, not measured.
const SHADES: i32 = 96;

/// How dark a share is, 0 to 1; by its logarithm, because each row has a fraction of the one
/// below it.
fn level(share: f64, most: f64) -> f64 {
    if share <= 0.0 { 0.0 } else { (1.0 + (share / most).log10() / DECADES).clamp(0.0, 1.0) }
}

/// Draws the cells, percentages of all, with the rows' numbers and the scale of the colours.
pub fn draw<DB: DrawingBackend>(area: &DrawingArea<DB, Shift>, cells: Option<&[[f64; WIDTH]; ROWS]>) -> Drawn<DB> {
    let (_, height) = area.dim_in_pixel();
    let side = (height as i32 - 112) / ROWS as i32;
    let (left, top) = (TEXT as i32 * 2 + 28, TEXT as i32 + 12);
    let (right, bottom) = (left + side * WIDTH as i32, top + side * ROWS as i32);
    let most = cells.map_or(0.0, |cells| cells.iter().flatten().copied().fold(0.0, f64::max));
    for (row, y) in (0..ROWS).map(|row| (row, top + side * row as i32)) {
        for (column, x) in (0..WIDTH).map(|column| (column, left + side * column as i32)) {
            let share = cells.map_or(0.0, |cells| cells[row][column]);
            let colour = if share > 0.0 { colours::heat(level(share, most)) } else { plotters::style::WHITE };
            area.draw(&Rectangle::new([(x, y), (x + side, y + side)], colour.filled()))?;
            area.draw(&Rectangle::new([(x, y), (x + side, y + side)], stroke(colours::GRID, 1)))?;
        }
        if row == 0 || (row + 1) % 5 == 0 {
            area.draw_text(
                &(row + 1).to_string(),
                &letters(TEXT, colours::INK, HPos::Right),
                (left - 12, y + side / 2),
            )?;
        }
    }
    let frame = [(left, top), (right, top), (right, bottom), (left, bottom), (left, top)];
    area.draw(&PathElement::new(frame, stroke(colours::FAINT, 2)))?;
    let faint = letters(TEXT, colours::FAINT, HPos::Center);
    let turned = faint.transform(plotters::style::FontTransform::Rotate270);
    area.draw_text("row from the top", &turned, (TEXT as i32 / 2, (top + bottom) / 2))?;
    if cells.is_none() {
        return area.draw_text("no locks", &faint, ((left + right) / 2, (top + bottom) / 2));
    }
    scale(area, (right + 40, top + side), (bottom - side) - (top + side), most)?;
    area.draw_text("share of locked cells", &faint, ((left + right) / 2, bottom + 44))
}

/// The colours with their percentages, from the most down.
fn scale<DB: DrawingBackend>(area: &DrawingArea<DB, Shift>, at: (i32, i32), height: i32, most: f64) -> Drawn<DB> {
    let (x, y) = at;
    for step in 0..SHADES {
        let colour = colours::heat(1.0 - f64::from(step) / f64::from(SHADES - 1));
        // Each reaches to the bottom and is painted over: no seams.
        let from = y + height * step / SHADES;
        area.draw(&Rectangle::new([(x, from), (x + 32, y + height)], colour.filled()))?;
    }
    let highest = most.log10().floor() as i32;
    let powers = (0..=DECADES as i32).map(|below| 10f64.powi(highest - below));
    let powers = powers.filter(|share| share * 10f64.powf(DECADES) >= most);
    // The largest share itself, unless its label would cover that of a power.
    for share in powers.chain(Some(most).filter(|most| most.log10() - f64::from(highest) > 0.1)) {
        let place = y + (f64::from(height) * (1.0 - level(share, most))) as i32;
        let places = (if share == most { 1 } else { 0 } - share.log10().floor() as i32).clamp(0, 9) as usize;
        let label = format!("{share:.places$} %");
        area.draw(&PathElement::new([(x + 32, place), (x + 40, place)], stroke(colours::FAINT, 2)))?;
        area.draw_text(&label, &letters(TEXT, colours::INK, HPos::Left), (x + 50, place))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tenth_is_a_third_of_the_colours_lighter() {
        assert_eq!(level(3.0, 3.0), 1.0);
        assert!((level(0.3, 3.0) - 2.0 / 3.0).abs() < 1e-9);
        assert_eq!((level(0.0, 3.0), level(0.0, 0.0), level(1e-9, 3.0)), (0.0, 0.0, 0.0));
    }
}
