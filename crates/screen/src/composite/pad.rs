//! The gamepad, with the pressed buttons lit.

use super::canvas::{Align, Canvas, Rgb, area};
use super::colours::{CASE, GOLD, KEY, LABEL, PAPER, ROUND_KEY};
use super::font::{Font, Size};
use maxout_engine::gamepad::Buttons;

/// Units of the case.
pub(super) const WIDTH: i32 = 116;
/// Units of the case.
pub(super) const HEIGHT: i32 = 38;

/// Units of a direction.
const ARM: i32 = 9;

/// Draws it with its corner at this place.
pub(super) fn draw(canvas: &mut Canvas, font: &Font, (left, top): (i32, i32), buttons: Buttons) {
    let colour = |button, up: Rgb| if buttons.intersects(button) { GOLD } else { up };
    canvas.fill_round(area(left, top, WIDTH, HEIGHT), 5.0, CASE);
    let (x, y) = (left + 9, top + 5);
    for (button, column, row) in
        [(Buttons::UP, 1, 0), (Buttons::LEFT, 0, 1), (Buttons::RIGHT, 2, 1), (Buttons::DOWN, 1, 2)]
    {
        canvas.fill_round(area(x + column * ARM, y + row * ARM, ARM, ARM), 1.0, colour(button, KEY));
    }
    // The middle, which is not a button; it takes the corners off the arms.
    canvas.fill(area(x + ARM - 1, y + ARM, ARM + 2, ARM), KEY);
    canvas.fill(area(x + ARM, y + ARM - 1, ARM, ARM + 2), KEY);
    for (button, name, x) in [(Buttons::SELECT, "SEL", 45), (Buttons::START, "STA", 60)] {
        canvas.fill_round(area(left + x, top + 17, 11, 5), 2.5, colour(button, KEY));
        canvas.text(font, Size::Small, (left + x + 6, top + 31), Align::Middle, name, LABEL);
    }
    for (button, name, x) in [(Buttons::B, "B", 78), (Buttons::A, "A", 95)] {
        let is_down = buttons.intersects(button);
        canvas.fill_round(area(left + x, top + 12, 14, 14), 7.0, colour(button, ROUND_KEY));
        let ink = if is_down { PAPER } else { [240, 200, 206] };
        canvas.text(font, Size::Text, (left + x + 7, top + 22), Align::Middle, name, ink);
    }
}
