//! The pixels of a PNG of any colour type.

use std::io::Cursor;

use png::{ColorType, Transformations};

/// A picture of 8 bits a sample, palettes resolved.
pub(crate) struct Pixels {
    samples: Vec<u8>,
    line_size: usize,
    colour: ColorType,
}

/// Why a PNG cannot be read.
pub(crate) enum PixelsError<E> {
    /// It is none, or a broken one.
    NotPng(String),
    /// The caller refuses its size.
    Size(E),
}

impl Pixels {
    /// Decodes a PNG of a size that `check` accepts: width and height.
    pub(crate) fn read<E>(png: &[u8], check: impl FnOnce(u32, u32) -> Result<(), E>) -> Result<Pixels, PixelsError<E>> {
        let not_png = |error: png::DecodingError| PixelsError::NotPng(error.to_string().replace('\n', " "));
        let mut decoder = png::Decoder::new(Cursor::new(png));
        // Nothing but the pixels is needed.
        decoder.set_ignore_text_chunk(true);
        decoder.set_ignore_iccp_chunk(true);
        decoder.set_transformations(Transformations::normalize_to_color8());
        let mut reader = decoder.read_info().map_err(not_png)?;
        let (width, height) = reader.info().size();
        check(width, height).map_err(PixelsError::Size)?;
        // The PNG crate (0.18.1) panics where a palette ends inside a colour.
        if let Some(palette) = reader.info().palette.as_deref().filter(|palette| !palette.len().is_multiple_of(3)) {
            let message = format!("its palette has {} bytes, which are no whole colours", palette.len());
            return Err(PixelsError::NotPng(message));
        }
        let size = reader.output_buffer_size().ok_or_else(|| PixelsError::NotPng("it is too large".to_owned()))?;
        let mut samples = vec![0; size];
        let frame = reader.next_frame(&mut samples).map_err(not_png)?;
        Ok(Pixels { samples, line_size: frame.line_size, colour: frame.color_type })
    }

    /// Red, green, blue and opacity of a pixel inside the picture.
    pub(crate) fn at(&self, x: usize, y: usize) -> [u8; 4] {
        let start = y * self.line_size + x * self.colour.samples();
        let sample = |index: usize| self.samples.get(start + index).copied().unwrap_or(0);
        match self.colour {
            ColorType::Grayscale | ColorType::Indexed => [sample(0), sample(0), sample(0), 255],
            ColorType::GrayscaleAlpha => [sample(0), sample(0), sample(0), sample(1)],
            ColorType::Rgb => [sample(0), sample(1), sample(2), 255],
            ColorType::Rgba => [sample(0), sample(1), sample(2), sample(3)],
        }
    }
}
