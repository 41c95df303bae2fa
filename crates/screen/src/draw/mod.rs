//! Drawing a [`ViewModel`] on a ratatui frame: a pure function of the model and the colours.
//!
//! Two views. The panels: three columns (panels, playfield, panels) of 22 rows between a title and a footer; taller
//! terminals get a list of messages below. The screen: the console's own picture, and a column of
//! panels where there is room beside it.

mod field;
mod gamepad;
mod overlay;
mod palette;
mod panels;
mod screen;
#[cfg(test)]
mod tests;

use std::borrow::Cow;

use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, BorderType, Widget};

use super::model::{Message, Showing, Status, Tone, ViewModel};
use super::numbers::thousands;
use crate::speed::Speed;
pub use palette::ColourMode;
pub(super) use palette::block_rgb;
use palette::{Palette, Role};

/// Columns that the view needs.
pub const MIN_WIDTH: u16 = 60;
/// Rows that the view needs.
pub const MIN_HEIGHT: u16 = 24;

/// Columns of the playfield with its border.
const FIELD_WIDTH: u16 = 22;
/// Rows of the playfield with its border.
const FIELD_HEIGHT: u16 = 22;
/// Columns that a side panel has at most.
const MOST_SIDE: u16 = 31;
/// Rows that the messages have at least and at most, border included.
const MESSAGE_ROWS: std::ops::RangeInclusive<u16> = 4..=12;

/// Draws the model over the whole frame. Any size will do: below 60 x 24 a line says what is
/// needed.
pub fn draw(frame: &mut Frame<'_>, model: &ViewModel, colours: ColourMode) {
    draw_with(frame, model, colours, Pictures::Characters);
}

/// What the console's own picture is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pictures {
    /// Half blocks, or what there is without colour.
    Characters,
    /// Nothing: the host draws pixels over [its area](picture_area).
    Pixels,
}

/// Where the console's own picture goes; `None` where none is shown, or something lies over it.
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
        let side = ((area.width - FIELD_WIDTH) / 2).min(MOST_SIDE);
        let width = FIELD_WIDTH + 2 * side;
        let spare = area.height - MIN_HEIGHT;
        let log = if spare < *MESSAGE_ROWS.start() { 0 } else { spare.min(*MESSAGE_ROWS.end()) };
        let height = MIN_HEIGHT + log;
        let whole =
            Rect { x: area.x + (area.width - width) / 2, y: area.y + (area.height - height) / 2, width, height };
        let rows = [1, FIELD_HEIGHT, log, 1].map(Constraint::Length);
        let [title, body, messages, footer] = Layout::vertical(rows).areas(whole);
        let [left, field, right] = Layout::horizontal([side, FIELD_WIDTH, side].map(Constraint::Length)).areas(body);
        Some(Areas { title, left, field, right, messages: (log > 0).then_some(messages), footer })
    }
}

/// Words in a style. The style is the words' own: a line's style would colour its whole row.
fn styled<'a>(words: impl Into<Cow<'a, str>>, style: Style) -> Line<'a> {
    Line::from(Span::styled(words, style))
}

/// A box with a name in its upper border; gives the inside.
fn boxed(buffer: &mut Buffer, area: Rect, name: Line<'_>, border: Style) -> Rect {
    let block = Block::bordered().border_type(BorderType::Rounded).border_style(border).title(name);
    let inner = block.inner(area);
    block.render(area, buffer);
    inner
}

/// The program's name, what is played, and the speed on the right.
fn title(buffer: &mut Buffer, area: Rect, model: &ViewModel, palette: Palette) {
    let pace = pace(model, palette);
    let free = usize::from(area.width).saturating_sub(pace.width() + 2);
    let mut line = Line::from(vec![Span::styled(" maxout", palette.style(Role::Gold)), Span::raw("  ")]);
    let header = &model.header;
    if let Some(cheats) = &header.cheats {
        line.push_span(Span::styled(format!("CHEATS: {cheats}  "), palette.style(Role::Bad)));
    }
    let start = format!("level {}", header.start_level);
    let until = format!("until {}", header.until);
    let parts = [&header.rom, &header.seed, &header.evaluator, &header.input, &start, &until];
    for (index, part) in parts.into_iter().filter(|part| !part.is_empty()).enumerate() {
        let between = if index == 0 { "" } else { " · " };
        if line.width() + between.chars().count() + Span::raw(part.as_str()).width() > free {
            break;
        }
        line.push_span(Span::styled(between, palette.style(Role::Border)));
        line.push_span(Span::styled(part.clone(), palette.style(Role::Label)));
    }
    line.render(area, buffer);
    pace.right_aligned().render(area, buffer);
}

fn pace(model: &ViewModel, palette: Palette) -> Line<'static> {
    let (word, role) = match (model.status, model.speed) {
        (Status::Paused, _) => ("paused ".to_owned(), Role::Gold),
        (Status::Ended, _) => ("ended ".to_owned(), Role::Gold),
        (Status::Running, Speed::Times(times)) => (format!("{times}x "), Role::Strong),
        (Status::Running, Speed::Max) => ("max ".to_owned(), Role::Strong),
    };
    let rate = match model.frames_per_second {
        Some(rate) if model.status == Status::Running => format!("{} frames/s ", thousands(rate.round() as u64)),
        _ => String::new(),
    };
    let film = if model.is_rolling { "REC " } else { "" };
    Line::from(vec![
        Span::styled(film, palette.style(Role::Bad)),
        Span::styled(word, palette.style(role)),
        Span::styled(rate, palette.style(Role::Label)),
    ])
}

/// The latest message, or, where those have a box of their own, the keys.
fn footer(buffer: &mut Buffer, area: Rect, model: &ViewModel, palette: Palette, has_messages: bool) {
    if has_messages {
        return keys(buffer, area, palette);
    }
    let keys = styled("space pause  ? keys  q quit ", palette.style(Role::Label));
    let Some(message) = model.messages.back() else { return keys.right_aligned().render(area, buffer) };
    let line = message_line(message, palette);
    let free = usize::from(area.width).saturating_sub(keys.width() + 2);
    // Bad news go before the keys.
    if line.width() <= free || message.tone != Tone::Bad {
        keys.right_aligned().render(area, buffer);
        return line.render(Rect { width: free as u16, ..area }, buffer);
    }
    line.render(area, buffer);
}

/// As many keys as there is room for, and always the last two.
fn keys(buffer: &mut Buffer, area: Rect, palette: Palette) {
    const KEYS: [&str; 6] = ["space pause", ". one frame", "+ - speed", "v view", "s screenshot", "r record"];
    const ALWAYS: &str = "? keys   q quit ";
    let free = usize::from(area.width).saturating_sub(ALWAYS.len() + 2);
    let mut line = String::new();
    for key in KEYS {
        let between = if line.is_empty() { " " } else { "   " };
        if line.len() + between.len() + key.len() > free {
            break;
        }
        line += between;
        line += key;
    }
    styled(line, palette.style(Role::Label)).render(area, buffer);
    styled(ALWAYS, palette.style(Role::Label)).right_aligned().render(area, buffer);
}

fn message_line(message: &Message, palette: Palette) -> Line<'static> {
    let role = match message.tone {
        Tone::Plain => Role::Text,
        Tone::Good => Role::Good,
        Tone::Great => Role::Gold,
        Tone::Bad => Role::Bad,
    };
    Line::from(vec![
        Span::styled(format!("{:>7}  ", thousands(message.frame)), palette.style(Role::Label)),
        Span::styled(message.text.clone(), palette.style(role)),
    ])
}
