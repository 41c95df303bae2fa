//! Lines over x, such as the curves of a training.

use plotters::coord::Shift;
use plotters::prelude::{Circle, DrawingArea, DrawingBackend, PathElement};
use plotters::style::Color;
use plotters::style::text_anchor::HPos;

use super::axis::Axis;
use super::canvas::{Drawn, Plot};
use super::chart::{self, MARGIN, TEXT, TITLE, fitted, letters, stroke};
use super::colours;

/// Width and height of the picture without its legend, in units.
const SIZE: (i32, i32) = (2000, 1120);
/// Units from one line of the legend to the next.
const LINE: i32 = 44;
/// The longest line that shows each point. Chosen by hand, not measured.
const DOTS: usize = 60;

/// A picture of some series.
pub struct Curve {
    title: String,
    names: Vec<String>,
    series: Vec<Vec<(f64, f64)>>,
    x: Axis,
    y: Axis,
}

impl Curve {
    /// A curve of series of x and y.
    pub fn new(title: &str, x_label: &str, y_label: &str, series: &[(String, Vec<(f64, f64)>)]) -> Curve {
        let finite = |points: &Vec<(f64, f64)>| {
            let finite = points.iter().filter(|(x, y)| x.is_finite() && y.is_finite());
            finite.map(|(x, y)| (x.clamp(-1e300, 1e300), y.clamp(-1e300, 1e300))).collect::<Vec<_>>()
        };
        let names = series.iter().map(|(name, _)| name.clone()).collect();
        let series: Vec<_> = series.iter().map(|(_, points)| finite(points)).collect();
        let (left, right) = ends(series.iter().flatten().map(|point| point.0));
        let (low, high) = ends(series.iter().flatten().map(|point| point.1));
        // Amounts are read against zero, unless that would flatten the curve.
        let low = if low >= 0.0 && low <= high / 2.0 { 0.0 } else { low - (high - low) * 0.05 };
        let high = high + (high - low) * 0.05;
        Curve {
            title: title.to_owned(),
            names,
            series,
            x: Axis::linear(left, right, 10, x_label),
            y: Axis::linear(low, high, 7, y_label),
        }
    }

    /// The height of the legend.
    fn legend(&self) -> i32 {
        LINE * self.names.len() as i32
    }
}

/// The least and the most; 0 and 1 without a value.
fn ends(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let (low, high) = values.fold((f64::MAX, f64::MIN), |(low, high), value| (low.min(value), high.max(value)));
    if low > high { (0.0, 1.0) } else { (low, high) }
}

impl Plot for Curve {
    fn size(&self) -> (u32, u32) {
        (SIZE.0 as u32, (SIZE.1 + self.legend()) as u32)
    }

    fn draw<DB: DrawingBackend>(&self, canvas: &DrawingArea<DB, Shift>) -> Drawn<DB> {
        let title = fitted(&self.title, TITLE, SIZE.0 - 2 * MARGIN);
        canvas.draw_text(&title, &letters(TITLE, colours::INK, HPos::Left), (MARGIN, 64))?;
        for (index, name) in self.names.iter().enumerate() {
            let y = 128 + LINE * index as i32;
            canvas.draw(&PathElement::new([(MARGIN, y), (MARGIN + 56, y)], stroke(colours::line(index), 6)))?;
            let name = fitted(name, TEXT, SIZE.0 - 3 * MARGIN);
            canvas.draw_text(&name, &letters(TEXT, colours::INK, HPos::Left), (MARGIN + 76, y))?;
        }
        let below = canvas.clone().margin(112 + self.legend(), MARGIN, MARGIN, MARGIN / 2);
        let mut chart = chart::chart(&below, &self.x, &self.y)?;
        for (index, points) in self.series.iter().enumerate() {
            let colour = colours::line(index);
            if points.len() > 1 {
                chart::line(&mut chart, points, colour, 4)?;
            }
            if points.len() <= DOTS {
                let dots = points.iter().map(|point| Circle::new(*point, 7, colour.filled()));
                chart.draw_series(dots)?;
            }
        }
        if self.series.iter().all(Vec::is_empty) {
            chart::middle(&chart, "no points")?;
        }
        Ok(())
    }
}
