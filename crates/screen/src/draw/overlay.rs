//! The list of keys and the result of a run, over everything else.

use ratatui::buffer::Buffer;
use ratatui::layout::{Margin, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Clear, Widget};

use super::palette::{Palette, Role};
use super::parts::{boxed, styled};
use crate::model::{CARD_KEYS, ViewModel};

const KEYS: [(&str, &str); 8] = [
    ("space  Esc", "pause, go on (p, too)"),
    (".  n", "one frame"),
    ("+  -", "faster, slower: 1, 2, 4 ... 64, max"),
    ("v", "panels, or the console's picture"),
    ("s", "screenshot into an SVG file"),
    ("r", "begin or end a film"),
    ("?  h", "show or hide this"),
    ("q  Ctrl-C", "quit"),
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
            Span::styled(format!("  {key:<12}"), palette.style(Role::Gold)),
            Span::styled(*meaning, palette.style(Role::Text)),
        ])
    });
    let notes = NOTES.iter().map(|note| styled(format!("  {}", mono_note(note, palette)), palette.style(Role::Label)));
    let lines = [Line::raw("")].into_iter().chain(keys).chain([Line::raw("")]).chain(notes);
    for (row, line) in inner.rows().zip(lines) {
        line.render(row, buffer);
    }
}

/// Columns of the card at the end, border included.
const CARD_WIDTH: u16 = 42;

/// The result of a run that is over, in the upper half of `around`.
pub(super) fn card(buffer: &mut Buffer, around: Rect, model: &ViewModel, palette: Palette) {
    let Some(card) = &model.card else { return };
    let result = model.result();
    let height = (result.len() + card.saved.len()) as u16 + 4;
    let screen = buffer.area;
    let middle = around.x + around.width / 2;
    let x = middle.saturating_sub(CARD_WIDTH / 2).min(screen.right().saturating_sub(CARD_WIDTH));
    let area = Rect { x: x.max(screen.x), y: around.y + 1, width: CARD_WIDTH, height }.intersection(screen);
    Clear.render(area, buffer);
    buffer.set_style(area, palette.overlay());
    let name = styled(format!(" {} ", card.outcome), palette.style(Role::Gold)).centered();
    let inner = boxed(buffer, area, name, palette.style(Role::Label)).inner(Margin::new(2, 0));
    let saved = card.saved.iter().map(|file| ("saved to", file.clone(), Role::Good));
    let lines = result.into_iter().map(|(name, value)| (name, value, Role::Strong)).chain(saved);
    for (row, (name, value, role)) in inner.rows().zip(lines) {
        styled(name, palette.style(Role::Label)).render(row, buffer);
        let free = usize::from(row.width).saturating_sub(name.len() + 1);
        styled(ending(&value, free), palette.style(role)).right_aligned().render(row, buffer);
    }
    let keys = styled(CARD_KEYS, palette.style(Role::Label)).centered();
    if let Some(row) = inner.rows().next_back() {
        keys.render(row, buffer);
    }
}

/// As much of the end of a name as fits.
fn ending(name: &str, free: usize) -> String {
    let length = name.chars().count();
    if length <= free {
        return name.to_owned();
    }
    let end: String = name.chars().skip(length + 1 - free.max(1)).collect();
    format!("…{end}")
}

/// Without colour the plan is drawn with other characters.
fn mono_note(note: &str, palette: Palette) -> String {
    if palette.is_mono() { note.replace("[]", "::").replace("··", "..") } else { note.to_owned() }
}
