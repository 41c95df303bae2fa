//! Letters as bitmaps: the built-in font, rasterised once for every size in use.

use ab_glyph::{Font as _, FontRef, PxScale, ScaleFont as _};

use super::cover::cover;

/// DejaVu Sans 2.37, cut down to Latin-1; its licence is beside it.
const BYTES: &[u8] = include_bytes!("../../font/DejaVuSans-subset.ttf");

/// The characters that are rasterised; any other is shown as a question mark.
const FIRST: char = ' ';
const LAST: char = 'ÿ';

/// How large words are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Size {
    /// Names of values.
    Small,
    /// Values.
    Text,
    /// What matters most.
    Large,
    /// The score.
    Huge,
}

impl Size {
    const ALL: [Size; 4] = [Size::Small, Size::Text, Size::Large, Size::Huge];

    /// Units of an em.
    const fn em(self) -> f32 {
        match self {
            Size::Small => 5.9,
            Size::Text => 6.9,
            Size::Large => 10.0,
            Size::Huge => 16.0,
        }
    }
}

/// A letter in one size: how much of each pixel it covers, in eighths.
#[derive(Debug, Clone, Default)]
pub(super) struct Glyph {
    pub(super) covers: Vec<u8>,
    pub(super) width: usize,
    /// Pixels from the pen to the left edge.
    pub(super) left: i32,
    /// Pixels from the base line to the upper edge: negative above it.
    pub(super) top: i32,
    /// Pixels to the next letter's pen.
    pub(super) advance: u32,
}

/// The letters of all sizes at one scale.
#[derive(Debug, Clone)]
pub(super) struct Font {
    sizes: [Vec<Glyph>; 4],
}

impl Font {
    /// Rasterises the letters; `scale` is the number of pixels in a unit.
    pub(super) fn new(scale: usize) -> Font {
        let font = FontRef::try_from_slice(BYTES).expect("the built-in font is a font");
        // The font crate scales by the height of a line, not by the em.
        let line = font.height_unscaled() / font.units_per_em().unwrap_or(2048.0);
        let cut = |size: Size| {
            let pixels = PxScale::from(size.em() * scale as f32 * line);
            (FIRST..=LAST).map(|letter| glyph(&font, pixels, letter)).collect()
        };
        Font { sizes: Size::ALL.map(cut) }
    }

    /// Pixels that words take.
    pub(super) fn width(&self, size: Size, words: &str) -> u32 {
        self.glyphs(size, words).map(|glyph| glyph.advance).sum()
    }

    /// The letters of some words.
    pub(super) fn glyphs(&self, size: Size, words: &str) -> impl Iterator<Item = &Glyph> {
        let glyphs = &self.sizes[size as usize];
        words.chars().map(move |letter| {
            let letter = if (FIRST..=LAST).contains(&letter) { letter } else { '?' };
            &glyphs[letter as usize - FIRST as usize]
        })
    }
}

fn glyph(font: &FontRef<'_>, pixels: PxScale, letter: char) -> Glyph {
    let id = font.glyph_id(letter);
    // Whole pixels: the same letter looks the same everywhere.
    let advance = font.as_scaled(pixels).h_advance(id).round() as u32;
    let Some(outline) = font.outline_glyph(id.with_scale(pixels)) else {
        return Glyph { advance, ..Glyph::default() };
    };
    let bounds = outline.px_bounds();
    let (width, height) = (bounds.width().ceil() as usize, bounds.height().ceil() as usize);
    let mut covers = vec![0; width * height];
    outline.draw(|x, y, share| {
        if let Some(place) = covers.get_mut(y as usize * width + x as usize) {
            *place = cover(share) as u8;
        }
    });
    Glyph { covers, width, left: bounds.min.x as i32, top: bounds.min.y as i32, advance }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_equally_wide_in_every_size() {
        for scale in 1..=4 {
            let font = Font::new(scale);
            for size in Size::ALL {
                let widths = "0123456789".chars().map(|digit| font.width(size, &digit.to_string()));
                assert_eq!(widths.clone().min(), widths.max(), "{size:?} at {scale}");
            }
        }
    }

    #[test]
    fn letters_of_other_alphabets_are_question_marks() {
        let font = Font::new(2);
        assert_eq!(font.width(Size::Text, "ж漢\n"), font.width(Size::Text, "???"));
    }
}
