//! RAM as typed values: decoded with a map, range-checked, impossible values refused.

use super::map::{Encoding, Error as MapError, RamMap};
use super::phase::{GameMode, Phase, PlayState};
use super::{RAM_SIZE, Ram};
use crate::game::control::FallingPiece;
use crate::game::{Orientation, Piece, Placement, Playfield, Position, ROWS, WIDTH};
use crate::gamepad::Buttons;

/// The tile of an empty playfield cell; every lower value is solid.
const EMPTY_TILE: u8 = 0xEF;
/// `rowY` after the last step of the clear animation.
const ANIMATION_STEPS: u8 = 5;

/// A value that the game cannot have put there: a wrong map, another program, or a bug.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("RAM ${address:04X} ({name}) holds ${found:02X}, expected {expected}")]
pub struct ImpossibleValue {
    /// Address of the byte.
    pub address: u16,
    /// Name of its entry in the map.
    pub name: &'static str,
    /// The byte.
    pub found: u8,
    /// What is possible.
    pub expected: &'static str,
}

/// Everything that a player and a watcher want to know of one frame.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RamSnapshot {
    /// Which screen or mode.
    pub game_mode: GameMode,
    /// Step inside the mode, `$A7`.
    pub game_mode_state: u8,
    /// What the interrupt draws, `$BD`.
    pub render_mode: u8,
    /// 0 = A-type, 1 = B-type.
    pub game_type: u8,
    /// Level menu: 0 = level, 1 = height is being chosen.
    pub selecting_height: u8,
    /// State of the play routine.
    pub play_state: PlayState,
    /// The falling piece; `None` while hidden.
    pub piece: Option<Orientation>,
    /// Column of its origin.
    pub x: i8,
    /// Row of its origin.
    pub y: i8,
    /// The piece in the next box.
    pub next: Option<Piece>,
    /// Is the next box switched off?
    pub next_hidden: bool,
    /// Level.
    pub level: u8,
    /// Chosen start level.
    pub start_level: u8,
    /// Lines cleared.
    pub lines: u16,
    /// Score as the game counts it, 0 to 999,999.
    pub score: u32,
    /// Frames since the last drop.
    pub fall_timer: u8,
    /// DAS counter.
    pub das: u8,
    /// Pushdown counter.
    pub autorepeat_y: u8,
    /// Rows of the present pushdown.
    pub pushdown: u8,
    /// Next row to be sent to the screen; `$20` = all sent.
    pub vram_row: u8,
    /// Rows completed by the present lock.
    pub completed_lines: u8,
    /// Step of the clear animation.
    pub row_y: u8,
    /// Row of the top-out curtain.
    pub curtain_row: u8,
    /// Random number, `$17` in the upper half.
    pub rng: u16,
    /// Orientation id of the last pick.
    pub spawn_id: u8,
    /// Picks since power-on, mod 256.
    pub spawn_count: u8,
    /// Interrupts since power-on.
    pub frame_counter: u16,
    /// Buttons newly pressed at the last poll.
    pub new_buttons: Buttons,
    /// Buttons down at the last poll.
    pub held_buttons: Buttons,
    /// Pieces that became current: T J Z O S L I.
    pub statistics: [u16; 7],
    /// Occupied cells, hidden rows -1 and -2 included.
    pub playfield: Playfield,
    /// The tiles of the 200 visible cells, row by row.
    pub tiles: [u8; ROWS * WIDTH],
}

impl RamSnapshot {
    /// What the game is doing.
    pub fn phase(&self) -> Phase {
        Phase::of(self)
    }

    /// What a player looks at; `None` while the falling or the next piece is hidden.
    pub fn position(&self) -> Option<Position> {
        Some(Position {
            playfield: self.playfield,
            piece: self.piece?.piece(),
            next: self.next?,
            level: self.level,
            lines: self.lines,
            score: self.score,
        })
    }

    /// The falling piece with its counters, `None` while hidden.
    pub fn falling_piece(&self) -> Option<FallingPiece> {
        Some(FallingPiece {
            orientation: self.piece?,
            x: self.x,
            y: self.y,
            fall_timer: self.fall_timer,
            das: self.das,
            autorepeat_y: self.autorepeat_y,
            pushdown: self.pushdown,
        })
    }
}

/// The addresses of a map, resolved once, so that decoding a frame is cheap.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decoder {
    game_mode: usize,
    game_mode_state: usize,
    render_mode: usize,
    game_type: usize,
    selecting_height: usize,
    play_state: usize,
    piece: usize,
    x: usize,
    y: usize,
    next: usize,
    hide_next: usize,
    level: usize,
    start_level: usize,
    lines: usize,
    score: usize,
    fall_timer: usize,
    das: usize,
    autorepeat_y: usize,
    pushdown: usize,
    vram_row: usize,
    completed_lines: usize,
    row_y: usize,
    curtain_row: usize,
    rng: usize,
    spawn_id: usize,
    spawn_count: usize,
    frame_counter: usize,
    new_buttons: usize,
    held_buttons: usize,
    statistics: usize,
    playfield: usize,
    above: usize,
}

impl Decoder {
    /// Resolves the entries that a snapshot needs.
    ///
    /// # Errors
    /// When one is missing or has another size or encoding.
    pub fn new(map: &RamMap) -> Result<Decoder, MapError> {
        let byte = |name| map.require(name, Encoding::U8, 1);
        let buttons = |name| map.require(name, Encoding::Buttons, 1);
        Ok(Decoder {
            game_mode: byte("gameMode")?,
            game_mode_state: byte("gameModeState")?,
            render_mode: byte("renderMode")?,
            game_type: byte("gameType")?,
            selecting_height: byte("selectingHeight")?,
            play_state: byte("playState")?,
            piece: map.require("currentPiece", Encoding::Orientation, 1)?,
            x: byte("tetriminoX")?,
            y: byte("tetriminoY")?,
            next: map.require("nextPiece", Encoding::Orientation, 1)?,
            hide_next: byte("hideNext")?,
            level: byte("levelNumber")?,
            start_level: byte("startLevel")?,
            lines: map.require("lines", Encoding::BcdHundreds, 2)?,
            score: map.require("score", Encoding::Bcd, 3)?,
            fall_timer: byte("fallTimer")?,
            das: byte("autorepeatX")?,
            autorepeat_y: byte("autorepeatY")?,
            pushdown: byte("holdDownPoints")?,
            vram_row: byte("vramRow")?,
            completed_lines: byte("completedLines")?,
            row_y: byte("rowY")?,
            curtain_row: byte("curtainRow")?,
            rng: map.require("rng", Encoding::Bytes, 2)?,
            spawn_id: byte("spawnID")?,
            spawn_count: byte("spawnCount")?,
            frame_counter: map.require("frameCounter", Encoding::U16, 2)?,
            new_buttons: buttons("newButtons")?,
            held_buttons: buttons("heldButtons")?,
            statistics: map.require("statistics", Encoding::Counts, 14)?,
            playfield: map.require("playfield", Encoding::Tiles, (ROWS * WIDTH) as u16)?,
            above: map.require("abovePlayfield", Encoding::Tiles, 2 * WIDTH as u16)?,
        })
    }

    /// Decodes and checks one sample.
    ///
    /// # Errors
    /// The first byte that the game cannot have put there.
    pub fn decode(&self, ram: &Ram) -> Result<RamSnapshot, ImpossibleValue> {
        let check = Checked { ram };
        let game_mode = GameMode::from_byte(ram[self.game_mode])
            .ok_or_else(|| check.impossible(self.game_mode, "gameMode", "0 to 6"))?;
        let play_state = PlayState::from_byte(ram[self.play_state])
            .ok_or_else(|| check.impossible(self.play_state, "playState", "0 to 10"))?;
        let snapshot = RamSnapshot {
            game_mode,
            game_mode_state: check.up_to(self.game_mode_state, 8, "gameModeState", "0 to 8")?,
            render_mode: check.up_to(self.render_mode, 4, "renderMode", "0 to 4")?,
            game_type: check.up_to(self.game_type, 1, "gameType", "0 or 1")?,
            selecting_height: ram[self.selecting_height],
            play_state,
            piece: self.orientation(&check, self.piece, "currentPiece")?,
            x: check.up_to(self.x, WIDTH as u8 - 1, "tetriminoX", "0 to 9")? as i8,
            y: check.up_to(self.y, ROWS as u8 - 1, "tetriminoY", "0 to 19")? as i8,
            next: self.orientation(&check, self.next, "nextPiece")?.map(Orientation::piece),
            next_hidden: check.up_to(self.hide_next, 1, "hideNext", "0 or 1")? == 1,
            level: ram[self.level],
            start_level: check.up_to(self.start_level, 19, "startLevel", "0 to 19")?,
            lines: check.digits(self.lines, "lines")? as u16 + 100 * u16::from(ram[self.lines + 1]),
            score: self.score(&check)?,
            fall_timer: ram[self.fall_timer],
            das: check.up_to(self.das, 16, "autorepeatX", "0 to 16")?,
            autorepeat_y: ram[self.autorepeat_y],
            pushdown: ram[self.pushdown],
            vram_row: check.up_to(self.vram_row, 0x20, "vramRow", "0 to 19 or $20")?,
            completed_lines: check.up_to(self.completed_lines, 4, "completedLines", "0 to 4")?,
            row_y: check.up_to(self.row_y, 5, "rowY", "0 to 5")?,
            curtain_row: ram[self.curtain_row],
            rng: u16::from_be_bytes([ram[self.rng], ram[self.rng + 1]]),
            spawn_id: ram[self.spawn_id],
            spawn_count: ram[self.spawn_count],
            frame_counter: u16::from_le_bytes([ram[self.frame_counter], ram[self.frame_counter + 1]]),
            new_buttons: Buttons::from_bits(ram[self.new_buttons]),
            held_buttons: Buttons::from_bits(ram[self.held_buttons]),
            statistics: std::array::from_fn(|piece| self.count(ram, piece)),
            playfield: self.occupied(ram),
            tiles: std::array::from_fn(|cell| ram[self.playfield + cell]),
        };
        if snapshot.phase() == Phase::Falling && snapshot.game_type == 0 {
            self.check_falling(&check, &snapshot)?;
        }
        Ok(snapshot)
    }

    /// In an A-type game under control there is a piece, a next piece, and nothing but block
    /// tiles in the playfield.
    fn check_falling(&self, check: &Checked<'_>, snapshot: &RamSnapshot) -> Result<(), ImpossibleValue> {
        if snapshot.piece.is_none() {
            return Err(check.impossible(self.piece, "currentPiece", "$00 to $12 while a piece falls"));
        }
        let next = check.ram[self.next];
        if !Piece::ALL.iter().any(|piece| piece.spawn().id() == next) {
            return Err(check.impossible(self.next, "nextPiece", "a spawn orientation: 02 07 08 0A 0B 0E 12"));
        }
        match snapshot.tiles.iter().position(|tile| !matches!(tile, 0x7B..=0x7D | &EMPTY_TILE)) {
            Some(cell) => Err(check.impossible(self.playfield + cell, "playfield", "$7B, $7C, $7D or $EF")),
            None => Ok(()),
        }
    }

    /// The bytes that put the falling piece somewhere: orientation, column, row and fall timer,
    /// each with its address. Honest play writes none.
    pub fn piece_bytes(&self, place: Placement, fall_timer: u8) -> [(u16, u8); 4] {
        [
            (self.piece as u16, place.orientation.id()),
            (self.x as u16, place.x as u8),
            (self.y as u16, place.y as u8),
            (self.fall_timer as u16, fall_timer),
        ]
    }

    /// The bytes of a clear animation that has just ended, each with its address.
    pub fn animated_bytes(&self) -> [(u16, u8); 2] {
        [(self.row_y as u16, ANIMATION_STEPS), (self.play_state as u16, PlayState::Score.byte())]
    }

    fn orientation(
        &self,
        check: &Checked<'_>,
        address: usize,
        name: &'static str,
    ) -> Result<Option<Orientation>, ImpossibleValue> {
        let id = check.up_to(address, Orientation::HIDDEN_ID, name, "an orientation, $00 to $13")?;
        Ok(Orientation::from_id(id))
    }

    fn score(&self, check: &Checked<'_>) -> Result<u32, ImpossibleValue> {
        (0..3).rev().try_fold(0, |score, byte| Ok(score * 100 + check.digits(self.score + byte, "score")?))
    }

    /// A statistics counter: BCD tens and ones, then binary hundreds.
    fn count(&self, ram: &Ram, piece: usize) -> u16 {
        let [low, hundreds] = [0, 1].map(|byte| u16::from(ram[self.statistics + 2 * piece + byte]));
        100 * hundreds + 10 * (low >> 4) + (low & 0x0F)
    }

    fn occupied(&self, ram: &Ram) -> Playfield {
        let row_at = |start: usize| {
            let cells = ram[start..start + WIDTH].iter().enumerate();
            cells.fold(0, |row, (column, &tile)| row | u16::from(tile < EMPTY_TILE) << column)
        };
        let mut playfield = Playfield::from_rows(std::array::from_fn(|row| row_at(self.playfield + row * WIDTH)));
        playfield.set_row(-2, row_at(self.above));
        playfield.set_row(-1, row_at(self.above + WIDTH));
        playfield
    }
}

/// RAM with the checks that need nothing but the byte.
struct Checked<'a> {
    ram: &'a [u8; RAM_SIZE],
}

impl Checked<'_> {
    fn impossible(&self, address: usize, name: &'static str, expected: &'static str) -> ImpossibleValue {
        ImpossibleValue { address: address as u16, name, found: self.ram[address], expected }
    }

    fn up_to(
        &self,
        address: usize,
        most: u8,
        name: &'static str,
        expected: &'static str,
    ) -> Result<u8, ImpossibleValue> {
        let value = self.ram[address];
        if value <= most { Ok(value) } else { Err(self.impossible(address, name, expected)) }
    }

    fn digits(&self, address: usize, name: &'static str) -> Result<u32, ImpossibleValue> {
        let (tens, ones) = (u32::from(self.ram[address] >> 4), u32::from(self.ram[address] & 0x0F));
        if tens <= 9 && ones <= 9 {
            Ok(10 * tens + ones)
        } else {
            Err(self.impossible(address, name, "two decimal digits"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decode(change: impl Fn(&mut Ram)) -> Result<RamSnapshot, ImpossibleValue> {
        let mut ram = [0; RAM_SIZE];
        ram[0x0400..0x0500].fill(EMPTY_TILE);
        ram[0xC0] = 4;
        ram[0xA7] = 2;
        ram[0xBD] = 3;
        ram[0x68] = 1;
        ram[0xBF] = 0x0A;
        change(&mut ram);
        Decoder::new(&RamMap::tetris_ntsc()).expect("default map").decode(&ram)
    }

    #[test]
    fn numbers_are_read_in_their_encodings() {
        let snapshot = decode(|ram| {
            ram[0x73..0x76].copy_from_slice(&[0x56, 0x34, 0x12]);
            ram[0x70..0x72].copy_from_slice(&[0x29, 0x0A]);
            ram[0x03F2..0x03F4].copy_from_slice(&[0x17, 0x02]);
            ram[0x17..0x19].copy_from_slice(&[0x89, 0x88]);
            ram[0xB1..0xB3].copy_from_slice(&[0x34, 0x12]);
        })
        .expect("possible values");
        assert_eq!((snapshot.score, snapshot.lines), (123_456, 1029));
        assert_eq!(snapshot.statistics, [0, 217, 0, 0, 0, 0, 0]);
        assert_eq!((snapshot.rng, snapshot.frame_counter), (0x8988, 0x1234));
        assert_eq!(snapshot.next, Some(Piece::O));
        assert_eq!(snapshot.phase(), Phase::Falling);
    }

    #[test]
    fn the_playfield_includes_the_rows_above_the_top() {
        let snapshot = decode(|ram| {
            ram[0x0400 + 199] = 0x7B;
            ram[0x04FF] = 0x7C;
            ram[0x04EC] = 0x7D;
        })
        .expect("possible values");
        assert!(snapshot.playfield.occupied(19, 9));
        assert!(snapshot.playfield.occupied(-1, 9));
        assert!(snapshot.playfield.occupied(-2, 0));
        assert_eq!(snapshot.playfield.cell_count(), 1);
    }

    #[test]
    fn an_impossible_value_names_its_address_and_byte() {
        let cases: [(u16, u8, &str); 8] = [
            (0x60, 10, "tetriminoX"),
            (0x61, 20, "tetriminoY"),
            (0x62, 0x14, "currentPiece"),
            (0x68, 11, "playState"),
            (0x73, 0x0A, "score"),
            (0xBF, 0x03, "nextPiece"),
            (0xC0, 7, "gameMode"),
            (0x0405, 0x00, "playfield"),
        ];
        for (address, byte, name) in cases {
            let error = decode(|ram| ram[address as usize] = byte).expect_err(name);
            assert_eq!((error.address, error.found, error.name), (address, byte, name));
            assert!(error.to_string().contains(&format!("${address:04X} ({name}) holds ${byte:02X}")));
        }
    }
}
