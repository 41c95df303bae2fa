//! A picture of the game for consoles that draw none: the rules model.

use super::canvas::{Align, Area, Canvas, Rgb, area};
use super::colours::{FIELD, GOLD, LABEL, RULE, TEXT, TRACK};
use super::font::{Font, Size};
use super::ghost::{CELL, FIELD_AT};
use crate::draw::block_rgb;
use crate::model::{Cell, RunStage, Tile, ViewModel};
use crate::numbers::thousands;
use maxout_engine::console::Picture;
use maxout_engine::game::{Piece, ROWS, WIDTH};
use maxout_engine::ram::GameMode;

/// What is inside a frame, and its name above it.
const BOXES: [(&str, Area); 3] =
    [("SCORE", area(192, 56, 48, 14)), ("NEXT", area(192, 96, 48, 36)), ("LEVEL", area(192, 158, 48, 14))];

/// Draws the game where its own picture would be, the playfield in the same place.
pub(super) fn draw(canvas: &mut Canvas, font: &Font, model: &ViewModel) {
    canvas.fill(area(0, 0, Picture::WIDTH as i32, Picture::HEIGHT as i32), TRACK);
    frame(canvas, area(FIELD_AT.0, FIELD_AT.1, WIDTH as i32 * CELL, ROWS as i32 * CELL));
    for (row, cells) in (0..).zip(&model.cells) {
        for (column, &cell) in (0..).zip(cells) {
            if let Cell::Locked(tile) | Cell::Falling(tile) = cell {
                block(canvas, (FIELD_AT.0 + CELL * column, FIELD_AT.1 + CELL * row), tile, model.level);
            }
        }
    }
    let middle = FIELD_AT.0 + WIDTH as i32 * CELL / 2;
    frame(canvas, area(FIELD_AT.0, 17, WIDTH as i32 * CELL, 14));
    canvas.text(font, Size::Text, (middle, 27), Align::Middle, &format!("LINES {}", model.lines), TEXT);
    for (name, inner) in BOXES {
        frame(canvas, inner);
        canvas.text(font, Size::Small, (inner.x, inner.y - 5), Align::Left, name, LABEL);
    }
    canvas.text(font, Size::Text, (216, 66), Align::Middle, &thousands(u64::from(model.score)), TEXT);
    canvas.text(font, Size::Text, (216, 168), Align::Middle, &model.level.to_string(), TEXT);
    if let Some(piece) = model.next {
        next(canvas, piece, model.level);
    }
    statistics(canvas, font, model);
    if let Some(words) = words(model.stage) {
        canvas.text(font, Size::Text, (middle, 122), Align::Middle, words, GOLD);
    }
}

fn frame(canvas: &mut Canvas, Area { x, y, width, height }: Area) {
    canvas.fill_round(area(x - 3, y - 3, width + 6, height + 6), 3.0, RULE);
    canvas.fill(area(x - 1, y - 1, width + 2, height + 2), FIELD);
}

/// A cell of the game: seven pixels of eight, with a light corner.
fn block(canvas: &mut Canvas, (x, y): (i32, i32), tile: Tile, level: u8) {
    let side = CELL - 1;
    canvas.fill(area(x, y, side, side), block_rgb(tile, level));
    match tile {
        // The white pieces have a coloured edge.
        Tile::White => {
            let edge: Rgb = block_rgb(Tile::First, level);
            canvas.fill(area(x, y, side, side), edge);
            canvas.fill(area(x + 1, y + 1, side - 2, side - 2), block_rgb(tile, level));
        }
        Tile::First | Tile::Second => canvas.fill(area(x + 1, y + 1, 2, 1), PALE),
        Tile::Curtain => {}
    }
}

const PALE: Rgb = [246, 247, 252];

fn next(canvas: &mut Canvas, piece: Piece, level: u8) {
    let tile = Tile::of(piece.spawn().tile()).unwrap_or(Tile::White);
    // Pieces spawn around their second column; O and I are half a cell off.
    let half = if matches!(piece, Piece::O | Piece::I) { 0 } else { CELL / 2 };
    for &(dy, dx) in piece.spawn().cells() {
        block(canvas, (216 - half + CELL * i32::from(dx), 108 + CELL * i32::from(dy)), tile, level);
    }
}

/// How often each piece has come.
fn statistics(canvas: &mut Canvas, font: &Font, model: &ViewModel) {
    frame(canvas, area(16, 56, 60, 130));
    canvas.text(font, Size::Small, (16, 51), Align::Left, "STATISTICS", LABEL);
    for (y, piece) in (64..).step_by(17).zip(Piece::ALL) {
        let tile = Tile::of(piece.spawn().tile()).unwrap_or(Tile::White);
        for &(dy, dx) in piece.spawn().cells() {
            canvas.fill(area(34 + 5 * i32::from(dx), y + 5 * i32::from(dy), 4, 4), block_rgb(tile, model.level));
        }
        let count = model.statistics[piece.index()].to_string();
        canvas.text(font, Size::Text, (72, y + 6), Align::Right, &count, TEXT);
    }
}

fn words(scene: RunStage) -> Option<&'static str> {
    Some(match scene {
        RunStage::PowerOn => "POWER ON",
        RunStage::Menu(GameMode::Legal) => "POWER ON",
        RunStage::Menu(GameMode::Title) => "TITLE",
        RunStage::Menu(GameMode::GameType) => "GAME TYPE",
        RunStage::Menu(GameMode::LevelMenu) => "LEVEL MENU",
        RunStage::Menu(_) => "MENU",
        RunStage::GamePaused => "GAME PAUSED",
        RunStage::Topout => "TOPOUT",
        RunStage::Game => return None,
    })
}
