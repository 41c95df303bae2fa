//! One picture as a PNG file, and pictures made larger.

use std::io;

use super::colour::Rgb;

/// Pixels (or their places in a palette), each one `scale` times as large in both directions.
pub fn enlarged<T: Copy>(pixels: &[T], width: usize, scale: usize) -> Vec<T> {
    if scale == 1 {
        return pixels.to_vec();
    }
    let mut large = Vec::with_capacity(pixels.len() * scale * scale);
    for row in pixels.chunks_exact(width) {
        let start = large.len();
        for &pixel in row {
            large.resize(large.len() + scale, pixel);
        }
        for _more in 1..scale {
            large.extend_from_within(start..start + width * scale);
        }
    }
    large
}

/// The bytes of a PNG file.
///
/// # Errors
/// When the picture has no pixel, or another number of them than its size.
pub(super) fn encode_still(pixels: &[Rgb], width: u32, height: u32) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(png::ColorType::Rgb);
    let mut writer = encoder.write_header().map_err(io::Error::other)?;
    writer.write_image_data(pixels.as_flattened()).map_err(io::Error::other)?;
    writer.finish().map_err(io::Error::other)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pixel_becomes_a_square() {
        assert_eq!(enlarged(b"abcd", 2, 1), b"abcd");
        assert_eq!(enlarged(b"abcd", 2, 3), b"aaabbbaaabbbaaabbbcccdddcccdddcccddd");
    }

    #[test]
    fn a_still_can_be_read_again() {
        let pixels = [[1, 2, 3], [4, 5, 6], [7, 8, 9], [10, 11, 12], [13, 14, 15], [16, 17, 18]];
        let bytes = encode_still(&pixels, 3, 2).unwrap();
        let mut reader = png::Decoder::new(io::Cursor::new(bytes)).read_info().unwrap();
        let mut found = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut found).unwrap();
        assert_eq!((reader.info().size(), &found[..]), ((3, 2), pixels.as_flattened()));
        assert!(encode_still(&pixels, 4, 2).is_err());
    }
}
