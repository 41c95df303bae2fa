//! Text in a style, and boxes with a name.

use std::borrow::Cow;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, BorderType, Widget};

/// Text in a style. The style is that of the span: a style of the line would colour the whole row.
pub(super) fn styled<'a>(words: impl Into<Cow<'a, str>>, style: Style) -> Line<'a> {
    Line::from(Span::styled(words, style))
}

/// Draws a box with a name in its upper border; returns the area inside.
pub(super) fn boxed(buffer: &mut Buffer, area: Rect, name: Line<'_>, border: Style) -> Rect {
    let block = Block::bordered().border_type(BorderType::Rounded).border_style(border).title(name);
    let inner = block.inner(area);
    block.render(area, buffer);
    inner
}
