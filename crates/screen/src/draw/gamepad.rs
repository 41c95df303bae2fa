//! The gamepad, three rows high, with the pressed buttons lit.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use maxout_engine::gamepad::Buttons;

use super::palette::Palette;

/// A button, and its text while it is up and, without colour, while it is down.
struct Key {
    button: Buttons,
    up: &'static str,
    down: &'static str,
    column: u16,
    row: u16,
}

const fn key(button: Buttons, up: &'static str, down: &'static str, column: u16, row: u16) -> Key {
    Key { button, up, down, column, row }
}

/// The direction cross; its middle is not a button.
const CROSS: [Key; 5] = [
    key(Buttons::UP, " ▴ ", "[▴]", 3, 0),
    key(Buttons::LEFT, " ◂ ", "[◂]", 0, 1),
    key(Buttons::NONE, "   ", "   ", 3, 1),
    key(Buttons::RIGHT, " ▸ ", "[▸]", 6, 1),
    key(Buttons::DOWN, " ▾ ", "[▾]", 3, 2),
];
const CROSS_WIDTH: u16 = 9;

/// The buttons of the right half.
const RIGHT: [Key; 4] = [
    key(Buttons::SELECT, "sel", "SEL", 0, 0),
    key(Buttons::START, "sta", "STA", 4, 0),
    key(Buttons::B, " B ", "[B]", 0, 2),
    key(Buttons::A, " A ", "[A]", 4, 2),
];
const RIGHT_WIDTH: u16 = 7;

/// Draws it in the middle of `area`, which has at least 17 columns.
pub(super) fn draw(buffer: &mut Buffer, area: Rect, buttons: Buttons, palette: Palette) {
    let gap = (area.width.saturating_sub(CROSS_WIDTH + RIGHT_WIDTH) / 3).clamp(1, 4);
    let width = CROSS_WIDTH + gap + RIGHT_WIDTH;
    let left = area.x + area.width.saturating_sub(width) / 2;
    for (x, keys) in [(left, &CROSS[..]), (left + CROSS_WIDTH + gap, &RIGHT[..])] {
        for key in keys {
            draw_key(buffer, (x + key.column, area.y + key.row), key, buttons, palette);
        }
    }
}

fn draw_key(buffer: &mut Buffer, at: (u16, u16), key: &Key, buttons: Buttons, palette: Palette) {
    let is_down = buttons.intersects(key.button);
    let style = if is_down { palette.button_down() } else { palette.button_up() };
    let text = if is_down && palette.is_mono() { key.down } else { key.up };
    buffer.set_string(at.0, at.1, text, style);
}
