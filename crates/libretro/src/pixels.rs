//! Pictures and sound in the form that front ends take.

use std::ffi::c_void;

use crate::api::PixelFormat;
use maxout_engine::console::Picture;

/// A picture of 256 by 240 pixels in a format of the interface.
#[derive(Debug)]
pub(crate) enum Pixels {
    /// [`PixelFormat::Xrgb8888`]
    Wide(Vec<u32>),
    /// The others.
    Narrow(Vec<u16>),
}

impl Pixels {
    /// A picture in this format; black without one.
    pub(crate) fn new(format: PixelFormat, picture: Option<&Picture>) -> Pixels {
        static BLACK: [[u8; 3]; Picture::WIDTH * Picture::HEIGHT] = [[0; 3]; Picture::WIDTH * Picture::HEIGHT];
        let pixels = picture.map_or(&BLACK[..], |picture| &picture.pixels);
        // A picture of another size does not occur; it would be cut or filled up with black.
        let pixels = pixels.iter().chain(&BLACK).take(BLACK.len());
        let narrow = |[red, green, blue]: [u8; 3], green_bits: u32| {
            let [red, green, blue] = [red >> 3, green >> (8 - green_bits), blue >> 3].map(u16::from);
            red << (5 + green_bits) | green << 5 | blue
        };
        match format {
            PixelFormat::Xrgb8888 => {
                Pixels::Wide(pixels.map(|&[red, green, blue]| u32::from_be_bytes([0, red, green, blue])).collect())
            }
            PixelFormat::Rgb565 => Pixels::Narrow(pixels.map(|&pixel| narrow(pixel, 6)).collect()),
            PixelFormat::Rgb1555 => Pixels::Narrow(pixels.map(|&pixel| narrow(pixel, 5)).collect()),
        }
    }

    /// The first byte, and the bytes of a row.
    pub(crate) fn raw(&self) -> (*const c_void, usize) {
        match self {
            Pixels::Wide(pixels) => (pixels.as_ptr().cast(), 4 * Picture::WIDTH),
            Pixels::Narrow(pixels) => (pixels.as_ptr().cast(), 2 * Picture::WIDTH),
        }
    }
}

/// Samples from -1 to 1 of one channel, for both ears.
pub(crate) fn stereo(samples: &[f32]) -> Vec<[i16; 2]> {
    let whole = |sample: &f32| (sample.clamp(-1.0, 1.0) * f32::from(i16::MAX)) as i16;
    samples.iter().map(|sample| [whole(sample); 2]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pixel_keeps_its_colour_in_every_format() {
        let mut picture = Picture { pixels: vec![[0; 3]; Picture::WIDTH * Picture::HEIGHT] };
        picture.pixels[257] = [0xF8, 0x84, 0x08];
        let second_row = |format| match Pixels::new(format, Some(&picture)) {
            Pixels::Wide(pixels) => (pixels.len(), pixels[257]),
            Pixels::Narrow(pixels) => (pixels.len(), pixels[257].into()),
        };
        assert_eq!(second_row(PixelFormat::Xrgb8888), (61_440, 0x00F8_8408));
        assert_eq!(second_row(PixelFormat::Rgb565), (61_440, 31 << 11 | 33 << 5 | 1));
        assert_eq!(second_row(PixelFormat::Rgb1555), (61_440, 31 << 10 | 16 << 5 | 1));
        let Pixels::Wide(black) = Pixels::new(PixelFormat::Xrgb8888, None) else { panic!("another format") };
        assert!(black.len() == 61_440 && black.iter().all(|&pixel| pixel == 0));
    }

    #[test]
    fn samples_fill_their_range() {
        assert_eq!(stereo(&[-2.0, -1.0, 0.0, 0.5, 1.0]), [-32767, -32767, 0, 16383, 32767].map(|sample| [sample; 2]));
    }
}
