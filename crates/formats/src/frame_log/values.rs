//! The columns of a frame as values instead of text.

use maxout_engine::game::{Orientation, ROWS, WIDTH};
use maxout_engine::ram::{GameMode, RamSnapshot};

use super::column::LogColumn;
use super::frames::LogFrame;
use super::note::Note;
use super::row::{LogRow, NO_WRITES};

/// The columns without which there are no values.
const NEEDED: [LogColumn; 11] = [
    LogColumn::Polled,
    LogColumn::Mode,
    LogColumn::Play,
    LogColumn::Piece,
    LogColumn::X,
    LogColumn::Y,
    LogColumn::Next,
    LogColumn::Level,
    LogColumn::Lines,
    LogColumn::Score,
    LogColumn::Note,
];
/// The highest play state: it is one hex digit.
const MAX_PLAY: u8 = 15;
/// The highest column or row of a piece that is kept: a page has one digit in base 36 for it.
const MAX_COORDINATE: i8 = 35;

/// The state of the game at the end of a frame. Values that no game has are brought into range:
/// a log of another program may hold any number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct GameState {
    /// Number of the frame, from 0 at the first power-on.
    pub frame: u64,
    /// `playState`, 0 to 15.
    pub play: u8,
    /// Is `gameMode` that of a game?
    pub in_game: bool,
    /// Is `gameMode` that of the demo?
    pub in_demo: bool,
    /// The falling piece, while one is shown.
    pub piece: Option<Orientation>,
    /// Column of the piece's origin, 0 to 35.
    pub x: i8,
    /// Row of the piece's origin, 0 to 35.
    pub y: i8,
    /// Letter of the next piece.
    pub next: Option<char>,
    /// The level.
    pub level: u8,
    /// The lines.
    pub lines: u16,
    /// The score.
    pub score: u32,
    /// The score without the cap; the score itself where the log does not have it.
    pub uncapped: u64,
    /// Frames since the last drop, where the log has them.
    pub fall: Option<u8>,
    /// The DAS counter, where the log has it.
    pub das: Option<u8>,
}

/// The values of one frame.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FrameValues<'a> {
    /// The state of the game.
    pub state: GameState,
    /// The buttons that were down, as bits.
    pub buttons: u8,
    /// Did the game read them?
    pub polled: bool,
    /// Was RAM written before the frame?
    pub wrote: bool,
    /// What happened in the frame, and resets before it.
    pub notes: Vec<Note>,
    /// RAM at the end of the frame, where it is at hand.
    pub snapshot: Option<&'a RamSnapshot>,
    crc32: Option<u32>,
    /// The full cells of every row, bit 0 for column 0, where the log has them.
    pub cells: Option<[u16; ROWS]>,
}

impl FrameValues<'_> {
    /// The values of a row of a log.
    ///
    /// # Errors
    /// The column that the row lacks.
    pub fn of_row(row: &LogRow) -> Result<FrameValues<'static>, LogColumn> {
        if let Some(missing) = NEEDED.into_iter().find(|column| row.get(*column).is_none()) {
            return Err(missing);
        }
        let hex = |column| row.get(column).and_then(|digits| u32::from_str_radix(digits, 16).ok());
        let score = number(row, LogColumn::Score, i64::from(u32::MAX)) as u32;
        let has_uncapped = row.get(LogColumn::Uncapped).is_some();
        let mode = number(row, LogColumn::Mode, i64::from(u8::MAX));
        let counter = |column| row.get(column).map(|_| number(row, column, i64::from(u8::MAX)) as u8);
        let state = GameState {
            frame: number(row, LogColumn::Call, i64::MAX) as u64,
            play: number(row, LogColumn::Play, i64::from(MAX_PLAY)) as u8,
            in_game: mode == GameMode::Play as i64,
            in_demo: mode == GameMode::Demo as i64,
            piece: row.get(LogColumn::Piece).and_then(orientation),
            x: number(row, LogColumn::X, i64::from(MAX_COORDINATE)) as i8,
            y: number(row, LogColumn::Y, i64::from(MAX_COORDINATE)) as i8,
            next: row.get(LogColumn::Next).and_then(|text| text.chars().next()).filter(|letter| *letter != '-'),
            level: number(row, LogColumn::Level, i64::from(u8::MAX)) as u8,
            lines: number(row, LogColumn::Lines, i64::from(u16::MAX)) as u16,
            score,
            uncapped: if has_uncapped { number(row, LogColumn::Uncapped, i64::MAX) as u64 } else { score.into() },
            fall: counter(LogColumn::Fall),
            das: counter(LogColumn::Das),
        };
        Ok(FrameValues {
            state,
            buttons: hex(LogColumn::Buttons).and_then(|bits| u8::try_from(bits).ok()).unwrap_or(0),
            polled: row.polled() == Some(true),
            wrote: row.get(LogColumn::CheatWrites).is_some_and(|writes| writes != NO_WRITES),
            notes: Note::all_of(row.get(LogColumn::Note).unwrap_or("")),
            snapshot: None,
            crc32: hex(LogColumn::Field),
            cells: row.get(LogColumn::Cells).and_then(full_cells),
        })
    }

    /// The CRC-32 of the playfield's tiles, where it is known.
    pub fn crc32(&self) -> Option<u32> {
        self.snapshot.map(|snapshot| crc32fast::hash(&snapshot.tiles)).or(self.crc32)
    }
}

impl<'a> From<LogFrame<'a>> for FrameValues<'a> {
    /// The values of a frame as a log without cells has them.
    fn from(frame: LogFrame<'a>) -> FrameValues<'a> {
        let LogFrame { call, buttons, polled, writes, snapshot, uncapped, notes, .. } = frame;
        let state = GameState {
            frame: call,
            play: snapshot.play_state.byte().min(MAX_PLAY),
            in_game: snapshot.game_mode == GameMode::Play,
            in_demo: snapshot.game_mode == GameMode::Demo,
            piece: snapshot.piece,
            x: snapshot.x.clamp(0, MAX_COORDINATE),
            y: snapshot.y.clamp(0, MAX_COORDINATE),
            next: snapshot.next.map(|piece| piece.letter()),
            level: snapshot.level,
            lines: snapshot.lines,
            score: snapshot.score,
            uncapped,
            fall: Some(snapshot.fall_timer),
            das: Some(snapshot.das),
        };
        let (buttons, wrote, snapshot) = (buttons.bits(), !writes.is_empty(), Some(snapshot));
        FrameValues { state, buttons, polled, wrote, notes, snapshot, crc32: None, cells: None }
    }
}

/// A number from 0 to the most that it can be.
fn number(row: &LogRow, column: LogColumn, most: i64) -> i64 {
    row.get(column).and_then(|text| text.parse().ok()).unwrap_or(0).clamp(0, most)
}

/// The orientation of two hex digits; none while no piece is shown.
fn orientation(digits: &str) -> Option<Orientation> {
    Orientation::from_id(u8::from_str_radix(digits, 16).ok()?)
}

/// The full cells of the column of cells: four of them a digit, from the top left.
pub(crate) fn full_cells(digits: &str) -> Option<[u16; ROWS]> {
    let digits: Option<Vec<u32>> = digits.chars().map(|digit| digit.to_digit(16)).collect();
    let digits = digits.filter(|digits| digits.len() == ROWS * WIDTH / 4)?;
    let is_full = |cell: usize| digits[cell / 4] >> (3 - cell % 4) & 1 == 1;
    let row = |row: usize| (0..WIDTH).filter(|x| is_full(row * WIDTH + x)).fold(0, |bits, x| bits | 1 << x);
    Some(std::array::from_fn(row))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame_log::{Cells, LogFrames};
    use crate::played::PlayedStep;
    use maxout_engine::game::randomizer::Randomizer;
    use maxout_engine::game::simulation::Simulation;
    use maxout_engine::gamepad::Buttons;
    use maxout_engine::ram::{Decoder, RamMap};

    #[test]
    fn values_of_a_frame_are_those_of_its_row() {
        let mut console = Simulation::new_game(18, Randomizer::SEED);
        let decoder = Decoder::new(&RamMap::tetris_ntsc()).unwrap();
        let mut frames = LogFrames::default();
        frames.next(&PlayedStep::Reset);
        for number in 0..400_u16 {
            let buttons = Buttons::from_bits([0x02, 0, 0x80, 0x04, 0x04][usize::from(number) % 5]);
            console.step(buttons);
            let snapshot = decoder.decode(console.ram()).unwrap();
            let writes: &[(u16, u8)] = if number % 7 == 0 { &[(0x62, 3)] } else { &[] };
            let polled = number % 11 != 0;
            let frame = frames.next(&PlayedStep::Frame { buttons, polled, writes, snapshot: &snapshot }).unwrap();
            for cells in [Cells::Written, Cells::LeftOut] {
                let read = FrameValues::of_row(&frame.row(cells)).unwrap();
                let straight = FrameValues::from(frame.clone());
                assert_eq!(read.crc32(), straight.crc32());
                assert_eq!(read.cells.is_some(), cells == Cells::Written);
                let expected = (0..ROWS as i8).map(|row| snapshot.playfield.row(row));
                assert!(read.cells.is_none_or(|found| found.into_iter().eq(expected)));
                let snapshot = straight.snapshot;
                let read = FrameValues { snapshot, crc32: None, cells: None, ..read };
                assert_eq!(read, straight, "frame {number}");
            }
        }
    }

    #[test]
    fn values_that_no_game_has_are_brought_into_range() {
        let mut row = LogRow::default();
        for column in NEEDED {
            row.set(column, "99999999999");
        }
        row.set(LogColumn::X, -7);
        row.set(LogColumn::Cells, "F".repeat(49));
        row.set(LogColumn::Buttons, "100");
        let values = FrameValues::of_row(&row).unwrap();
        let GameState { frame, play, in_game, piece, x, y, level, lines, score, uncapped, .. } = values.state;
        assert_eq!((frame, play, in_game, piece, x, y), (0, 15, false, None, 0, 35));
        assert_eq!((level, lines, score, uncapped), (255, 65_535, u32::MAX, u32::MAX.into()));
        assert_eq!((values.cells, values.buttons, values.notes), (None, 0, vec![]));
    }

    #[test]
    fn a_row_without_a_needed_column_has_no_values() {
        assert_eq!(FrameValues::of_row(&LogRow::default()), Err(LogColumn::Polled));
    }
}
