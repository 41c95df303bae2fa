//! A canvas of red, green and blue bytes, drawn on in units: one unit is one pixel of the console.

use std::ops::Range;

use super::cover::{COVERS, cover};
use super::font::{Font, Size};
use maxout_engine::console::Picture;

/// Red, green, blue.
pub(super) type Rgb = [u8; 3];

/// A rectangle in units.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Area {
    pub(super) x: i32,
    pub(super) y: i32,
    pub(super) width: i32,
    pub(super) height: i32,
}

pub(super) const fn area(x: i32, y: i32, width: i32, height: i32) -> Area {
    Area { x, y, width, height }
}

/// The place of words on their line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Align {
    /// They begin at the place.
    Left,
    /// Their middle is there.
    Middle,
    /// They end there.
    Right,
}

/// The pixels, and how many of them a unit is wide. Anything outside is not drawn.
#[derive(Debug, Clone)]
pub(super) struct Canvas {
    pixels: Vec<u8>,
    width: usize,
    height: usize,
    scale: usize,
}

impl Canvas {
    /// A black canvas, `units` wide and high.
    pub(super) fn new(units: (usize, usize), scale: usize) -> Canvas {
        let (width, height) = (units.0 * scale, units.1 * scale);
        Canvas { pixels: vec![0; 3 * width * height], width, height, scale }
    }

    pub(super) fn size(&self) -> (usize, usize) {
        (self.width, self.height)
    }

    pub(super) fn scale(&self) -> usize {
        self.scale
    }

    pub(super) fn rgb(&self) -> &[u8] {
        &self.pixels
    }

    /// Fills a rectangle.
    pub(super) fn fill(&mut self, area: Area, colour: Rgb) {
        let (columns, rows) = (self.columns(area.x, area.width), self.rows(area.y, area.height));
        for y in rows {
            let row = 3 * (y * self.width);
            for pixel in self.pixels[row + 3 * columns.start..row + 3 * columns.end].as_chunks_mut().0 {
                *pixel = colour;
            }
        }
    }

    /// Fills a rectangle whose corners are quarters of circles.
    pub(super) fn fill_round(&mut self, area: Area, radius: f32, colour: Rgb) {
        let unit = self.scale as f32;
        let (left, top) = (area.x as f32 * unit, area.y as f32 * unit);
        let (right, bottom) = (left + area.width as f32 * unit, top + area.height as f32 * unit);
        let radius = radius * unit;
        for y in self.rows(area.y, area.height) {
            for x in self.columns(area.x, area.width) {
                let (px, py) = (x as f32 + 0.5, y as f32 + 0.5);
                // From the rectangle inside, a radius away from every side.
                let (dx, dy) = (
                    px - px.clamp(left + radius, (right - radius).max(left + radius)),
                    py - py.clamp(top + radius, (bottom - radius).max(top + radius)),
                );
                self.mix((x, y), colour, cover(radius + 0.5 - (dx * dx + dy * dy).sqrt()));
            }
        }
    }

    /// Mixes a colour into one unit: `part` eighths of it.
    pub(super) fn mix_unit(&mut self, x: i32, y: i32, colour: Rgb, part: u16) {
        for py in self.rows(y, 1) {
            for px in self.columns(x, 1) {
                self.mix((px, py), colour, part);
            }
        }
    }

    /// Draws words; `y` is their base line. Returns their width in units.
    pub(super) fn text(
        &mut self,
        font: &Font,
        size: Size,
        (x, y): (i32, i32),
        align: Align,
        words: &str,
        colour: Rgb,
    ) -> i32 {
        let width = font.width(size, words);
        let start = match align {
            Align::Left => 0,
            Align::Middle => width / 2,
            Align::Right => width,
        };
        let (mut pen, base) = (x * self.scale as i32 - start as i32, y * self.scale as i32);
        for glyph in font.glyphs(size, words) {
            let (left, top) = (pen + glyph.left, base + glyph.top);
            for (row, covers) in (top..).zip(glyph.covers.chunks_exact(glyph.width.max(1))) {
                for (column, &part) in (left..).zip(covers) {
                    if let (Ok(x), Ok(y)) = (usize::try_from(column), usize::try_from(row)) {
                        self.mix((x, y), colour, u16::from(part));
                    }
                }
            }
            pen += glyph.advance as i32;
        }
        (width as i32).div_euclid(self.scale as i32) + 1
    }

    /// Draws a console's picture into the upper left corner.
    pub(super) fn picture(&mut self, picture: &Picture) {
        let row_bytes = 3 * self.width;
        for (y, row) in picture.pixels.chunks_exact(Picture::WIDTH).take(Picture::HEIGHT).enumerate() {
            let first = y * self.scale * row_bytes;
            let used = 3 * Picture::WIDTH * self.scale;
            let line = &mut self.pixels[first..first + used];
            for (wide, pixel) in line.chunks_exact_mut(3 * self.scale).zip(row) {
                wide.as_chunks_mut().0.fill(*pixel);
            }
            for copy in 1..self.scale {
                self.pixels.copy_within(first..first + used, first + copy * row_bytes);
            }
        }
    }

    fn mix(&mut self, (x, y): (usize, usize), colour: Rgb, part: u16) {
        if part == 0 || x >= self.width || y >= self.height {
            return;
        }
        let at = 3 * (y * self.width + x);
        for (below, above) in self.pixels[at..at + 3].iter_mut().zip(colour) {
            *below = ((u16::from(*below) * (COVERS - part) + u16::from(above) * part) / COVERS) as u8;
        }
    }

    fn columns(&self, x: i32, width: i32) -> Range<usize> {
        span(x, width, self.scale, self.width)
    }

    fn rows(&self, y: i32, height: i32) -> Range<usize> {
        span(y, height, self.scale, self.height)
    }
}

/// A range of units as a range of pixels, cut to the canvas.
fn span(start: i32, length: i32, scale: usize, end: usize) -> Range<usize> {
    let pixel = |unit: i32| (usize::try_from(unit).unwrap_or(0) * scale).min(end);
    pixel(start)..pixel(start.saturating_add(length)).max(pixel(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lies_outside_is_not_drawn() {
        let mut canvas = Canvas::new((4, 3), 2);
        canvas.fill(area(-5, -5, 3, 3), [9; 3]);
        canvas.fill_round(area(4, 0, 10, 10), 2.0, [9; 3]);
        canvas.mix_unit(7, 7, [9; 3], COVERS);
        assert!(canvas.rgb().iter().all(|&byte| byte == 0));
        canvas.fill(area(-1, -1, 100, 100), [9; 3]);
        assert!(canvas.rgb().iter().all(|&byte| byte == 9));
    }

    #[test]
    fn a_picture_is_enlarged_pixel_by_pixel() {
        let mut picture = Picture { pixels: vec![[0; 3]; Picture::WIDTH * Picture::HEIGHT] };
        picture.pixels[2 * Picture::WIDTH + 1] = [1, 2, 3];
        let mut canvas = Canvas::new((300, 240), 3);
        canvas.picture(&picture);
        let lit: Vec<_> = (0..900 * 720).filter(|at| canvas.rgb()[3 * at..3 * at + 3] == [1, 2, 3]).collect();
        let expected: Vec<_> = (6..9).flat_map(|y| (3..6).map(move |x| y * 900 + x)).collect();
        assert_eq!(lit, expected);
    }
}
