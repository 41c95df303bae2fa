//! Pixels for a PNG: the drawing library's bitmap with this file's own lines and letters.
//!
//! The library's lines change their thickness at corners, because it rounds their outlines to whole
//! pixels; its letters are set on whole pixels, without their side bearings, and higher than those
//! of an SVG.

use std::collections::BTreeMap;

use ab_glyph::{Font, FontRef, PxScale, ScaleFont};
use plotters::prelude::{BitMapBackend, DrawingBackend};
use plotters_backend::text_anchor::{HPos, VPos};
use plotters_backend::{BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingErrorKind, FontTransform};

/// The drawing library's font size, by the size of the letters that it asks an SVG for.
pub const SIZE_BY_EM: f64 = 1.24;

/// A canvas of pixels.
pub struct Bitmap<'a> {
    pixels: BitMapBackend<'a>,
    font: FontRef<'static>,
}

impl<'a> Bitmap<'a> {
    /// On `pixels`, with the letters of `font`.
    pub fn new(pixels: BitMapBackend<'a>, font: FontRef<'static>) -> Bitmap<'a> {
        Bitmap { pixels, font }
    }

    /// Mixes a colour into a pixel that is covered in part.
    fn dot(&mut self, at: BackendCoord, color: BackendColor, cover: f64) -> Done<'a> {
        let alpha = color.alpha * cover.clamp(0.0, 1.0);
        if alpha > 0.0 { self.pixels.draw_pixel(at, BackendColor { alpha, ..color }) } else { Ok(()) }
    }
}

type Done<'a> = Result<(), DrawingErrorKind<<BitMapBackend<'a> as DrawingBackend>::ErrorType>>;

impl<'a> DrawingBackend for Bitmap<'a> {
    type ErrorType = <BitMapBackend<'a> as DrawingBackend>::ErrorType;

    fn get_size(&self) -> (u32, u32) {
        self.pixels.get_size()
    }

    fn ensure_prepared(&mut self) -> Done<'a> {
        self.pixels.ensure_prepared()
    }

    fn present(&mut self) -> Done<'a> {
        self.pixels.present()
    }

    fn draw_pixel(&mut self, point: BackendCoord, color: BackendColor) -> Done<'a> {
        self.pixels.draw_pixel(point, color)
    }

    fn draw_line<S: BackendStyle>(&mut self, from: BackendCoord, to: BackendCoord, style: &S) -> Done<'a> {
        self.draw_path([from, to], style)
    }

    fn draw_rect<S: BackendStyle>(&mut self, from: BackendCoord, to: BackendCoord, style: &S, fill: bool) -> Done<'a> {
        self.pixels.draw_rect(from, to, style, fill)
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(&mut self, path: I, style: &S) -> Done<'a> {
        let points: Vec<_> = path.into_iter().map(|(x, y)| (f64::from(x), f64::from(y))).collect();
        let mut covers = BTreeMap::new();
        cover(&mut covers, &points, f64::from(style.stroke_width()), self.get_size());
        covers.into_iter().try_for_each(|(at, part)| self.dot(at, style.color(), part))
    }

    fn draw_circle<S: BackendStyle>(&mut self, at: BackendCoord, radius: u32, style: &S, fill: bool) -> Done<'a> {
        self.pixels.draw_circle(at, radius, style, fill)
    }

    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(&mut self, path: I, style: &S) -> Done<'a> {
        self.pixels.fill_polygon(path, style)
    }

    fn draw_text<S: BackendTextStyle>(&mut self, text: &str, style: &S, at: BackendCoord) -> Done<'a> {
        let color = style.color();
        let em = (style.size() / SIZE_BY_EM) as f32;
        // The font crate scales by the height of a line, not by the em.
        let line = self.font.height_unscaled() / self.font.units_per_em().unwrap_or(2048.0);
        let scale = PxScale::from(em * line);
        let font = self.font.as_scaled(scale);
        let width: f32 = text.chars().map(|letter| font.h_advance(font.glyph_id(letter))).sum();
        let anchor = style.anchor();
        let mut x = match anchor.h_pos {
            HPos::Left => 0.0,
            HPos::Center => -width / 2.0,
            HPos::Right => -width,
        };
        // The base line, as the SVG canvas has it.
        let y = match anchor.v_pos {
            VPos::Top => 0.76 * em,
            VPos::Center => 0.27 * em,
            VPos::Bottom => -0.27 * em,
        };
        let mut dots = vec![];
        for letter in text.chars() {
            let id = font.glyph_id(letter);
            let glyph = id.with_scale_and_position(scale, ab_glyph::point(x, y));
            x += font.h_advance(id);
            if let Some(outline) = self.font.outline_glyph(glyph) {
                let corner = outline.px_bounds().min;
                outline.draw(|dx, dy, cover| {
                    dots.push((corner.x as i32 + dx as i32, corner.y as i32 + dy as i32, cover));
                });
            }
        }
        for (dx, dy, cover) in dots {
            let (dx, dy) = match style.transform() {
                FontTransform::Rotate90 => (-dy, dx),
                FontTransform::Rotate180 => (-dx, -dy),
                FontTransform::Rotate270 => (dy, -dx),
                _ => (dx, dy),
            };
            self.dot((at.0 + dx, at.1 + dy), color, f64::from(cover))?;
        }
        Ok(())
    }
}

/// Adds what part of each pixel a line through `points` covers: flat at its ends, round at its
/// corners.
fn cover(covers: &mut BTreeMap<(i32, i32), f64>, points: &[(f64, f64)], width: f64, size: (u32, u32)) {
    let half = width / 2.0;
    let (last_x, last_y) = (f64::from(size.0) - 1.0, f64::from(size.1) - 1.0);
    for (index, ends) in points.windows(2).enumerate() {
        let [from, to] = [ends[0], ends[1]];
        let length = (to.0 - from.0).hypot(to.1 - from.1);
        if length == 0.0 {
            continue;
        }
        let along = ((to.0 - from.0) / length, (to.1 - from.1) / length);
        let (is_first, is_last) = (index == 0, index + 2 == points.len());
        let span = |a: f64, b: f64, last: f64| {
            let (low, high) = (a.min(b) - half - 1.0, a.max(b) + half + 1.0);
            low.clamp(0.0, last) as i32..=high.clamp(0.0, last) as i32
        };
        for y in span(from.1, to.1, last_y) {
            for x in span(from.0, to.0, last_x) {
                // From the line's beginning to the middle of the pixel.
                let (dx, dy) = (f64::from(x) + 0.5 - from.0, f64::from(y) + 0.5 - from.1);
                let place = dx * along.0 + dy * along.1;
                let aside = (dx * along.1 - dy * along.0).abs();
                let beyond = (-place).max(place - length);
                let is_end = if place < 0.0 { is_first } else { is_last };
                let part = match beyond > 0.0 && !is_end {
                    true => half + 0.5 - aside.hypot(beyond),
                    false => (half + 0.5 - aside).min(0.5 - beyond),
                };
                if part > 0.0 {
                    let known = covers.entry((x, y)).or_insert(0.0);
                    *known = known.max(part.min(1.0));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn covered(points: &[(f64, f64)], width: f64) -> Vec<((i32, i32), f64)> {
        let mut covers = BTreeMap::new();
        cover(&mut covers, points, width, (100, 100));
        covers.into_iter().collect()
    }

    #[test]
    fn an_upright_line_covers_whole_pixels() {
        let expected: Vec<_> = (9..11).flat_map(|x| (20..23).map(move |y| ((x, y), 1.0))).collect();
        assert_eq!(covered(&[(10.0, 20.0), (10.0, 23.0)], 2.0), expected);
    }

    #[test]
    fn a_slanted_line_is_as_thick_as_an_upright_one() {
        let area: f64 = covered(&[(10.0, 10.0), (70.0, 50.0)], 4.0).iter().map(|(_, part)| part).sum();
        assert!((area / 60f64.hypot(40.0) - 4.0).abs() < 0.1, "{area}");
    }

    #[test]
    fn lines_beyond_the_canvas_or_without_length_do_no_harm() {
        assert_eq!(covered(&[(5.0, 5.0), (5.0, 5.0)], 2.0), []);
        assert!(covered(&[(-50.0, 5.0), (500.0, 5.0)], 2.0).iter().all(|((x, _), _)| (0..100).contains(x)));
    }
}
