//! The playfield and the piece in the next box.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::{Clear, Widget};

use crate::model::{Cell, RunStage, Status, Tile, ViewModel};
use maxout_engine::game::{MAXOUT, Piece, ROWS, WIDTH};
use maxout_engine::ram::GameMode;

use super::palette::{Palette, Role};
use super::parts::{boxed, styled};

pub(super) fn playfield(buffer: &mut Buffer, area: Rect, model: &ViewModel, palette: Palette) {
    let role = if model.score == MAXOUT { Role::Gold } else { Role::Label };
    let name = styled(format!(" LINES {} ", model.lines), palette.style(Role::Strong)).centered();
    let inner = boxed(buffer, area, name, palette.style(role));
    let scale = inner.height / ROWS as u16;
    debug_assert_eq!((inner.width, inner.height), (2 * scale * WIDTH as u16, scale * ROWS as u16));
    for (row, cells) in (0..).zip(&model.cells) {
        for (column, &cell) in (0..).zip(cells) {
            let area =
                Rect { x: inner.x + 2 * scale * column, y: inner.y + scale * row, width: 2 * scale, height: scale };
            large_cell(buffer, area, cell, model.level, palette);
        }
    }
    for (row, (words, role)) in (8 * scale..).step_by(2).zip(words(model)) {
        banner(buffer, inner, row, &words, palette, role);
    }
}

/// A cell of any size: what marks it is drawn once, and an outline goes around it.
fn large_cell(buffer: &mut Buffer, area: Rect, cell: Cell, level: u8, palette: Palette) {
    let (text, style) = palette.cell(cell, level);
    let last = area.height - 1;
    for (index, row) in (0..).zip(area.rows()) {
        let mark = match cell {
            _ if last == 0 || palette.is_mono() => text.repeat(usize::from(area.height)),
            Cell::Target(_) => outline(area, index),
            Cell::Empty if index == last => format!("{:>1$}", text.trim(), usize::from(area.width)),
            Cell::Locked(Tile::Curtain) | Cell::NextTarget(_) => text.repeat(usize::from(area.height)),
            Cell::Locked(_) | Cell::Falling(_) if index == 0 => text.trim_end().to_owned(),
            Cell::Empty | Cell::Locked(_) | Cell::Falling(_) => String::new(),
        };
        buffer.set_string(row.x, row.y, format!("{mark:0$}", usize::from(area.width)), style);
    }
}

/// A row of the outline of an area of two rows or more.
fn outline(area: Rect, row: u16) -> String {
    let (left, middle, right) = match row {
        0 => ('┌', "─", '┐'),
        row if row + 1 == area.height => ('└', "─", '┘'),
        _ => ('│', " ", '│'),
    };
    format!("{left}{}{right}", middle.repeat(usize::from(area.width) - 2))
}

/// The words over the playfield, with their roles.
fn words(model: &ViewModel) -> Vec<(String, Role)> {
    let mut words = Vec::new();
    if model.card.is_some() {
        return words;
    }
    match model.stage {
        RunStage::PowerOn => words.push(("POWER ON".to_owned(), Role::Label)),
        RunStage::Menu(mode) => words.push((menu_name(mode).to_owned(), Role::Strong)),
        RunStage::GamePaused => words.push(("GAME PAUSED".to_owned(), Role::Strong)),
        RunStage::Topout => words.push(("TOPOUT".to_owned(), Role::Strong)),
        RunStage::Game => {}
    }
    if let Some(frames) = model.header.menu_frames.filter(|_| model.stage.is_before_game()) {
        words.push((format!("frame {} of ~{frames}", model.frame), Role::Label));
        // The bot waits in two menus, as long as the seed says.
        if matches!(model.stage, RunStage::Menu(GameMode::Title | GameMode::LevelMenu)) {
            words.push((format!("wait of {}", model.header.seed), Role::Label));
        }
    }
    if model.score == MAXOUT {
        words.push(("MAXOUT".to_owned(), Role::Gold));
    }
    words.extend(stops(model));
    words
}

/// Why the run does not go on: paused or ended.
pub(super) fn stops(model: &ViewModel) -> Option<(String, Role)> {
    match model.status {
        Status::Ended if model.card.is_some() => None,
        Status::Running => None,
        Status::Paused => Some(("PAUSED".to_owned(), Role::Gold)),
        Status::Ended => Some(("ENDED - Q QUITS".to_owned(), Role::Gold)),
    }
}

/// What the run does while its menus are hurried through.
pub(super) fn menus(model: &ViewModel) -> Option<(String, Role)> {
    model.menu_words().map(|words| (words, Role::Strong))
}

fn menu_name(mode: GameMode) -> &'static str {
    match mode {
        GameMode::Legal => "LEGAL SCREEN",
        GameMode::Title => "TITLE",
        GameMode::GameType => "GAME TYPE",
        GameMode::LevelMenu => "LEVEL MENU",
        GameMode::Play => "PLAY",
        GameMode::Demo | GameMode::DemoStart => "DEMO",
    }
}

/// A line of words in the middle of the playfield.
pub(super) fn banner(buffer: &mut Buffer, inner: Rect, row: u16, words: &str, palette: Palette, role: Role) {
    let width = (words.chars().count() as u16 + 2).min(inner.width);
    let area = Rect { x: inner.x + (inner.width - width) / 2, y: inner.y + row, width, height: 1 };
    Clear.render(area, buffer);
    buffer.set_style(area, palette.field());
    styled(words, palette.style(role)).centered().render(area, buffer);
}

/// The piece of the next box, in the middle of `area`, two rows.
pub(super) fn next(buffer: &mut Buffer, area: Rect, model: &ViewModel, palette: Palette) {
    let Some(piece) = model.next else { return };
    let (columns, rows) = bounds(piece);
    let tile = Tile::of(piece.spawn().tile()).unwrap_or(Tile::White);
    let (text, style) = palette.cell(Cell::Falling(tile), model.level);
    let width = 2 * (columns.1 - columns.0 + 1) as u16;
    let left = area.x + area.width.saturating_sub(width) / 2;
    for &(dy, dx) in piece.spawn().cells() {
        let (x, y) = (left + 2 * (dx - columns.0) as u16, area.y + (dy - rows.0) as u16);
        buffer.set_string(x, y, text, style);
    }
}

/// A piece in its spawn orientation on one line of four characters, two rows to a character.
pub(super) fn small(piece: Piece) -> String {
    let (columns, rows) = bounds(piece);
    let has = |row, column| piece.spawn().cells().contains(&(row, column));
    (columns.0..columns.0 + 4)
        .map(|column| match (has(rows.0, column), has(rows.0 + 1, column)) {
            (true, true) => '█',
            (true, false) => '▀',
            (false, true) => '▄',
            (false, false) => ' ',
        })
        .collect()
}

/// First and last column and row of a piece as it spawns.
fn bounds(piece: Piece) -> ((i8, i8), (i8, i8)) {
    let span = |parts: [i8; 4]| (parts.into_iter().min().unwrap_or(0), parts.into_iter().max().unwrap_or(0));
    let cells = piece.spawn().cells();
    (span(cells.map(|(_, dx)| dx)), span(cells.map(|(dy, _)| dy)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_pieces_are_recognisable() {
        let drawn: Vec<String> = Piece::ALL.into_iter().map(small).collect();
        assert_eq!(drawn, ["▀█▀ ", "▀▀█ ", "▀█▄ ", "██  ", "▄█▀ ", "█▀▀ ", "▀▀▀▀"]);
    }
}
