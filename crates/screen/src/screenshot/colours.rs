//! Terminal colours as the picture shows them.

use std::fmt;

use ratatui::buffer::Cell;
use ratatui::style::{Color, Modifier};

/// A colour of 24 bits; displays as SVG's `#rrggbb`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Rgb(u8, u8, u8);

/// Where a terminal's own background would be.
pub(super) const BLACK: Rgb = Rgb(17, 18, 28);
/// Where a terminal's own foreground would be.
const WHITE: Rgb = Rgb(226, 229, 245);

impl fmt::Display for Rgb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{:02x}{:02x}{:02x}", self.0, self.1, self.2)
    }
}

/// The two colours of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Ink {
    pub(super) ink: Rgb,
    pub(super) paper: Rgb,
}

/// The colours that a cell is seen in, its modifiers applied.
pub(super) fn ink(cell: &Cell) -> Ink {
    let (mut ink, mut paper) = (rgb(cell.fg).unwrap_or(WHITE), rgb(cell.bg).unwrap_or(BLACK));
    if cell.modifier.contains(Modifier::REVERSED) {
        (ink, paper) = (paper, ink);
    }
    if cell.modifier.contains(Modifier::DIM) {
        let mix = |a: u8, b: u8| a / 2 + b / 2;
        ink = Rgb(mix(ink.0, paper.0), mix(ink.1, paper.1), mix(ink.2, paper.2));
    }
    if cell.modifier.contains(Modifier::HIDDEN) {
        ink = paper;
    }
    Ink { ink, paper }
}

fn rgb(colour: Color) -> Option<Rgb> {
    Some(match colour {
        Color::Reset => return None,
        Color::Rgb(red, green, blue) => Rgb(red, green, blue),
        Color::Indexed(index) => indexed(index),
        Color::Black => indexed(0),
        Color::Red => indexed(1),
        Color::Green => indexed(2),
        Color::Yellow => indexed(3),
        Color::Blue => indexed(4),
        Color::Magenta => indexed(5),
        Color::Cyan => indexed(6),
        Color::Gray => indexed(7),
        Color::DarkGray => indexed(8),
        Color::LightRed => indexed(9),
        Color::LightGreen => indexed(10),
        Color::LightYellow => indexed(11),
        Color::LightBlue => indexed(12),
        Color::LightMagenta => indexed(13),
        Color::LightCyan => indexed(14),
        Color::White => indexed(15),
    })
}

/// The first sixteen as common terminals have them, the 6 x 6 x 6 cube, the grey ramp.
fn indexed(index: u8) -> Rgb {
    const SIXTEEN: [Rgb; 16] = [
        BLACK,
        Rgb(205, 49, 49),
        Rgb(13, 188, 121),
        Rgb(229, 229, 16),
        Rgb(36, 114, 200),
        Rgb(188, 63, 188),
        Rgb(17, 168, 205),
        Rgb(190, 190, 190),
        Rgb(102, 102, 102),
        Rgb(241, 76, 76),
        Rgb(35, 209, 139),
        Rgb(245, 245, 67),
        Rgb(59, 142, 234),
        Rgb(214, 112, 214),
        Rgb(41, 184, 219),
        Rgb(245, 245, 245),
    ];
    const STEPS: [u8; 6] = [0, 95, 135, 175, 215, 255];
    match index {
        0..16 => SIXTEEN[usize::from(index)],
        16..232 => {
            let cube = usize::from(index - 16);
            Rgb(STEPS[cube / 36], STEPS[cube / 6 % 6], STEPS[cube % 6])
        }
        232.. => {
            let grey = 8 + 10 * (index - 232);
            Rgb(grey, grey, grey)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cube_and_the_ramp_end_where_terminals_end_them() {
        assert_eq!(
            [16, 231, 232, 255].map(|index| indexed(index).to_string()),
            ["#000000", "#ffffff", "#080808", "#eeeeee"]
        );
    }

    #[test]
    fn reversed_cells_swap_their_colours() {
        let mut cell = Cell::new("x");
        cell.set_fg(Color::Rgb(1, 2, 3)).modifier = Modifier::REVERSED;
        assert_eq!(ink(&cell), Ink { ink: BLACK, paper: Rgb(1, 2, 3) });
    }
}
