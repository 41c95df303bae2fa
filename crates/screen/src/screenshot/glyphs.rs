//! Block and line characters as shapes.

use std::fmt::Write as _;

/// What a character looks like, in parts of its cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// A rectangle: left, top, right, bottom in eighths of the cell.
    Block(u8, u8, u8, u8),
    /// Quarters: upper left 8, upper right 4, lower left 2, lower right 1.
    Quarters(u8),
    /// Arms from the middle: up 8, right 4, down 2, left 1.
    Lines(u8),
    /// A rounded corner with these arms.
    Arc(u8),
}

/// The shape of a character; `None` for one that stays text.
pub(super) fn shape(symbol: &str) -> Option<Shape> {
    let mut characters = symbol.chars();
    let character = characters.next().filter(|_| characters.next().is_none())?;
    Some(match character {
        // U+2581-U+2588 are filled from below, U+2589-U+258F from the left.
        '\u{2581}'..='\u{2588}' => Shape::Block(0, 8 - (character as u32 - 0x2580) as u8, 8, 8),
        '\u{2589}'..='\u{258F}' => Shape::Block(0, 0, (0x2590 - character as u32) as u8, 8),
        '▀' => Shape::Block(0, 0, 8, 4),
        '▐' => Shape::Block(4, 0, 8, 8),
        '▪' => Shape::Block(1, 3, 7, 6),
        '▘' => Shape::Quarters(0b1000),
        '▝' => Shape::Quarters(0b0100),
        '▖' => Shape::Quarters(0b0010),
        '▗' => Shape::Quarters(0b0001),
        '▙' => Shape::Quarters(0b1011),
        '▟' => Shape::Quarters(0b0111),
        '▛' => Shape::Quarters(0b1110),
        '▜' => Shape::Quarters(0b1101),
        '▚' => Shape::Quarters(0b1001),
        '▞' => Shape::Quarters(0b0110),
        '─' => Shape::Lines(0b0101),
        '│' => Shape::Lines(0b1010),
        '┌' => Shape::Lines(0b0110),
        '┐' => Shape::Lines(0b0011),
        '└' => Shape::Lines(0b1100),
        '┘' => Shape::Lines(0b1001),
        '╭' => Shape::Arc(0b0110),
        '╮' => Shape::Arc(0b0011),
        '╰' => Shape::Arc(0b1100),
        '╯' => Shape::Arc(0b1001),
        _ => return None,
    })
}

/// Writes `count` equal shapes side by side, the first with its upper left corner at `at`.
pub(super) fn write(text: &mut String, shape: &Shape, at: (u16, u16), count: u16, cell: (u16, u16), colour: &str) {
    let mut path = String::new();
    match *shape {
        Shape::Block(0, top, 8, bottom) => rectangle(&mut path, at, (0, top, 8, bottom), (cell.0 * count, cell.1)),
        Shape::Block(left, top, right, bottom) => {
            for at in places(at, count, cell) {
                rectangle(&mut path, at, (left, top, right, bottom), cell);
            }
        }
        Shape::Quarters(quarters) => {
            for at in places(at, count, cell) {
                for (bit, part) in [(8, (0, 0, 4, 4)), (4, (4, 0, 8, 4)), (2, (0, 4, 4, 8)), (1, (4, 4, 8, 8))] {
                    if quarters & bit != 0 {
                        rectangle(&mut path, at, part, cell);
                    }
                }
            }
        }
        Shape::Lines(arms) => {
            for at in places(at, count, cell) {
                lines(&mut path, at, arms, cell);
            }
        }
        Shape::Arc(arms) => {
            for at in places(at, count, cell) {
                arc(&mut path, at, arms, cell);
            }
        }
    }
    let look = match shape {
        Shape::Lines(_) | Shape::Arc(_) => format!(r#"fill="none" stroke="{colour}" stroke-width="1.5""#),
        Shape::Block(..) | Shape::Quarters(_) => format!(r#"fill="{colour}""#),
    };
    // Writing into a string cannot fail.
    let _ = writeln!(text, r#"<path d="{path}" {look}/>"#);
}

fn places(at: (u16, u16), count: u16, cell: (u16, u16)) -> impl Iterator<Item = (u16, u16)> {
    (0..count).map(move |index| (at.0 + index * cell.0, at.1))
}

fn rectangle(path: &mut String, at: (u16, u16), eighths: (u8, u8, u8, u8), cell: (u16, u16)) {
    let part = |whole: u16, eighths: u8| f32::from(whole) * f32::from(eighths) / 8.0;
    let (left, top) = (f32::from(at.0) + part(cell.0, eighths.0), f32::from(at.1) + part(cell.1, eighths.1));
    let (width, height) = (part(cell.0, eighths.2 - eighths.0), part(cell.1, eighths.3 - eighths.1));
    let _ = write!(path, "M{left} {top}h{width}v{height}h-{width}z");
}

fn lines(path: &mut String, at: (u16, u16), arms: u8, cell: (u16, u16)) {
    let (x, y) = (at.0 + cell.0 / 2, at.1 + cell.1 / 2);
    for (bit, end) in [(8, (x, at.1)), (4, (at.0 + cell.0, y)), (2, (x, at.1 + cell.1)), (1, (at.0, y))] {
        if arms & bit != 0 {
            let _ = write!(path, "M{x} {y}L{} {}", end.0, end.1);
        }
    }
}

fn arc(path: &mut String, at: (u16, u16), arms: u8, cell: (u16, u16)) {
    let (x, y) = (at.0 + cell.0 / 2, at.1 + cell.1 / 2);
    let end_y = if arms & 8 != 0 { at.1 } else { at.1 + cell.1 };
    let end_x = if arms & 4 != 0 { at.0 + cell.0 } else { at.0 };
    let radius = cell.0 / 2;
    let bend_y = if end_y < y { y - radius } else { y + radius };
    let _ = write!(path, "M{x} {end_y}L{x} {bend_y}Q{x} {y} {end_x} {y}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn block_characters_fill_what_their_names_say() {
        assert_eq!(shape("█"), Some(Shape::Block(0, 0, 8, 8)));
        assert_eq!(shape("▄"), Some(Shape::Block(0, 4, 8, 8)));
        assert_eq!(shape("▌"), Some(Shape::Block(0, 0, 4, 8)));
        assert_eq!(shape("▏"), Some(Shape::Block(0, 0, 1, 8)));
        assert_eq!(shape("▉"), Some(Shape::Block(0, 0, 7, 8)));
    }

    #[test]
    fn letters_and_clusters_stay_text() {
        assert_eq!([shape("a"), shape(""), shape("e\u{301}"), shape("·")], [None; 4]);
    }

    #[test]
    fn full_blocks_in_a_row_are_one_rectangle() {
        let mut text = String::new();
        write(&mut text, &Shape::Block(0, 0, 8, 8), (10, 20), 3, (10, 20), "#fff");
        assert_eq!(text, "<path d=\"M10 20h30v20h-30z\" fill=\"#fff\"/>\n");
    }
}
