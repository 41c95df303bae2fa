//! The list of keys, over everything else.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Clear, Widget};

use super::palette::{Palette, Role};
use super::parts::{boxed, styled};

const KEYS: [(&str, &str); 9] = [
    ("space, p", "pause, go on"),
    (".  n", "one frame"),
    ("+  -", "faster, slower: 1, 2, 4 ... 64, max"),
    ("v", "panels, or the console's picture"),
    ("s", "screenshot into an SVG file"),
    ("r", "begin or end a film"),
    ("?  h", "show or hide this"),
    ("q, Esc", "quit"),
    ("Ctrl-C", "quit"),
];

const NOTES: [&str; 3] = [
    "[]  where the falling piece will lock",
    "··  where the next piece is meant to go",
    "Watching never changes a button.",
];

const WIDTH: u16 = 52;
const HEIGHT: u16 = (KEYS.len() + NOTES.len()) as u16 + 5;

pub(super) fn help(buffer: &mut Buffer, area: Rect, palette: Palette) {
    let area = Rect {
        x: area.x + area.width.saturating_sub(WIDTH) / 2,
        y: area.y + area.height.saturating_sub(HEIGHT) / 2,
        width: WIDTH,
        height: HEIGHT,
    }
    .intersection(area);
    Clear.render(area, buffer);
    buffer.set_style(area, palette.overlay());
    let name = styled(" KEYS ", palette.style(Role::Gold)).centered();
    let inner = boxed(buffer, area, name, palette.style(Role::Label));
    let keys = KEYS.iter().map(|(key, meaning)| {
        Line::from(vec![
            Span::styled(format!("  {key:<10}"), palette.style(Role::Gold)),
            Span::styled(*meaning, palette.style(Role::Text)),
        ])
    });
    let notes = NOTES.iter().map(|note| styled(format!("  {}", mono_note(note, palette)), palette.style(Role::Label)));
    let lines = [Line::raw("")].into_iter().chain(keys).chain([Line::raw("")]).chain(notes);
    for (row, line) in inner.rows().zip(lines) {
        line.render(row, buffer);
    }
}

/// Without colour the plan is drawn with other characters.
fn mono_note(note: &str, palette: Palette) -> String {
    if palette.is_mono() { note.replace("[]", "::").replace("··", "..") } else { note.to_owned() }
}
