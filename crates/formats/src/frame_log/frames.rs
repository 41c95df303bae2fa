//! Rows of a log made of the steps of a run.

use maxout_engine::bot::{Event, uncapped_score};
use maxout_engine::game::{Orientation, ROWS, WIDTH};
use maxout_engine::gamepad::Buttons;
use maxout_engine::ram::RamSnapshot;

use super::column::LogColumn;
use super::note::{NOTE_SEPARATOR, Note};
use super::row::{LogRow, NO_WRITES};
use crate::fm2::line_of_call;
use crate::played::PlayedStep;

/// One frame of a run as a log has it, not yet text.
#[derive(Debug, Clone)]
pub struct LogFrame<'a> {
    /// Number of the frame, from 0 at the first power-on.
    pub call: u64,
    /// The FM2 line of its buttons.
    pub line: u64,
    /// The buttons that were down.
    pub buttons: Buttons,
    /// Did the game read them?
    pub polled: bool,
    /// Bytes that were written into RAM before it, with their addresses.
    pub writes: &'a [(u16, u8)],
    /// RAM at its end.
    pub snapshot: &'a RamSnapshot,
    /// The score without the cap.
    pub uncapped: u64,
    /// What happened in it, and resets before it.
    pub notes: Vec<Note>,
}

impl LogFrame<'_> {
    /// The row of the frame; `cells` fills the column of that name.
    pub fn row(&self, cells: Cells) -> LogRow {
        let LogFrame { call, line, buttons, polled, writes, snapshot, uncapped, notes } = self;
        let mut row = LogRow::default();
        row.set(LogColumn::Call, call);
        row.set(LogColumn::Line, line);
        row.set(LogColumn::Buttons, format_args!("{:02X}", buttons.bits()));
        row.set(LogColumn::Keys, buttons.keys());
        row.set(LogColumn::Polled, u8::from(*polled));
        row.set(LogColumn::Held, format_args!("{:02X}", snapshot.held_buttons.bits()));
        set_ram(&mut row, snapshot);
        if cells == Cells::Written {
            row.set(LogColumn::Cells, cell_digits(snapshot));
        }
        row.set(LogColumn::CheatWrites, written(writes));
        row.set(LogColumn::Note, notes.iter().map(Note::to_string).collect::<Vec<_>>().join(NOTE_SEPARATOR));
        row.set(LogColumn::Uncapped, uncapped);
        row
    }
}

/// Does a row have the cells of the playfield?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cells {
    /// They have their column.
    Written,
    /// Only their CRC-32 is there.
    LeftOut,
}

/// Numbers the frames of a run and finds what happened in them.
#[derive(Debug, Clone)]
pub struct LogFrames {
    call: u64,
    boots: u64,
    before: Option<RamSnapshot>,
    /// The score without the cap.
    uncapped: u64,
    /// Notes that wait for the next frame.
    boot_notes: Vec<Note>,
}

impl Default for LogFrames {
    /// Begins at power-on.
    fn default() -> LogFrames {
        LogFrames { call: 0, boots: 1, before: None, uncapped: 0, boot_notes: Vec::new() }
    }
}

impl LogFrames {
    /// The frame of a step; none for a reset, which is a note of the next frame.
    pub fn next<'a>(&mut self, step: &PlayedStep<'a>) -> Option<LogFrame<'a>> {
        let (buttons, polled, writes, snapshot) = match *step {
            PlayedStep::Frame { buttons, polled, writes, snapshot } => (buttons, polled, writes, snapshot),
            PlayedStep::Reset | PlayedStep::PowerCycle => {
                self.boots += 1;
                self.before = None;
                self.boot_notes.push(if matches!(step, PlayedStep::Reset) { Note::Reset } else { Note::Power });
                return None;
            }
        };
        let events = Event::between(self.before.as_ref(), snapshot);
        let notes = self.boot_notes.drain(..).chain(events.iter().filter_map(Note::of)).collect();
        self.uncapped = uncapped_score(self.uncapped, self.before.as_ref(), snapshot);
        let (call, uncapped) = (self.call, self.uncapped);
        self.call += 1;
        match &mut self.before {
            Some(before) => before.clone_from(snapshot),
            before => *before = Some(snapshot.clone()),
        }
        let line = line_of_call(call, self.boots);
        Some(LogFrame { call, line, buttons, polled, writes, snapshot, uncapped, notes })
    }
}

fn set_ram(row: &mut LogRow, snapshot: &RamSnapshot) {
    row.set(LogColumn::Mode, snapshot.game_mode as u8);
    row.set(LogColumn::Play, snapshot.play_state.byte());
    row.set(
        LogColumn::Piece,
        format_args!("{:02X}", snapshot.piece.map_or(Orientation::HIDDEN_ID, |piece| piece.id())),
    );
    row.set(LogColumn::X, snapshot.x);
    row.set(LogColumn::Y, snapshot.y);
    row.set(LogColumn::Next, snapshot.next.map_or('-', |piece| piece.letter()));
    row.set(LogColumn::Level, snapshot.level);
    row.set(LogColumn::Lines, snapshot.lines);
    row.set(LogColumn::Score, snapshot.score);
    row.set(LogColumn::Fall, snapshot.fall_timer);
    row.set(LogColumn::Das, snapshot.das);
    row.set(LogColumn::Are, snapshot.vram_row);
    row.set(LogColumn::Rng, format_args!("{:04X}", snapshot.rng));
    row.set(LogColumn::Fc, snapshot.frame_counter);
    row.set(LogColumn::Field, format_args!("{:08X}", crc32fast::hash(&snapshot.tiles)));
}

/// Bytes written into RAM, as text.
fn written(writes: &[(u16, u8)]) -> String {
    if writes.is_empty() {
        return NO_WRITES.to_owned();
    }
    writes.iter().map(|(address, byte)| format!("{address:02X}={byte:02X}")).collect::<Vec<_>>().join(" ")
}

/// The visible cells, four to a digit, from the top left.
fn cell_digits(snapshot: &RamSnapshot) -> String {
    let rows = (0..ROWS as i8).map(|row| snapshot.playfield.row(row));
    let bits: Vec<bool> = rows.flat_map(|row| (0..WIDTH).map(move |column| row >> column & 1 == 1)).collect();
    bits.chunks(4).map(|four| format!("{:X}", four.iter().fold(0, |digit, &bit| digit << 1 | u8::from(bit)))).collect()
}
