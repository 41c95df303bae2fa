//! Patterns: the drawings that a pile is to make, as pictures of 10 x 20 pixels; dark pixels are
//! cells.

use std::sync::Arc;

use super::limited;
use super::pixels::{Pixels, PixelsError};
use maxout_engine::game::{Playfield, ROWS, WIDTH};
use maxout_engine::planner::filter::{Drawing, DrawingError, Filter, FilterChoice, Pattern, Well};

/// Pixels that are darker than this are cells; 0 is black, 255 white. Chosen by hand, not measured.
const DARK: u32 = 128;

/// A filter that cannot be set up.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The picture cannot be read.
    #[error("cannot read the pattern {path}")]
    Read {
        /// Its path.
        path: String,
        /// What the system says.
        source: std::io::Error,
    },
    /// The picture is not one that can be drawn.
    #[error("pattern {path}: {problem}")]
    Picture {
        /// Its path.
        path: String,
        /// What is wrong with it.
        problem: PictureError,
    },
}

/// Why a picture cannot be a drawing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PictureError {
    /// Not a PNG, or a broken one.
    #[error("expected a PNG of {WIDTH}x{ROWS} pixels, found none: {0}")]
    NotPng(String),
    /// Another size.
    #[error("expected {WIDTH}x{ROWS} pixels, found {width}x{height}: scale or crop the picture")]
    Size {
        /// Columns of pixels.
        width: u32,
        /// Rows of pixels.
        height: u32,
    },
    /// A pile cannot draw its cells.
    #[error(transparent)]
    Cells(#[from] DrawingError),
}

/// The filter of a choice; reads its picture.
///
/// # Errors
/// When the picture cannot be read, or a pile cannot draw it.
pub fn filter(choice: &FilterChoice) -> Result<Arc<dyn Filter>, Error> {
    let path = match choice {
        FilterChoice::Well => return Ok(Arc::new(Well)),
        FilterChoice::Pattern(path) => path,
    };
    let name = path.display().to_string();
    let bytes = limited::read(path, limited::PICTURE).map_err(|source| Error::Read { path: name.clone(), source })?;
    let drawing = drawing(&bytes).map_err(|problem| Error::Picture { path: name, problem })?;
    Ok(Arc::new(Pattern::new(drawing)))
}

/// The drawing in a PNG of any colour type; what is transparent is light.
///
/// # Errors
/// When it is not a PNG, has another size, or cannot be drawn.
pub fn drawing(png: &[u8]) -> Result<Drawing, PictureError> {
    let check = |width, height| {
        let fits = (width as usize, height as usize) == (WIDTH, ROWS);
        if fits { Ok(()) } else { Err(PictureError::Size { width, height }) }
    };
    let pixels = Pixels::read(png, check).map_err(|error| match error {
        PixelsError::NotPng(message) => PictureError::NotPng(message),
        PixelsError::Size(error) => error,
    })?;
    let mut cells = Playfield::EMPTY;
    for row in 0..ROWS {
        for column in (0..WIDTH).filter(|&column| is_dark(pixels.at(column, row))) {
            cells.set(row as i8, column);
        }
    }
    Ok(Drawing::new(cells)?)
}

fn is_dark([red, green, blue, opacity]: [u8; 4]) -> bool {
    let opacity = u32::from(opacity);
    // On a white ground.
    luma(&[red, green, blue]) * opacity + 255 * (255 - opacity) < DARK * 255
}

/// Brightness of red, green and blue, as ITU-R BT.601 weighs them.
fn luma(pixel: &[u8]) -> u32 {
    (299 * u32::from(pixel[0]) + 587 * u32::from(pixel[1]) + 114 * u32::from(pixel[2])) / 1000
}

#[cfg(test)]
mod tests {
    use png::{BitDepth, ColorType};

    use super::*;

    fn encoded(colour: ColorType, depth: BitDepth, (width, height): (u32, u32), data: &[u8]) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, width, height);
        encoder.set_color(colour);
        encoder.set_depth(depth);
        if colour == ColorType::Indexed {
            encoder.set_palette(vec![250, 240, 230, 10, 20, 30]);
        }
        let mut writer = encoder.write_header().expect("a header");
        writer.write_image_data(data).expect("pixels");
        writer.finish().expect("an end");
        bytes
    }

    /// One dark pixel: row 19, column 2.
    fn one_cell(colour: ColorType, depth: BitDepth, light: &[u8], dark: &[u8]) -> Result<Drawing, PictureError> {
        let data: Vec<u8> =
            (0..200).flat_map(|pixel| if pixel == 192 { dark } else { light }.iter().copied()).collect();
        drawing(&encoded(colour, depth, (10, 20), &data))
    }

    #[test]
    fn every_colour_type_is_read() {
        let mut cell = Playfield::EMPTY;
        cell.set(19, 2);
        let cells = Drawing::new(cell).expect("one cell");
        use BitDepth::{Eight, Sixteen};
        let cases: [(ColorType, BitDepth, &[u8], &[u8]); 8] = [
            (ColorType::Grayscale, Eight, &[128], &[127]),
            (ColorType::Grayscale, Sixteen, &[200, 0], &[100, 0]),
            (ColorType::GrayscaleAlpha, Eight, &[0, 0], &[0, 255]),
            (ColorType::Rgb, Eight, &[0, 255, 0], &[0, 0, 255]),
            (ColorType::Rgb, Eight, &[128; 3], &[127; 3]),
            (ColorType::Rgba, Eight, &[0, 0, 0, 90], &[0, 0, 0, 200]),
            (ColorType::Rgb, Sixteen, &[255; 6], &[0; 6]),
            (ColorType::Indexed, Eight, &[0], &[1]),
        ];
        for (colour, depth, light, dark) in cases {
            assert_eq!(one_cell(colour, depth, light, dark), Ok(cells), "{colour:?} {depth:?}");
        }
        // One bit a pixel: two bytes a row.
        let mut bits = [0xFF; 40];
        bits[38] = 0b1101_1111;
        assert_eq!(drawing(&encoded(ColorType::Grayscale, BitDepth::One, (10, 20), &bits)), Ok(cells));
    }

    #[test]
    fn what_cannot_be_drawn_is_refused_in_one_line() {
        let grey = |size: (u32, u32), value| {
            let data = vec![value; (size.0 * size.1) as usize];
            drawing(&encoded(ColorType::Grayscale, BitDepth::Eight, size, &data)).expect_err("unfit").to_string()
        };
        assert!(grey((20, 10), 0).contains("expected 10x20 pixels, found 20x10"));
        assert!(grey((10, 20), 0).contains("row 1 from the top"));
        assert!(grey((10, 20), 255).contains("found none"));
        let png = encoded(ColorType::Grayscale, BitDepth::Eight, (10, 20), &[0; 200]);
        for bytes in [&b"hello"[..], b"", &png[..40]] {
            let error = drawing(bytes).expect_err("no PNG").to_string();
            assert!(error.starts_with("expected a PNG") && !error.contains('\n'), "{error}");
        }
    }

    #[test]
    fn a_palette_that_ends_inside_a_colour_is_refused() {
        let picture = encoded(ColorType::Indexed, BitDepth::Eight, (10, 20), &[0; 200]);
        let start = picture.windows(4).position(|name| name == b"PLTE").expect("a palette") - 4;
        // Five of its six bytes, and the right checksum.
        let chunk = [b"PLTE", &picture[start + 8..start + 13]].concat();
        let (before, after) = (&picture[..start], &picture[start + 18..]);
        let cut = [before, &[0, 0, 0, 5], &chunk, &crc32fast::hash(&chunk).to_be_bytes(), after].concat();
        let error = drawing(&cut).expect_err("no colours").to_string();
        assert!(error.ends_with("its palette has 5 bytes, which are no whole colours"), "{error}");
    }

    #[test]
    fn a_missing_picture_is_named() {
        let error = filter(&FilterChoice::Pattern("no-such.png".into())).err().expect("there is none");
        assert_eq!(error.to_string(), "cannot read the pattern no-such.png");
    }
}
