//! Text over the console's picture: `PAUSED`, the result of the run, and the list of keys.

use super::canvas::{Align, Area, Canvas, area};
use super::colours::{GOLD, GOOD, LABEL, PAPER, RULE, TEXT};
use super::font::{Font, Size};
use crate::model::{CARD_KEYS, EndCard, Status, ViewModel};
use maxout_engine::console::Picture;

/// The keys of the window, and what they do.
const KEYS: [(&str, &str); 10] = [
    ("space  Esc", "pause, go on"),
    (".  n", "one frame"),
    ("+  -", "faster, slower"),
    ("v", "panel on, off"),
    ("g", "ghost of the plan on, off"),
    ("f  F11", "full screen"),
    ("s", "screenshot into a PNG file"),
    ("r", "begin or end a film"),
    ("?  h", "show or hide this"),
    ("q", "quit"),
];

/// Letters of a file name in the card, the last ones. Chosen by hand, not measured.
const MOST_OF_A_NAME: usize = 30;

const MIDDLE: i32 = Picture::WIDTH as i32 / 2;

pub(super) fn draw(canvas: &mut Canvas, font: &Font, model: &ViewModel) {
    if model.help {
        return help(canvas, font);
    }
    match model.status {
        Status::Running => {
            if let Some(words) = model.menu_words() {
                banner(canvas, font, &words, 136);
            }
        }
        Status::Paused => banner(canvas, font, "PAUSED", 52),
        Status::Ended => match &model.card {
            Some(found) => card(canvas, font, found, &model.result()),
            None => banner(canvas, font, "ENDED - Q QUITS", 92),
        },
    }
}

/// The result of the run, over the upper half of the playfield.
fn card(canvas: &mut Canvas, font: &Font, card: &EndCard, result: &[(&str, String)]) {
    let (width, lines) = (150, result.len() + card.saved.len());
    let (left, top) = (MIDDLE - width / 2, 34);
    let right = left + width - 10;
    sheet(canvas, area(left, top, width, 10 * lines as i32 + 32));
    canvas.text(font, Size::Text, (MIDDLE, top + 13), Align::Middle, &card.outcome, GOLD);
    let mut y = top + 16;
    for (name, value) in result {
        y += 10;
        canvas.text(font, Size::Small, (left + 10, y), Align::Left, name, LABEL);
        canvas.text(font, Size::Text, (right, y), Align::Right, value, TEXT);
    }
    for file in &card.saved {
        y += 10;
        canvas.text(font, Size::Small, (left + 10, y), Align::Left, "saved to", LABEL);
        let length = file.chars().count();
        let end: String = file.chars().skip(length.saturating_sub(MOST_OF_A_NAME)).collect();
        canvas.text(font, Size::Small, (right, y), Align::Right, &end, GOOD);
    }
    canvas.text(font, Size::Small, (MIDDLE, y + 11), Align::Middle, CARD_KEYS, LABEL);
}

/// A line of words on a sheet of this width, below the playfield.
fn banner(canvas: &mut Canvas, font: &Font, words: &str, width: i32) {
    sheet(canvas, area(MIDDLE - width / 2, 214, width, 17));
    canvas.text(font, Size::Text, (MIDDLE, 225), Align::Middle, words, GOLD);
}

fn help(canvas: &mut Canvas, font: &Font) {
    let (width, height) = (176, 12 * KEYS.len() as i32 + 40);
    let (left, top) = (MIDDLE - width / 2, (Picture::HEIGHT as i32 - height) / 2);
    sheet(canvas, area(left, top, width, height));
    canvas.text(font, Size::Text, (MIDDLE, top + 15), Align::Middle, "KEYS", GOLD);
    for (y, (key, meaning)) in (top + 29..).step_by(12).zip(KEYS) {
        canvas.text(font, Size::Text, (left + 12, y), Align::Left, key, GOLD);
        canvas.text(font, Size::Text, (left + 52, y), Align::Left, meaning, TEXT);
    }
    let y = top + height - 8;
    canvas.text(font, Size::Small, (MIDDLE, y), Align::Middle, "Watching never changes a button.", LABEL);
}

fn sheet(canvas: &mut Canvas, Area { x, y, width, height }: Area) {
    canvas.fill_round(area(x - 1, y - 1, width + 2, height + 2), 4.0, RULE);
    canvas.fill_round(area(x, y, width, height), 3.5, PAPER);
}
