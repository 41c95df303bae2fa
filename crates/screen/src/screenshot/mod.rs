//! The terminal view as a picture: a self-contained SVG that every browser shows.
//!
//! Blocks and lines are drawn as shapes, so that they meet in every font; words stay text and are
//! spread over their cells.

mod colours;
mod glyphs;

use std::fmt::Write as _;

use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::{Buffer, Cell};
use ratatui::style::Modifier;

use super::draw::{ColourMode, MIN_HEIGHT, MIN_WIDTH, draw};
use super::model::ViewModel;
use colours::{Ink, Rgb};

/// Pixels of a character cell.
const CELL: (u16, u16) = (10, 20);
/// Pixels around the cells.
const MARGIN: u16 = 12;
/// Pixels from the top of a cell to the line that letters stand on.
const BASELINE: u16 = 15;
/// The largest size of a picture, in columns and rows; larger ones are cut to it. Chosen by hand,
/// not measured.
const MOST: (u16, u16) = (300, 100);

/// Draws the model off-screen, in full colour, `width` by `height` characters, as an SVG
/// picture. Sizes below 60 x 24 are enlarged to that.
pub fn render_svg(model: &ViewModel, width: u16, height: u16) -> String {
    let (width, height) = (width.clamp(MIN_WIDTH, MOST.0), height.clamp(MIN_HEIGHT, MOST.1));
    let Ok(mut terminal) = Terminal::new(TestBackend::new(width, height));
    let Ok(_) = terminal.draw(|frame| draw(frame, model, ColourMode::True));
    svg(terminal.backend().buffer())
}

/// A buffer of characters as an SVG picture on a dark background.
pub fn svg(buffer: &Buffer) -> String {
    let area = buffer.area;
    let (width, height) = (area.width * CELL.0 + 2 * MARGIN, area.height * CELL.1 + 2 * MARGIN);
    let paper = buffer.content().first().map_or(colours::BLACK, |cell| colours::ink(cell).paper);
    let mut text = String::new();
    // Writing into a string cannot fail.
    let _ = writeln!(
        text,
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}">"#
    );
    let _ = writeln!(text, r#"<rect width="{width}" height="{height}" rx="10" fill="{paper}"/>"#);
    let _ = writeln!(text, r#"<g transform="translate({MARGIN} {MARGIN})">"#);
    let rows: Vec<&[Cell]> = buffer.content().chunks(usize::from(area.width.max(1))).collect();
    let _ = writeln!(text, r#"<g shape-rendering="crispEdges">"#);
    for (y, row) in (0..).zip(&rows) {
        papers(&mut text, y, row, paper);
    }
    let _ = writeln!(text, "</g>");
    for (y, row) in (0..).zip(&rows) {
        shapes(&mut text, y, row);
    }
    let fonts = "'DejaVu Sans Mono','Cascadia Mono',Menlo,Consolas,'Liberation Mono',monospace";
    let _ = writeln!(text, r#"<g font-family="{fonts}" font-size="16.5" xml:space="preserve">"#);
    for (y, row) in (0..).zip(&rows) {
        words(&mut text, y, row);
    }
    text.push_str("</g>\n</g>\n</svg>\n");
    text
}

/// The backgrounds of a row, cells of one colour together.
fn papers(text: &mut String, y: u16, row: &[Cell], paper: Rgb) {
    let mut x = 0;
    for run in row.chunk_by(|a, b| colours::ink(a).paper == colours::ink(b).paper) {
        let colour = colours::ink(&run[0]).paper;
        if colour != paper {
            let (left, top, width) = (x * CELL.0, y * CELL.1, run.len() as u16 * CELL.0);
            let _ =
                writeln!(text, r#"<rect x="{left}" y="{top}" width="{width}" height="{}" fill="{colour}"/>"#, CELL.1);
        }
        x += run.len() as u16;
    }
}

/// Blocks and lines of a row, neighbours of one look together.
fn shapes(text: &mut String, y: u16, row: &[Cell]) {
    let mut x = 0;
    for run in row.chunk_by(|a, b| a.symbol() == b.symbol() && colours::ink(a) == colours::ink(b)) {
        if let Some(shape) = glyphs::shape(run[0].symbol()) {
            let ink = colours::ink(&run[0]).ink;
            glyphs::write(text, &shape, (x * CELL.0, y * CELL.1), run.len() as u16, CELL, &ink.to_string());
        }
        x += run.len() as u16;
    }
}

/// The words of a row.
fn words(text: &mut String, y: u16, row: &[Cell]) {
    let is_text = |cell: &Cell| cell.symbol().trim() != "" && glyphs::shape(cell.symbol()).is_none();
    let mut x = 0;
    for run in row.chunk_by(|a, b| is_text(a) == is_text(b) && colours::ink(a) == colours::ink(b)) {
        if is_text(&run[0]) {
            word(text, x, y, run);
        }
        x += run.len() as u16;
    }
}

fn word(text: &mut String, x: u16, y: u16, cells: &[Cell]) {
    let Ink { ink, .. } = colours::ink(&cells[0]);
    let weight = if cells[0].modifier.contains(Modifier::BOLD) { r#" font-weight="bold""# } else { "" };
    let (left, base, width) = (x * CELL.0, y * CELL.1 + BASELINE, cells.len() as u16 * CELL.0);
    let _ = write!(text, r#"<text x="{left}" y="{base}" textLength="{width}" fill="{ink}"{weight}>"#);
    for cell in cells {
        escape(text, cell.symbol());
    }
    text.push_str("</text>\n");
}

fn escape(text: &mut String, symbol: &str) {
    for character in symbol.chars() {
        match character {
            '&' => text.push_str("&amp;"),
            '<' => text.push_str("&lt;"),
            '>' => text.push_str("&gt;"),
            // XML knows no other control characters.
            character if character.is_control() => text.push(' '),
            character => text.push(character),
        }
    }
}

#[cfg(test)]
mod tests {
    use ratatui::style::{Color, Style};

    use super::*;
    use crate::sample;

    #[test]
    fn what_xml_would_misread_is_escaped() {
        let mut buffer = Buffer::empty(ratatui::layout::Rect::new(0, 0, 12, 1));
        buffer.set_string(0, 0, "a<b>&\u{7}", Style::new().fg(Color::Red));
        let picture = svg(&buffer);
        assert!(picture.contains("a&lt;b&gt;&amp;"), "{picture}");
        assert!(!picture.contains('\u{7}'));
    }

    #[test]
    fn a_picture_holds_the_words_and_the_blocks() {
        let picture = render_svg(&sample::model(), 80, 30);
        assert!(picture.starts_with("<svg ") && picture.ends_with("</svg>\n"));
        for word in ["maxout", "312,400", "tetris", "GAMEPAD"] {
            assert!(picture.contains(&format!(">{word}<")), "{word}");
        }
        assert_eq!(picture.matches("<text").count(), picture.matches("</text>").count());
        assert!(!picture.contains('█') && !picture.contains('│'), "blocks and lines are shapes");
        assert!(picture.contains(r#"width="824" height="624""#));
    }

    #[test]
    fn any_size_gives_a_picture() {
        for (width, height) in [(0, 0), (61, 25), (u16::MAX, u16::MAX)] {
            assert!(render_svg(&sample::model(), width, height).ends_with("</svg>\n"));
        }
        assert!(svg(&Buffer::empty(ratatui::layout::Rect::ZERO)).ends_with("</svg>\n"));
    }
}
