//! The title line, the footer, and a message on one line.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use super::palette::{Palette, Role};
use super::parts::styled;
use crate::model::{Message, Status, Tone, ViewModel};
use crate::numbers::thousands;
use crate::speed::Speed;

/// The program's name, what is played, and the speed on the right.
pub(super) fn title(buffer: &mut Buffer, area: Rect, model: &ViewModel, palette: Palette) {
    let pace = pace(model, palette);
    let free = usize::from(area.width).saturating_sub(pace.width() + 2);
    let mut line = Line::from(vec![Span::styled(" maxout", palette.style(Role::Gold)), Span::raw("  ")]);
    let header = &model.header;
    if let Some(mark) = &header.mark {
        line.push_span(Span::styled(format!("{mark}  "), palette.style(Role::Bad)));
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
    let missed = model.missed_speed();
    let (word, role) = match (model.status, model.speed) {
        (Status::Paused, _) => ("paused ".to_owned(), Role::Gold),
        (Status::Ended, _) => ("ended ".to_owned(), Role::Gold),
        (Status::Running, _) if model.is_hurried => ("menus, hurried ".to_owned(), Role::Strong),
        (Status::Running, _) if missed.is_some() => (missed.clone().unwrap_or_default() + " ", Role::Gold),
        (Status::Running, Speed::Times(times)) => (format!("{times}x "), Role::Strong),
        (Status::Running, Speed::Max) => ("max ".to_owned(), Role::Strong),
    };
    let rate = match model.frames_per_second {
        Some(rate) if model.status == Status::Running && missed.is_none() => {
            format!("{} frames/s ", thousands(rate.round() as u64))
        }
        _ => String::new(),
    };
    let film = if model.is_rolling { "REC " } else { "" };
    Line::from(vec![
        Span::styled(film, palette.style(Role::Bad)),
        Span::styled(word, palette.style(role)),
        Span::styled(rate, palette.style(Role::Label)),
    ])
}

/// The latest message; where messages have a box of their own, the keys.
pub(super) fn footer(buffer: &mut Buffer, area: Rect, model: &ViewModel, palette: Palette, has_messages: bool) {
    if has_messages {
        return keys(buffer, area, palette);
    }
    let keys = styled("space pause  ? keys  q quit ", palette.style(Role::Label));
    let Some(message) = model.messages.back() else { return keys.right_aligned().render(area, buffer) };
    let line = message_line(message, palette);
    let free = usize::from(area.width).saturating_sub(keys.width() + 2);
    // Bad news is shown in place of the keys.
    if line.width() <= free || message.tone != Tone::Bad {
        keys.right_aligned().render(area, buffer);
        return line.render(Rect { width: free as u16, ..area }, buffer);
    }
    line.render(area, buffer);
}

/// As many keys as there is room for; the last two are always shown.
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

pub(super) fn message_line(message: &Message, palette: Palette) -> Line<'static> {
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
