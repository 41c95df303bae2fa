//! The two views, and where their parts go.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::Line;
use ratatui::widgets::Widget;

use super::bars::{footer, title};
use super::palette::{ColourMode, Palette};
use super::screen::Pictures;
use super::sizes::{FIELD_HEIGHT, LEAST_SIDE, MIN_HEIGHT, MIN_WIDTH, MOST_SCALE, MOST_SIDE, field_height, field_width};
use super::{field, overlay, panels, screen};
use crate::model::{Showing, Status, ViewModel};

/// Rows of the list of messages, border included, at least and at most. Chosen by hand, not
/// measured.
const MESSAGE_ROWS: std::ops::RangeInclusive<u16> = 4..=12;

/// Draws the model over the whole frame. A frame smaller than 60 x 24 shows one line with the
/// size that is needed.
pub fn draw(frame: &mut Frame<'_>, model: &ViewModel, colours: ColourMode) {
    draw_with(frame, model, colours, Pictures::Characters);
}

/// The area of the console's own picture; `None` while it is not shown or something covers it.
pub fn picture_area(area: Rect, model: &ViewModel) -> Option<Rect> {
    let is_free = model.showing == Showing::Screen && model.picture.is_some() && !model.help;
    if is_free && model.status == Status::Running { screen::Areas::of(area).map(|areas| areas.picture) } else { None }
}

/// Draws the model as [`draw`] does, with or without the console's own picture.
pub fn draw_with(frame: &mut Frame<'_>, model: &ViewModel, colours: ColourMode, pictures: Pictures) {
    let area = frame.area();
    let palette = Palette::new(colours);
    let buffer = frame.buffer_mut();
    buffer.set_style(area, palette.base());
    if model.showing == Showing::Screen
        && let Some(areas) = screen::Areas::of(area)
    {
        screen::draw(buffer, &areas, model, palette, pictures);
        overlay::card(buffer, areas.picture, model, palette);
        if model.help {
            overlay::help(buffer, area, palette);
        }
        return;
    }
    let Some(areas) = Areas::of(area) else {
        let need = format!("terminal is too small: {MIN_WIDTH}x{MIN_HEIGHT} needed");
        return Line::raw(need).render(area, buffer);
    };
    title(buffer, areas.title, model, palette);
    panels::left(buffer, areas.left, model, palette);
    field::playfield(buffer, areas.field, model, palette);
    panels::right(buffer, areas.right, model, palette);
    if let Some(messages) = areas.messages {
        panels::messages(buffer, messages, model, palette);
    }
    footer(buffer, areas.footer, model, palette, areas.messages.is_some());
    overlay::card(buffer, areas.field, model, palette);
    if model.help {
        overlay::help(buffer, area, palette);
    }
}

/// Where things go.
struct Areas {
    title: Rect,
    left: Rect,
    field: Rect,
    right: Rect,
    messages: Option<Rect>,
    footer: Rect,
}

impl Areas {
    fn of(area: Rect) -> Option<Areas> {
        if area.width < MIN_WIDTH || area.height < MIN_HEIGHT {
            return None;
        }
        // The playfield is as large as it can be with both sides and without messages.
        let fits = |scale: &u16| {
            area.width >= field_width(*scale) + 2 * LEAST_SIDE
                && area.height >= MIN_HEIGHT - FIELD_HEIGHT + field_height(*scale)
        };
        let scale = (1..=MOST_SCALE).rev().find(fits).unwrap_or(1);
        let (field_width, field_height) = (field_width(scale), field_height(scale));
        let side = ((area.width - field_width) / 2).min(MOST_SIDE);
        let width = field_width + 2 * side;
        let least = MIN_HEIGHT - FIELD_HEIGHT + field_height;
        let spare = area.height - least;
        let log = if spare < *MESSAGE_ROWS.start() { 0 } else { spare.min(*MESSAGE_ROWS.end()) };
        let height = least + log;
        let whole =
            Rect { x: area.x + (area.width - width) / 2, y: area.y + (area.height - height) / 2, width, height };
        let rows = [1, field_height, log, 1].map(Constraint::Length);
        let [title, body, messages, footer] = Layout::vertical(rows).areas(whole);
        let [left, field, right] = Layout::horizontal([side, field_width, side].map(Constraint::Length)).areas(body);
        // Beside a large playfield the left side has room below its panels.
        let below = Rect { y: left.y + FIELD_HEIGHT, height: left.height - FIELD_HEIGHT, ..left };
        let messages = if log > 0 { messages } else { below };
        let messages = (messages.height > 0).then_some(messages);
        Some(Areas { title, left, field, right, messages, footer })
    }
}
