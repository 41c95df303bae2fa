//! What all charts share: words, frames, lines.

use plotters::chart::{ChartBuilder, ChartContext};
use plotters::coord::Shift;
use plotters::coord::cartesian::Cartesian2d;
use plotters::prelude::{DashedLineSeries, DrawingArea, DrawingBackend, PathElement, Polygon};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, IntoFont, RGBColor, ShapeStyle, TextStyle};

use super::axis::Axis;
use super::bitmap::SIZE_BY_EM;
use super::canvas::{Drawn, FAMILY};
use super::colours;

/// Units of the letters of a page's title.
pub const TITLE: u32 = 44;
/// Units of the letters of a panel's title.
pub const HEADING: u32 = 30;
/// Units of all other letters.
pub const TEXT: u32 = 24;
/// Units around a page.
pub const MARGIN: i32 = 48;
/// Units between a panel's top and its chart.
pub const HEAD: i32 = 60;

/// A chart with its axes drawn.
pub type Chart<'a, DB> = ChartContext<'a, DB, Cartesian2d<Axis, Axis>>;

/// Letters of `em` units, anchored at the middle of their height.
pub fn letters(em: u32, colour: RGBColor, side: HPos) -> TextStyle<'static> {
    (FAMILY, f64::from(em) * SIZE_BY_EM).into_font().color(&colour).pos(Pos::new(side, VPos::Center))
}

/// A line of `width` units.
pub fn stroke(colour: RGBColor, width: u32) -> ShapeStyle {
    ShapeStyle { color: colour.to_rgba(), filled: false, stroke_width: width }
}

/// About how many units a text is wide; wide letters counted.
pub fn width(text: &str, em: u32) -> i32 {
    (text.chars().count() as f64 * f64::from(em) * 0.62) as i32
}

/// A text cut to about this many units, in one line.
pub fn fitted(text: &str, em: u32, units: i32) -> String {
    // XML knows no other control characters.
    let letters = text.chars().map(|letter| if letter.is_control() { ' ' } else { letter });
    let most = (f64::from(units) / (f64::from(em) * 0.62)) as usize;
    if text.chars().count() <= most {
        return letters.collect();
    }
    letters.take(most.saturating_sub(1)).chain(['…']).collect()
}

/// Draws the heading of a panel and returns what is below it.
pub fn panel<DB: DrawingBackend>(area: &DrawingArea<DB, Shift>, title: &str) -> Drawn<DB, DrawingArea<DB, Shift>> {
    let (width, _) = area.dim_in_pixel();
    let title = fitted(title, HEADING, width as i32);
    area.draw_text(&title, &letters(HEADING, colours::INK, HPos::Left), (0, HEADING as i32))?;
    Ok(area.clone().margin(HEAD, 0, 0, 0))
}

/// Draws the axes and the lines behind the data.
pub fn chart<'a, DB: DrawingBackend + 'a>(
    area: &'a DrawingArea<DB, Shift>,
    x: &Axis,
    y: &Axis,
) -> Drawn<DB, Chart<'a, DB>> {
    let widest = y.ticks.iter().map(|(_, label)| width(label, TEXT)).max().unwrap_or(0);
    let (wide, high) = area.dim_in_pixel();
    let mut chart = ChartBuilder::on(area)
        .y_label_area_size(widest + 30 + if y.name.is_empty() { 0 } else { TEXT as i32 + 16 })
        .x_label_area_size(TEXT as i32 * 2 + 40)
        // Half a label may stick out of the last tick.
        .margin_right(44)
        // Room for the name of a mark.
        .margin_top(TEXT as i32 + 12)
        .build_cartesian_2d(x.clone(), y.clone())?;
    chart
        .configure_mesh()
        .light_line_style(colours::GRID.mix(0.0))
        .bold_line_style(stroke(colours::GRID, 2))
        .axis_style(stroke(colours::FAINT, 2))
        .label_style(letters(TEXT, colours::INK, HPos::Left))
        .axis_desc_style(letters(TEXT, colours::FAINT, HPos::Left))
        .x_desc(fitted(&x.name, TEXT, wide as i32 - 200))
        .y_desc(fitted(&y.name, TEXT, high as i32 - 120))
        .set_all_tick_mark_size(6)
        .draw()?;
    Ok(chart)
}

/// A line through points.
pub fn line<'a, DB: DrawingBackend + 'a>(
    chart: &mut Chart<'a, DB>,
    points: &[(f64, f64)],
    colour: RGBColor,
    width: u32,
) -> Drawn<DB> {
    chart.plotting_area().draw(&PathElement::new(points.to_vec(), stroke(colour, width)))
}

/// A dashed line from one point to another.
pub fn dashes<'a, DB: DrawingBackend + 'a>(
    chart: &mut Chart<'a, DB>,
    from: (f64, f64),
    to: (f64, f64),
    style: ShapeStyle,
) -> Drawn<DB> {
    chart.draw_series(DashedLineSeries::new([from, to], 10, 8, style))?;
    Ok(())
}

/// Bars beside each other as one outline on `base`, filled with `shade` (0 to 1) of the colour, so
/// that those of several players lie over each other. Bar `n` reaches from `n` to `n + 1` times
/// `width`.
pub fn bars<'a, DB: DrawingBackend + 'a>(
    chart: &mut Chart<'a, DB>,
    tops: &[f64],
    (width, base): (f64, f64),
    colour: RGBColor,
    shade: f64,
) -> Drawn<DB> {
    let area = chart.plotting_area();
    let mut from = 0;
    for run in tops.chunk_by(|a, b| (*a > base) == (*b > base)) {
        let at = |bar: usize| bar as f64 * width;
        let end = from + run.len();
        if run[0] > base {
            let mut outline = vec![(at(from), base)];
            for equal in run.chunk_by(|a, b| a == b) {
                outline.extend([(at(from), equal[0]), (at(from + equal.len()), equal[0])]);
                from += equal.len();
            }
            outline.push((at(end), base));
            area.draw(&Polygon::new(outline.clone(), colour.mix(shade).filled()))?;
            area.draw(&PathElement::new(outline, stroke(colour, 3)))?;
        }
        from = end;
    }
    Ok(())
}

/// A text in the chart, at units from its upper left corner.
pub fn note<'a, DB: DrawingBackend + 'a>(
    chart: &Chart<'a, DB>,
    text: &str,
    style: &TextStyle,
    at: (i32, i32),
) -> Drawn<DB> {
    let area = chart.plotting_area().strip_coord_spec();
    area.draw_text(text, style, at)
}

/// A text in the middle of the chart.
pub fn middle<'a, DB: DrawingBackend + 'a>(chart: &Chart<'a, DB>, text: &str) -> Drawn<DB> {
    let (width, height) = chart.plotting_area().dim_in_pixel();
    let style = letters(TEXT, colours::FAINT, HPos::Center);
    note(chart, text, &style, (width as i32 / 2, height as i32 / 2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_cut_to_one_line() {
        assert_eq!(fitted("one\ntwo\u{7}", 10, 100), "one two ");
        assert_eq!(fitted("abcdefgh", 10, 31), "abcd…");
        assert_eq!(fitted("abc", 10, -5), "…");
    }
}
