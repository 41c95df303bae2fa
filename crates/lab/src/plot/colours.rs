//! Colours that people with any kind of colour vision can distinguish.

use plotters::style::RGBColor;

/// Words.
pub const INK: RGBColor = RGBColor(0x22, 0x22, 0x22);
/// Words that matter less, axes, marks.
pub const FAINT: RGBColor = RGBColor(0x66, 0x66, 0x66);
/// Lines behind everything.
pub const GRID: RGBColor = RGBColor(0xe2, 0xe2, 0xe2);

/// The palette of Okabe and Ito without its yellow, which is hard to see on white.
const LINES: [RGBColor; 7] = [
    RGBColor(0x00, 0x72, 0xb2),
    RGBColor(0xd5, 0x5e, 0x00),
    RGBColor(0x00, 0x9e, 0x73),
    RGBColor(0xcc, 0x79, 0xa7),
    RGBColor(0xe6, 0x9f, 0x00),
    RGBColor(0x56, 0xb4, 0xe9),
    RGBColor(0x00, 0x00, 0x00),
];

/// From nothing to most, light to dark.
const HEAT: [RGBColor; 5] = [
    RGBColor(0xff, 0xff, 0xd9),
    RGBColor(0xc7, 0xe9, 0xb4),
    RGBColor(0x41, 0xb6, 0xc4),
    RGBColor(0x22, 0x5e, 0xa8),
    RGBColor(0x08, 0x1d, 0x58),
];

/// The colour of the player or series `index`; they repeat after seven.
pub fn line(index: usize) -> RGBColor {
    LINES[index % LINES.len()]
}

/// The colour of `heat`, 0 to 1.
pub fn heat(heat: f64) -> RGBColor {
    let place = heat.clamp(0.0, 1.0) * (HEAT.len() - 1) as f64;
    let below = (place as usize).min(HEAT.len() - 2);
    let (from, to, part) = (HEAT[below], HEAT[below + 1], place - below as f64);
    let mix = |from: u8, to: u8| (f64::from(from) + (f64::from(to) - f64::from(from)) * part).round() as u8;
    RGBColor(mix(from.0, to.0), mix(from.1, to.1), mix(from.2, to.2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heat_goes_from_the_lightest_to_the_darkest() {
        assert_eq!(heat(0.0), HEAT[0]);
        assert_eq!(heat(0.5), HEAT[2]);
        assert_eq!(heat(1.0), HEAT[4]);
        assert_eq!((heat(-1.0), heat(9.0)), (HEAT[0], HEAT[4]));
    }
}
