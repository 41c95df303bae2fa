//! A picture in the middle of a window of any size, at a whole scale, with black around it.

use crate::composite::PictureLayout;

/// The largest whole scale at which a picture of this layout fits into a window; at least 1.
pub(super) fn scale_for(layout: PictureLayout, (width, height): (usize, usize)) -> usize {
    let units = layout.units();
    (width / units.0).min(height / units.1).clamp(1, PictureLayout::MOST)
}

/// Copies a picture of red, green and blue bytes into the middle of pixels `0x00RRGGBB` of another
/// size. What does not fit is cut off equally at both sides.
pub(super) fn put_in_the_middle(rgb: &[u8], from: (usize, usize), pixels: &mut [u32], to: (usize, usize)) {
    if from.0 == 0 || to.0 == 0 {
        return;
    }
    let (across, down) = (Overlap::of(from.0, to.0), Overlap::of(from.1, to.1));
    for (y, row) in pixels.chunks_exact_mut(to.0).enumerate() {
        let line = y.checked_sub(down.to).filter(|&line| line < down.length);
        let Some(line) = line else {
            row.fill(0);
            continue;
        };
        let start = 3 * ((down.from + line) * from.0 + across.from);
        row[..across.to].fill(0);
        row[across.to + across.length..].fill(0);
        let (bytes, _) = rgb[start..start + 3 * across.length].as_chunks();
        for (pixel, &[red, green, blue]) in row[across.to..].iter_mut().zip(bytes) {
            *pixel = u32::from_be_bytes([0, red, green, blue]);
        }
    }
}

/// The place of a length in the middle of another.
struct Overlap {
    from: usize,
    to: usize,
    length: usize,
}

impl Overlap {
    fn of(from: usize, to: usize) -> Overlap {
        Overlap { from: from.saturating_sub(to) / 2, to: to.saturating_sub(from) / 2, length: from.min(to) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scale_is_the_largest_that_fits() {
        let (with, without) = (PictureLayout::default(), PictureLayout { panel: false, ..PictureLayout::default() });
        assert_eq!(scale_for(with, (1278, 720)), 3);
        assert_eq!(scale_for(with, (1277, 720)), 2);
        assert_eq!(scale_for(with, (1920, 1080)), 4);
        assert_eq!(scale_for(without, (1920, 1080)), 4);
        assert_eq!(scale_for(without, (800, 480)), 2);
        assert_eq!(scale_for(with, (0, 0)), 1);
        assert_eq!(scale_for(without, (1 << 20, 1 << 20)), PictureLayout::MOST);
    }

    #[test]
    fn the_picture_is_in_the_middle_and_all_else_is_black() {
        let rgb = [1, 2, 3, 4, 5, 6];
        let mut pixels = vec![7; 4 * 3];
        put_in_the_middle(&rgb, (2, 1), &mut pixels, (4, 3));
        assert_eq!(pixels, [0, 0, 0, 0, 0, 0x01_02_03, 0x04_05_06, 0, 0, 0, 0, 0]);
    }

    #[test]
    fn a_window_that_is_too_small_shows_the_middle() {
        let rgb: Vec<u8> = (0..3 * 3 * 4).collect();
        let mut pixels = vec![7; 2];
        put_in_the_middle(&rgb, (3, 4), &mut pixels, (1, 2));
        assert_eq!(pixels, [0x0C_0D_0E, 0x15_16_17]);
        put_in_the_middle(&rgb, (3, 4), &mut [], (0, 0));
    }
}
