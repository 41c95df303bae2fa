//! Positions as text: a drawing, 200 characters of 0 and 1, the hex digits of a trace or a log.

use super::error::PositionError;
use super::{ReadPosition, Source};
use crate::frame_log::full_cells;
use maxout_engine::game::memory::tile;
use maxout_engine::game::{MAXOUT, Piece, Playfield, ROWS, WIDTH};
use maxout_engine::text::shortened;

/// Cells of a playfield.
const CELLS: usize = ROWS * WIDTH;
/// A single word of more characters than this is a whole playfield and no row of a drawing. Rows are as
/// wide as the playfield, with a bar at both sides.
const LONGEST_ROW: usize = WIDTH + 2;
/// The most characters of a line that an error shows. Chosen by hand, not measured.
const SHOWN: usize = 40;

/// The playfield and what else a text tells.
pub(super) fn read(text: &str) -> Result<ReadPosition, PositionError> {
    let word = text.trim();
    if word.is_empty() {
        return Err(PositionError::Nothing);
    }
    match notation(word) {
        Some((playfield, source)) => Ok(ReadPosition::of(playfield?, source)),
        None => drawing(text),
    }
}

/// Is this one word a playfield in a notation of one line?
pub(super) fn is_notation(text: &str) -> bool {
    notation(text.trim()).is_some()
}

fn notation(word: &str) -> Option<(Result<Playfield, PositionError>, Source)> {
    if let Some(digits) = word.strip_prefix("P=") {
        return Some((tiles(digits), Source::Hex));
    }
    if word.chars().count() <= LONGEST_ROW || word.contains(char::is_whitespace) {
        return None;
    }
    if word.bytes().all(|digit| matches!(digit, b'0' | b'1')) {
        return Some((bits(word), Source::Bits));
    }
    word.bytes().all(|digit| digit.is_ascii_hexdigit()).then(|| (tiles(word), Source::Hex))
}

/// 200 characters of 0 and 1, row by row from the top.
fn bits(word: &str) -> Result<Playfield, PositionError> {
    if word.len() != CELLS {
        let expected = "200 characters of 0 and 1, row by row from the top";
        return Err(PositionError::Length { expected, found: word.len() });
    }
    Ok(filled(word.bytes().map(|digit| digit == b'1')))
}

/// The 400 hex digits of the 200 bytes of a trace, or the 50 of the cells of a log.
fn tiles(digits: &str) -> Result<Playfield, PositionError> {
    if let Some(rows) = full_cells(digits) {
        return Ok(Playfield::from_rows(rows));
    }
    let values: Option<Vec<u8>> = digits.chars().map(|digit| Some(digit.to_digit(16)? as u8)).collect();
    match (values, digits.len()) {
        (Some(values), 400) => {
            let bytes: Vec<u8> = values.chunks(2).map(|byte| byte[0] << 4 | byte[1]).collect();
            if let Some(cell) = bytes.iter().position(|&byte| !tile::is_block(byte) && byte != tile::EMPTY) {
                return Err(PositionError::Tile { row: cell / WIDTH, column: cell % WIDTH, found: bytes[cell] });
            }
            Ok(filled(bytes.into_iter().map(|byte| byte != tile::EMPTY)))
        }
        _ => {
            let expected = "400 hex digits (the bytes of a trace) or 50 (the cells of a log)";
            Err(PositionError::Length { expected, found: digits.chars().count() })
        }
    }
}

/// The playfield of these cells, row by row from the top.
fn filled(cells: impl Iterator<Item = bool>) -> Playfield {
    let mut playfield = Playfield::EMPTY;
    for (cell, _) in cells.take(CELLS).enumerate().filter(|(_, is_full)| *is_full) {
        playfield.set((cell / WIDTH) as i8, cell % WIDTH);
    }
    playfield
}

/// Rows from the top, and values such as `piece T`. The last row is row 19; blank lines are skipped.
fn drawing(text: &str) -> Result<ReadPosition, PositionError> {
    let mut position = ReadPosition::of(Playfield::EMPTY, Source::Drawing);
    let mut rows = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.strip_suffix('\r').unwrap_or(line);
        let is_row_of_spaces = line.len() == WIDTH;
        if line.trim().is_empty() && !is_row_of_spaces || value(&mut position, number, line.trim())? {
            continue;
        }
        rows.push(row(number, line)?);
    }
    if rows.is_empty() {
        return Err(PositionError::Nothing);
    }
    if rows.len() > ROWS {
        return Err(PositionError::Rows(rows.len()));
    }
    for (row, bits) in (0..ROWS as i8).rev().zip(rows.iter().rev()) {
        position.playfield.set_row(row, *bits);
    }
    Ok(position)
}

/// The cells of a row, bit 0 for column 0. Spaces around it and a bar at each side are no cells.
fn row(line: usize, text: &str) -> Result<u16, PositionError> {
    let is_wide = |text: &str| text.chars().count() == WIDTH;
    let trimmed = text.trim();
    let inner = trimmed.strip_prefix('|').and_then(|inner| inner.strip_suffix('|'));
    let cells = match inner {
        Some(inner) => inner,
        None if is_wide(text) => text,
        None => trimmed,
    };
    let mut bits = 0;
    for (column, letter) in cells.chars().enumerate() {
        match letter {
            '.' | ' ' | '-' | '_' | '0' | '\u{B7}' => {}
            '#' | 'X' | 'x' | '1' | '2' | '3' | '@' | '\u{2588}' | '\u{25A0}' => {
                bits |= 1_u32.wrapping_shl(column as u32)
            }
            _ if piece(letter).is_some() => bits |= 1_u32.wrapping_shl(column as u32),
            found => return Err(PositionError::Character { line, cell: column + 1, found }),
        }
    }
    if !is_wide(cells) {
        let text = shortened(cells, SHOWN).into_owned();
        return Err(PositionError::Width { line, found: cells.chars().count(), text });
    }
    Ok(bits as u16)
}

/// The piece of a letter, small or large.
fn piece(letter: char) -> Option<Piece> {
    Piece::ALL.into_iter().find(|piece| piece.letter() == letter.to_ascii_uppercase())
}

/// Takes a line such as `level: 18`, `level=18` or `level 18`. Gives false for another line.
fn value(position: &mut ReadPosition, line: usize, text: &str) -> Result<bool, PositionError> {
    let Some((name, value)) = text.split_once([':', '=', ' ']) else { return Ok(false) };
    let value = value.trim_start_matches([':', '=', ' ']);
    let error =
        |name, expected| PositionError::Value { line, name, expected, found: shortened(value, SHOWN).into_owned() };
    let letter = || {
        let mut letters = value.chars();
        letters.next().and_then(piece).filter(|_| letters.next().is_none())
    };
    const PIECES: &str = "one of T, J, Z, O, S, L and I";
    match name.to_ascii_lowercase().as_str() {
        "piece" => position.piece = Some(letter().ok_or_else(|| error("piece", PIECES))?),
        "next" if value.eq_ignore_ascii_case("unknown") => (position.next, position.hides_next) = (None, true),
        "next" => {
            let expected = "one of T, J, Z, O, S, L and I, or unknown";
            (position.next, position.hides_next) = (Some(letter().ok_or_else(|| error("next", expected))?), false);
        }
        "level" => position.level = Some(value.parse().map_err(|_| error("level", "a number from 0 to 255"))?),
        "lines" => position.lines = Some(value.parse().map_err(|_| error("lines", "a number from 0 to 65535"))?),
        "score" => {
            let score = value.parse().ok().filter(|score| *score <= MAXOUT);
            position.score = Some(score.ok_or_else(|| error("score", "a number from 0 to 999999"))?);
        }
        _ => return Ok(false),
    }
    Ok(true)
}
