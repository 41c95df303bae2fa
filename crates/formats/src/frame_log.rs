//! The frame log: buttons and decoded RAM, one row a frame, as CSV or as JSON lines.
//!
//! A log opens with its [`Provenance`]: CSV as lines of `# key: value`, then the names of the
//! columns; JSON lines as one object with the key `format`. Every row after that is one call of
//! the console, none left out. Columns:
//!
//! | column | content |
//! | --- | --- |
//! | `call` | number of the frame, from 0 at the first power-on, without gaps |
//! | `line` | the FM2 line of these buttons: `call` + boots, see [`line_of_call`] |
//! | `buttons` | two hex digits: A=80 B=40 Select=20 Start=10 Up=08 Down=04 Left=02 Right=01 |
//! | `keys` | the same as `RLDUTSBA` text |
//! | `polled` | 1 if the game read the gamepad, 0 in a lag frame |
//! | `held` | what the last poll saw (`$F7`), two hex digits |
//! | `mode`, `play` | `gameMode` and `playState`, the game's numbers |
//! | `piece` | orientation id in hex, `13` while none is shown |
//! | `x`, `y` | column and row of the piece's origin |
//! | `next` | letter of the next piece, `-` before the first |
//! | `level`, `lines`, `score` | as numbers |
//! | `fall` | frames since the last drop |
//! | `das` | the shift counter, 0 to 16 |
//! | `are` | `vramRow`, on which the entry delay waits: 32 when all rows are on the screen |
//! | `rng` | the random number, four hex digits, `$17` first |
//! | `fc` | the frame counter |
//! | `field` | CRC-32 of the 200 cells of the playfield, hex |
//! | `cells` | only on request: the 200 cells, one bit each from the top left, as 50 hex digits |
//! | `cheat_writes` | only of a run that cheats: bytes written into RAM before the frame, as in `62=0A 60=03`, or `-` |
//! | `note` | `reset`, `power`, `start`, `lock`, `clear 4`, `level 19`, `999999`, `topout`; `; ` between |
//!
//! Numbers are numbers in JSON, all else is text.
//!
//! **The log proves itself.** In a polled frame `buttons` equals `held`, except in the demo,
//! which presses by itself. The reader refuses a log in which that is not so, or `call` has a
//! gap, or `keys` says something else than `buttons`.
//!
//! A log that somebody else wrote may leave columns out, in JSON each row its own. In CSV an empty
//! field is one that was left out; only a `note` may be empty.

use std::borrow::Cow;

use super::fm2::line_of_call;
use super::moment::Moment;
use super::{Options, Provenance};
use maxout_engine::bot::Event;
use maxout_engine::game::Orientation;
use maxout_engine::ram::{GameMode, RamSnapshot};

pub use self::reader::LogReader;

mod reader;

/// What the header's `format` says.
const FORMAT: &str = "maxout-log 1";
/// A frame before which nothing was written into RAM.
pub(super) const NO_WRITES: &str = "-";
/// Between the parts of a note.
pub(super) const NOTE_SEPARATOR: &str = "; ";

/// The columns of a log, in their order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the table above says what each is")]
pub enum Column {
    Call,
    Line,
    Buttons,
    Keys,
    Polled,
    Held,
    Mode,
    Play,
    Piece,
    X,
    Y,
    Next,
    Level,
    Lines,
    Score,
    Fall,
    Das,
    Are,
    Rng,
    Fc,
    Field,
    Cells,
    CheatWrites,
    Note,
}

/// Number of columns.
const COLUMNS: usize = 24;

impl Column {
    /// All of them, in their order.
    pub const ALL: [Column; COLUMNS] = [
        Column::Call,
        Column::Line,
        Column::Buttons,
        Column::Keys,
        Column::Polled,
        Column::Held,
        Column::Mode,
        Column::Play,
        Column::Piece,
        Column::X,
        Column::Y,
        Column::Next,
        Column::Level,
        Column::Lines,
        Column::Score,
        Column::Fall,
        Column::Das,
        Column::Are,
        Column::Rng,
        Column::Fc,
        Column::Field,
        Column::Cells,
        Column::CheatWrites,
        Column::Note,
    ];

    /// Its name in the file.
    pub const fn name(self) -> &'static str {
        const NAMES: [&str; COLUMNS] = [
            "call",
            "line",
            "buttons",
            "keys",
            "polled",
            "held",
            "mode",
            "play",
            "piece",
            "x",
            "y",
            "next",
            "level",
            "lines",
            "score",
            "fall",
            "das",
            "are",
            "rng",
            "fc",
            "field",
            "cells",
            "cheat_writes",
            "note",
        ];
        NAMES[self as usize]
    }

    /// The column of this name.
    pub fn named(name: &str) -> Option<Column> {
        Column::ALL.into_iter().find(|column| column.name() == name)
    }

    /// Is its value a number in JSON?
    const fn is_number(self) -> bool {
        use Column as C;
        matches!(
            self,
            C::Call
                | C::Line
                | C::Polled
                | C::Mode
                | C::Play
                | C::X
                | C::Y
                | C::Level
                | C::Lines
                | C::Score
                | C::Fall
                | C::Das
                | C::Are
                | C::Fc
        )
    }
}

/// One row: the text of every column that the log has.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Row {
    values: [Option<String>; COLUMNS],
}

impl Row {
    /// The text of a column, if the log has it.
    pub fn get(&self, column: Column) -> Option<&str> {
        self.values[column as usize].as_deref()
    }

    fn set(&mut self, column: Column, value: impl ToString) {
        self.values[column as usize] = Some(value.to_string());
    }

    /// The columns that it has, with their texts.
    pub fn columns(&self) -> impl Iterator<Item = (Column, &str)> {
        Column::ALL.into_iter().filter_map(|column| Some((column, self.get(column)?)))
    }

    /// Was the gamepad read? `None` where the log does not tell.
    pub fn polled(&self) -> Option<bool> {
        self.get(Column::Polled).map(|text| text == "1")
    }
}

/// Makes rows out of moments.
#[derive(Debug, Clone)]
pub struct Rows {
    cells: bool,
    call: u64,
    boots: u64,
    before: Option<RamSnapshot>,
    /// Notes that wait for the next row.
    boot_notes: Vec<&'static str>,
}

impl Rows {
    /// From power-on; `cells` adds the column of that name.
    pub fn new(cells: bool) -> Rows {
        Rows { cells, call: 0, boots: 1, before: None, boot_notes: Vec::new() }
    }

    /// The row of a frame; none for a reset, which is a note of the next row.
    pub fn row(&mut self, moment: &Moment<'_>) -> Option<Row> {
        let (buttons, polled, writes, snapshot) = match *moment {
            Moment::Frame { buttons, polled, writes, snapshot } => (buttons, polled, writes, snapshot),
            Moment::Reset | Moment::PowerCycle => {
                self.boots += 1;
                self.before = None;
                self.boot_notes.push(if matches!(moment, Moment::Reset) { "reset" } else { "power" });
                return None;
            }
        };
        let mut row = Row::default();
        row.set(Column::Call, self.call);
        row.set(Column::Line, line_of_call(self.call, self.boots));
        row.set(Column::Buttons, format_args!("{:02X}", buttons.bits()));
        row.set(Column::Keys, buttons.keys());
        row.set(Column::Polled, u8::from(polled));
        row.set(Column::Held, format_args!("{:02X}", snapshot.held_buttons.bits()));
        set_ram(&mut row, snapshot);
        if self.cells {
            row.set(Column::Cells, cells(snapshot));
        }
        row.set(Column::CheatWrites, written(writes));
        row.set(Column::Note, self.note(snapshot));
        self.call += 1;
        match &mut self.before {
            Some(before) => before.clone_from(snapshot),
            before => *before = Some(snapshot.clone()),
        }
        Some(row)
    }

    fn note(&mut self, snapshot: &RamSnapshot) -> String {
        let events = Event::between(self.before.as_ref(), snapshot);
        if events.is_empty() && self.boot_notes.is_empty() {
            return String::new();
        }
        let boots = self.boot_notes.drain(..).map(str::to_owned);
        boots.chain(events.iter().filter_map(words)).collect::<Vec<_>>().join(NOTE_SEPARATOR)
    }
}

/// What the note says of an event; nothing of what only the bot knows.
fn words(event: &Event) -> Option<String> {
    Some(match event {
        Event::GameStart => "start".to_owned(),
        Event::Lock => "lock".to_owned(),
        Event::Clear(rows) => format!("clear {rows}"),
        Event::LevelUp(level) => format!("level {level}"),
        Event::Maxout => "999999".to_owned(),
        Event::Topout => "topout".to_owned(),
        Event::Planned | Event::Desync(_) => return None,
    })
}

fn set_ram(row: &mut Row, snapshot: &RamSnapshot) {
    row.set(Column::Mode, snapshot.game_mode as u8);
    row.set(Column::Play, snapshot.play_state.byte());
    row.set(Column::Piece, format_args!("{:02X}", snapshot.piece.map_or(Orientation::HIDDEN_ID, |piece| piece.id())));
    row.set(Column::X, snapshot.x);
    row.set(Column::Y, snapshot.y);
    row.set(Column::Next, snapshot.next.map_or('-', |piece| piece.letter()));
    row.set(Column::Level, snapshot.level);
    row.set(Column::Lines, snapshot.lines);
    row.set(Column::Score, snapshot.score);
    row.set(Column::Fall, snapshot.fall_timer);
    row.set(Column::Das, snapshot.das);
    row.set(Column::Are, snapshot.vram_row);
    row.set(Column::Rng, format_args!("{:04X}", snapshot.rng));
    row.set(Column::Fc, snapshot.frame_counter);
    row.set(Column::Field, format_args!("{:08X}", crc32fast::hash(&snapshot.tiles)));
}

/// Bytes written into RAM, as text.
fn written(writes: &[(u16, u8)]) -> String {
    if writes.is_empty() {
        return NO_WRITES.to_owned();
    }
    writes.iter().map(|(address, byte)| format!("{address:02X}={byte:02X}")).collect::<Vec<_>>().join(" ")
}

/// The visible cells, four to a digit, from the top left.
fn cells(snapshot: &RamSnapshot) -> String {
    let rows = (0..20).map(|row| snapshot.playfield.row(row));
    let bits: Vec<bool> = rows.flat_map(|row| (0..10).map(move |column| row >> column & 1 == 1)).collect();
    bits.chunks(4).map(|four| format!("{:X}", four.iter().fold(0, |digit, &bit| digit << 1 | u8::from(bit)))).collect()
}

/// Does the check of buttons against what the poll saw say anything in this mode?
fn presses_count(mode: u8) -> bool {
    mode != GameMode::Demo as u8 && mode != GameMode::DemoStart as u8
}

/// The two shapes of a log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// Comma-separated values.
    Csv,
    /// One JSON object a line.
    JsonLines,
}

impl Shape {
    /// The bytes before the first row.
    pub(super) fn head(self, provenance: &Provenance, columns: &[Column]) -> Vec<u8> {
        let entries = std::iter::once(("format", FORMAT)).chain(provenance.entries());
        match self {
            Shape::Csv => {
                let mut text: String = entries.map(|(key, value)| format!("# {key}: {value}\n")).collect();
                text += &columns.iter().map(|column| column.name()).collect::<Vec<_>>().join(",");
                text.push('\n');
                text.into_bytes()
            }
            Shape::JsonLines => {
                let fields = entries.map(|(key, value)| format!("{}:{}", quoted(key), quoted(value)));
                format!("{{{}}}\n", fields.collect::<Vec<_>>().join(",")).into_bytes()
            }
        }
    }

    /// The bytes of a row. What it does not have is empty in CSV and left out in JSON.
    pub(super) fn row(self, row: &Row, columns: &[Column]) -> Vec<u8> {
        let line = match self {
            Shape::Csv => {
                let fields = columns.iter().map(|column| escaped(row.get(*column).unwrap_or("")));
                fields.collect::<Vec<_>>().join(",")
            }
            Shape::JsonLines => {
                let fields = columns.iter().filter_map(|column| {
                    let (name, value) = (column.name(), row.get(*column)?);
                    // What CSV takes for a number may not be one in JSON, as 007.
                    Some(match value.parse::<i64>() {
                        Ok(number) if column.is_number() => format!("\"{name}\":{number}"),
                        _ => format!("\"{name}\":{}", quoted(value)),
                    })
                });
                format!("{{{}}}", fields.collect::<Vec<_>>().join(","))
            }
        };
        (line + "\n").into_bytes()
    }
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// A text that stays on its line.
fn one_line(text: &str) -> String {
    text.replace(['\r', '\n'], " ")
}

/// Nothing that we write needs quotes; a note that somebody else wrote may.
fn escaped(text: &str) -> Cow<'_, str> {
    if text.contains([',', '"']) { format!("\"{}\"", text.replace('"', "\"\"")).into() } else { text.into() }
}

/// Rows of CSV with other columns.
pub(super) fn with_columns(rows: &[u8], columns: &[Column], wanted: &[Column]) -> Vec<u8> {
    let columns: Vec<_> = columns.iter().copied().map(Some).collect();
    let rows = String::from_utf8_lossy(rows);
    let rows = rows.lines().filter_map(|line| reader::csv_row(line, &columns).ok());
    rows.flat_map(|row| Shape::Csv.row(&row, wanted)).collect()
}

/// The columns of a log that we write.
pub(super) fn written_columns(options: Options) -> Vec<Column> {
    let is_written = |column: &Column| match column {
        Column::Cells => options.cells,
        Column::CheatWrites => options.cheats,
        _ => true,
    };
    Column::ALL.into_iter().filter(is_written).collect()
}

/// Checks rows while they are written.
#[derive(Debug, Clone, Default)]
pub(super) struct SelfCheck {
    was_demo: bool,
}

impl SelfCheck {
    /// The violation of a row, in words.
    pub(super) fn violation(&mut self, row: &Row) -> Option<String> {
        let mode = row.get(Column::Mode).and_then(|mode| mode.parse().ok()).unwrap_or(0);
        let counts = presses_count(mode) && !std::mem::replace(&mut self.was_demo, !presses_count(mode));
        let (buttons, held) = (row.get(Column::Buttons)?, row.get(Column::Held)?);
        (counts && row.polled() == Some(true) && !buttons.eq_ignore_ascii_case(held)).then(|| {
            format!("expected buttons {buttons} to be what the polled game holds, found held {held}: the log contradicts itself")
        })
    }
}
