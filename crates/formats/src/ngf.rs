//! NGF: the frames of a game as NestrisChamps stores and replays them.
//!
//! Records of 73 bytes, version 3, one for each frame of a game, gzip as a whole; frames of
//! menus have none. The falling piece is drawn into the field, and completed rows vanish from
//! the middle outwards as they do on the screen: RAM drops them at once. There is no header and
//! there are no buttons, so nothing can be replayed from it on a console. Versions 1 and 2, which older
//! recordings have, are read as well.

mod reader;
mod record;

pub use reader::NgfReader;
pub use record::NgfRecord;

use super::played::PlayedStep;
use maxout_engine::game::memory::tile;
use maxout_engine::game::timing::FRAMES_PER_SECOND;
use maxout_engine::game::{Orientation, Piece, ROWS, WIDTH};
use maxout_engine::ram::{Phase, PlayState, RamSnapshot};

/// Bytes of a record.
pub const RECORD: usize = 73;
/// Version 3 in the upper three bits, game type "classic" (1), player 0.
const KIND: u8 = 3 << 5 | 1 << 3;
/// "None" of a piece.
const NO_PIECE: u8 = 7;
/// The largest piece count; one more means "unknown".
const MAX_COUNT: u16 = 1022;
/// The largest number of lines; one more means "unknown".
const MAX_LINES: u16 = 4094;
/// The largest level; one more means "unknown".
const MAX_LEVEL: u8 = 254;
/// The largest time in ms that 28 bits hold.
const MAX_TIME: u64 = (1 << 28) - 1;

/// The format's order of pieces.
const PIECES: [Piece; Piece::COUNT] = [Piece::T, Piece::J, Piece::Z, Piece::O, Piece::S, Piece::L, Piece::I];

/// A field of colours: 0 empty, 1 to 3.
type Field = [u8; ROWS * WIDTH];

/// Makes records of the steps of a run.
#[derive(Debug, Clone, Default)]
pub(super) struct NgfWriter {
    /// Games so far.
    game: u16,
    in_game: bool,
    /// Frames since the first record, that one not counted.
    frames: Option<u64>,
    /// The DAS counter at the spawn of the present piece.
    spawn_das: u8,
    previous: Option<PlayState>,
    /// The field before completed rows were dropped from RAM.
    locked: Option<Field>,
}

impl NgfWriter {
    /// The record of a step, if it is a frame of a game.
    pub(super) fn record(&mut self, step: &PlayedStep<'_>) -> Option<[u8; RECORD]> {
        let PlayedStep::Frame { snapshot, .. } = step else {
            self.in_game = false;
            return None;
        };
        self.frames = self.frames.map(|frames| frames + 1);
        let in_game = matches!(snapshot.phase(), Phase::Falling | Phase::EntryDelay | Phase::Paused | Phase::Topout);
        if in_game && !self.in_game {
            self.game = self.game.wrapping_add(1);
            self.spawn_das = snapshot.das;
            self.frames.get_or_insert(0);
        }
        self.in_game = in_game;
        if self.previous == Some(PlayState::Spawn) && snapshot.play_state == PlayState::Control {
            self.spawn_das = snapshot.das;
        }
        let field = self.field(snapshot);
        self.previous = Some(snapshot.play_state);
        in_game.then(|| self.bytes(snapshot, &field))
    }

    /// The field as the screen shows it.
    fn field(&mut self, snapshot: &RamSnapshot) -> Field {
        let mut field = snapshot.tiles.map(colour);
        match snapshot.play_state {
            PlayState::RowCheck | PlayState::ClearAnimation => {
                if self.previous == Some(PlayState::Lock) {
                    self.locked = Some(field);
                }
                if let Some(locked) = &self.locked {
                    field = *locked;
                    if snapshot.play_state == PlayState::ClearAnimation {
                        wipe(&mut field, usize::from(snapshot.row_y));
                    }
                }
            }
            PlayState::Control | PlayState::Lock => {
                if let Some(orientation) = snapshot.piece {
                    draw(&mut field, orientation, snapshot.x, snapshot.y);
                }
            }
            _ => self.locked = None,
        }
        field
    }

    fn bytes(&self, snapshot: &RamSnapshot, field: &Field) -> [u8; RECORD] {
        let milliseconds = (self.frames.unwrap_or(0) as f64 * 1000.0 / FRAMES_PER_SECOND).round() as u64;
        let time = (milliseconds.min(MAX_TIME) as u32) << 4;
        let lines = snapshot.lines.min(MAX_LINES);
        let piece = |piece: Option<Piece>| piece.and_then(code).unwrap_or(NO_PIECE);
        let mut bytes = [0; RECORD];
        bytes[0] = KIND;
        bytes[1..3].copy_from_slice(&self.game.to_be_bytes());
        bytes[3..7].copy_from_slice(&time.to_be_bytes());
        bytes[6] |= (lines >> 8) as u8;
        bytes[7] = lines as u8;
        bytes[8] = snapshot.level.min(MAX_LEVEL);
        bytes[9..12].copy_from_slice(&snapshot.score.to_be_bytes()[1..]);
        bytes[12] = snapshot.das << 3 | piece(snapshot.next);
        bytes[13] = self.spawn_das << 3 | piece(snapshot.piece.map(Orientation::piece));
        // Seven counts of ten bits, then two unused bits.
        let counts =
            snapshot.statistics.iter().fold(0_u128, |all, &count| all << 10 | u128::from(count.min(MAX_COUNT)));
        bytes[14..23].copy_from_slice(&(counts << 2).to_be_bytes()[7..]);
        for (byte, cells) in bytes[23..].iter_mut().zip(field.chunks_exact(4)) {
            *byte = cells.iter().fold(0, |byte, cell| byte << 2 | cell);
        }
        bytes
    }
}

/// The format's number of a piece.
fn code(piece: Piece) -> Option<u8> {
    PIECES.iter().position(|&other| other == piece).map(|code| code as u8)
}

/// Any other solid tile, as of the curtain, gets the first colour.
fn colour(tile: u8) -> u8 {
    match tile {
        tile::FIRST => 2,
        tile::SECOND => 3,
        tile::EMPTY.. => 0,
        _ => 1,
    }
}

fn draw(field: &mut Field, orientation: Orientation, x: i8, y: i8) {
    for (dy, dx) in orientation.cells() {
        let (row, column) = (y + dy, x + dx);
        if (0..ROWS as i8).contains(&row) && (0..WIDTH as i8).contains(&column) {
            field[row as usize * WIDTH + column as usize] = colour(orientation.tile());
        }
    }
}

/// The clear animation: every step takes the next column on both sides of the middle.
fn wipe(field: &mut Field, steps: usize) {
    let middle = WIDTH / 2;
    for row in field.chunks_exact_mut(WIDTH).filter(|row| row.iter().all(|&cell| cell != 0)) {
        row[middle - steps.min(middle)..(middle + steps).min(WIDTH)].fill(0);
    }
}

#[cfg(test)]
mod tests {
    use super::record::Version;
    use super::*;
    use maxout_engine::game::memory::address::{PLAYFIELD, SCORE};
    use maxout_engine::game::randomizer::Randomizer;
    use maxout_engine::game::simulation::Simulation;
    use maxout_engine::gamepad::Buttons;
    use maxout_engine::ram::{Decoder, RamMap};

    /// The bits `[from, from + length)` of a record, first bit highest.
    fn bits(record: &[u8], from: usize, length: usize) -> u32 {
        (from..from + length).fold(0, |value, bit| value << 1 | u32::from(record[bit / 8] >> (7 - bit % 8) & 1))
    }

    fn cells(record: &[u8; RECORD]) -> Vec<u8> {
        record[23..].iter().flat_map(|byte| [6, 4, 2, 0].map(|shift| byte >> shift & 3)).collect()
    }

    struct Game {
        console: Simulation,
        decoder: Decoder,
        writer: NgfWriter,
    }

    impl Game {
        fn new() -> Game {
            let console = Simulation::new_game(18, Randomizer::SEED);
            let decoder = Decoder::new(&RamMap::tetris_ntsc()).unwrap();
            Game { console, decoder, writer: NgfWriter::default() }
        }

        fn step(&mut self, buttons: Buttons) -> Option<([u8; RECORD], RamSnapshot)> {
            self.console.step(buttons);
            let snapshot = self.decoder.decode(self.console.ram()).unwrap();
            let record =
                self.writer.record(&PlayedStep::Frame { buttons, polled: true, writes: &[], snapshot: &snapshot })?;
            Some((record, snapshot))
        }
    }

    #[test]
    fn a_record_says_what_ram_says() {
        let mut game = Game::new();
        for (byte, digits) in [0x56, 0x34, 0x12].into_iter().enumerate() {
            game.console.poke((SCORE + byte) as u16, digits);
        }
        for frame in 0..40_u32 {
            let (record, snapshot) = game.step(Buttons::LEFT).expect("a game runs");
            assert_eq!((bits(&record, 0, 3), bits(&record, 3, 2), bits(&record, 5, 3)), (3, 1, 0));
            assert_eq!(bits(&record, 8, 16), 1, "the first game");
            assert_eq!(bits(&record, 24, 28), (f64::from(frame) * 1000.0 / 60.0988).round() as u32);
            assert_eq!(bits(&record, 52, 12), u32::from(snapshot.lines));
            assert_eq!((record[8], bits(&record, 72, 24)), (18, 123_456));
            assert_eq!(bits(&record, 96, 5), u32::from(snapshot.das));
            assert_eq!(PIECES[bits(&record, 101, 3) as usize], snapshot.next.unwrap());
            assert_eq!(PIECES[bits(&record, 109, 3) as usize], snapshot.piece.unwrap().piece());
            for (piece, count) in snapshot.statistics.into_iter().enumerate() {
                assert_eq!(bits(&record, 112 + 10 * piece, 10), u32::from(count));
            }
            assert_eq!(bits(&record, 182, 2), 0, "unused");
            let drawn = cells(&record);
            let piece = snapshot.piece.unwrap();
            for (dy, dx) in piece.cells() {
                let (row, column) = (snapshot.y + dy, snapshot.x + dx);
                let cell = if row < 0 { continue } else { row as usize * WIDTH + column as usize };
                assert_eq!(drawn[cell], colour(piece.tile()), "frame {frame}");
            }
        }
    }

    #[test]
    fn a_number_that_means_unknown_is_not_written_for_one_that_is_known() {
        let mut game = Game::new();
        let (_, mut snapshot) = game.step(Buttons::NONE).expect("a game runs");
        for (level, lines, count) in [(254, 4094, 1022), (255, 4095, 1023), (255, u16::MAX, u16::MAX)] {
            (snapshot.level, snapshot.lines, snapshot.statistics) = (level, lines, [count; 7]);
            let field = game.writer.field(&snapshot);
            let record = NgfRecord::of(&game.writer.bytes(&snapshot, &field), Version::Three);
            assert_eq!((record.level, record.lines, record.counts), (Some(254), Some(4094), [Some(1022); 7]));
        }
    }

    #[test]
    fn completed_rows_vanish_from_the_middle_outwards_before_the_rest_falls() {
        let mut game = Game::new();
        let mut widths = Vec::new();
        let mut completed = None;
        for _frame in 0..300 {
            let (record, snapshot) = game.step(Buttons::NONE).expect("a game runs");
            if snapshot.play_state == PlayState::Lock && completed.is_none() {
                // Fills the row about the piece that is about to lock.
                let row = snapshot.y as usize * WIDTH;
                completed = Some(row);
                let empty = (row..row + WIDTH).filter(|&cell| cells(&record)[cell] == 0);
                empty.for_each(|cell| game.console.poke((PLAYFIELD + cell) as u16, tile::WHITE));
                continue;
            }
            let drawn = cells(&record);
            let Some(row) = completed.map(|row| &drawn[row..row + WIDTH]) else { continue };
            match snapshot.play_state {
                PlayState::Lock | PlayState::RowCheck => assert!(row.iter().all(|&cell| cell != 0), "{row:?}"),
                PlayState::ClearAnimation => {
                    let width = row.iter().filter(|&&cell| cell == 0).count();
                    assert!(row[5 - width / 2..5 + width / 2].iter().all(|&cell| cell == 0), "{row:?}");
                    widths.push(width);
                }
                _ => break,
            }
        }
        widths.dedup();
        assert_eq!(widths, [0, 2, 4, 6, 8]);
    }

    #[test]
    fn menus_and_resets_have_no_record_and_games_are_numbered() {
        let decoder = Decoder::new(&RamMap::tetris_ntsc()).unwrap();
        let mut writer = NgfWriter::default();
        let mut numbers = Vec::new();
        for _game in 0..2 {
            let mut console = Simulation::power_on();
            for frame in 0..600 {
                let in_game = console.in_game();
                let buttons = if frame % 2 == 0 && !in_game { Buttons::START } else { Buttons::NONE };
                console.step(buttons);
                let snapshot = decoder.decode(console.ram()).unwrap();
                let record = writer.record(&PlayedStep::Frame {
                    buttons,
                    polled: console.polled(),
                    writes: &[],
                    snapshot: &snapshot,
                });
                numbers.extend(record.map(|record| record[2]));
            }
            assert!(writer.record(&PlayedStep::PowerCycle).is_none());
        }
        numbers.dedup();
        assert_eq!(numbers, [1, 2]);
    }
}
