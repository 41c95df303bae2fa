//! Pictures of a pile: 10 x 20 pixels, dark ones are cells.

use std::io::Cursor;

use png::{ColorType, Transformations};

use crate::game::{Playfield, ROWS, WIDTH};

/// Pixels that are darker than this are cells; 0 is black, 255 white.
const DARK: u32 = 128;

/// What makes a picture unfit.
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

/// The cells that a pile shall have, and no others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Picture(Playfield);

impl Picture {
    /// From cells.
    ///
    /// # Errors
    /// When a row is full or no cell is set.
    pub fn new(cells: Playfield) -> Result<Picture, PictureError> {
        if let Some(row) = cells.visible().iter().position(|row| row.count_ones() as usize == WIDTH) {
            return Err(PictureError::FullRow { row: row + 1 });
        }
        if cells.cell_count() == 0 { Err(PictureError::Blank) } else { Ok(Picture(cells)) }
    }

    /// From a PNG of any colour type; what is transparent is light.
    ///
    /// # Errors
    /// When it is no PNG, has another size, or cannot be drawn.
    pub fn from_png(bytes: &[u8]) -> Result<Picture, PictureError> {
        let not_png = |error: png::DecodingError| PictureError::NotPng(error.to_string().replace('\n', " "));
        let mut decoder = png::Decoder::new(Cursor::new(bytes));
        decoder.set_transformations(Transformations::normalize_to_color8());
        let mut reader = decoder.read_info().map_err(not_png)?;
        let (width, height) = reader.info().size();
        if (width as usize, height as usize) != (WIDTH, ROWS) {
            return Err(PictureError::Size { width, height });
        }
        let size = reader.output_buffer_size().ok_or_else(|| PictureError::NotPng("it is too large".to_owned()))?;
        let mut pixels = vec![0; size];
        let frame = reader.next_frame(&mut pixels).map_err(not_png)?;
        let mut cells = Playfield::EMPTY;
        let samples = frame.color_type.samples();
        for (row, line) in (0..ROWS as i8).zip(pixels.chunks(frame.line_size)) {
            for (column, pixel) in line.chunks(samples).take(WIDTH).enumerate() {
                if is_dark(frame.color_type, pixel) {
                    cells.set(row, column);
                }
            }
        }
        Picture::new(cells)
    }

    /// The cells.
    pub fn cells(&self) -> &Playfield {
        &self.0
    }

    /// How many of its cells a pile has, and how many cells it has beside them.
    pub fn compare(&self, pile: &Playfield) -> (u32, u32) {
        let rows = self.0.visible().iter().zip(pile.visible());
        rows.fold((0, 0), |(right, wrong), (wanted, found)| {
            (right + (wanted & found).count_ones(), wrong + (found & !wanted).count_ones())
        })
    }
}

/// Pixels of 8 bits a sample, palettes resolved.
fn is_dark(colour: ColorType, pixel: &[u8]) -> bool {
    let sample = |index: usize| u32::from(pixel[index]);
    let (brightness, opacity) = match colour {
        ColorType::Grayscale | ColorType::Indexed => (sample(0), 255),
        ColorType::GrayscaleAlpha => (sample(0), sample(1)),
        ColorType::Rgb => (luma(pixel), 255),
        ColorType::Rgba => (luma(pixel), sample(3)),
    };
    // On a white ground.
    brightness * opacity + 255 * (255 - opacity) < DARK * 255
}

/// Brightness of red, green and blue, as ITU-R BT.601 weighs them.
fn luma(pixel: &[u8]) -> u32 {
    (299 * u32::from(pixel[0]) + 587 * u32::from(pixel[1]) + 114 * u32::from(pixel[2])) / 1000
}

#[cfg(test)]
mod tests {
    use png::BitDepth;

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
    fn one_cell(colour: ColorType, depth: BitDepth, light: &[u8], dark: &[u8]) -> Result<Picture, PictureError> {
        let data: Vec<u8> =
            (0..200).flat_map(|pixel| if pixel == 192 { dark } else { light }.iter().copied()).collect();
        Picture::from_png(&encoded(colour, depth, (10, 20), &data))
    }

    #[test]
    fn every_colour_type_is_read() {
        let mut cell = Playfield::EMPTY;
        cell.set(19, 2);
        use BitDepth::{Eight, Sixteen};
        let cases: [(ColorType, BitDepth, &[u8], &[u8]); 7] = [
            (ColorType::Grayscale, Eight, &[255], &[0]),
            (ColorType::Grayscale, Sixteen, &[200, 0], &[100, 0]),
            (ColorType::GrayscaleAlpha, Eight, &[0, 0], &[0, 255]),
            (ColorType::Rgb, Eight, &[0, 255, 0], &[0, 0, 255]),
            (ColorType::Rgba, Eight, &[0, 0, 0, 90], &[0, 0, 0, 200]),
            (ColorType::Rgb, Sixteen, &[255; 6], &[0; 6]),
            (ColorType::Indexed, Eight, &[0], &[1]),
        ];
        for (colour, depth, light, dark) in cases {
            assert_eq!(one_cell(colour, depth, light, dark), Ok(Picture(cell)), "{colour:?} {depth:?}");
        }
        // One bit a pixel: two bytes a row.
        let mut bits = [0xFF; 40];
        bits[38] = 0b1101_1111;
        assert_eq!(
            Picture::from_png(&encoded(ColorType::Grayscale, BitDepth::One, (10, 20), &bits)),
            Ok(Picture(cell))
        );
    }

    #[test]
    fn what_cannot_be_drawn_is_refused_in_one_line() {
        let grey = |size: (u32, u32), value| {
            let data = vec![value; (size.0 * size.1) as usize];
            Picture::from_png(&encoded(ColorType::Grayscale, BitDepth::Eight, size, &data))
                .expect_err("unfit")
                .to_string()
        };
        assert!(grey((20, 10), 0).contains("expected 10x20 pixels, found 20x10"));
        assert!(grey((10, 20), 0).contains("row 1 from the top"));
        assert!(grey((10, 20), 255).contains("found none"));
        let png = encoded(ColorType::Grayscale, BitDepth::Eight, (10, 20), &[0; 200]);
        for bytes in [&b"hello"[..], b"", &png[..40]] {
            let error = Picture::from_png(bytes).expect_err("no PNG").to_string();
            assert!(error.starts_with("expected a PNG") && !error.contains('\n'), "{error}");
        }
    }
}
