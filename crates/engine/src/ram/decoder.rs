//! Decodes RAM with a map: ranges are checked, impossible values refused.

use super::map::{Encoding, Error as MapError, RamMap};
use super::phase::Phase;
use super::snapshot::RamSnapshot;
use crate::game::memory::address::{COUNT_SIZE, SCORE_SIZE, STATISTICS_SIZE, name};
use crate::game::memory::{
    ALL_ROWS_SENT, ANIMATION_STEPS, GameMode, GameModeState, GameType, PlayState, RAM_SIZE, Ram, RenderMode, tile,
};
use crate::game::timing::DAS_FULL;
use crate::game::{HIDDEN_ROWS, HIGHEST_START_LEVEL, Orientation, Piece, Placement, Playfield, ROWS, WIDTH};
use crate::gamepad::Buttons;

/// A value that the game does not write there. The map is wrong, the program is another one, or
/// there is a bug.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("RAM ${address:04X} ({name}) holds ${found:02X}, expected {expected}")]
pub struct ImpossibleValue {
    /// Address of the byte.
    pub address: u16,
    /// Name of its entry in the map.
    pub name: &'static str,
    /// The byte.
    pub found: u8,
    /// The possible values.
    pub expected: &'static str,
}

/// The addresses of a map, resolved once, so that decoding a frame is cheap.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decoder {
    game_mode: usize,
    game_mode_state: usize,
    render_mode: usize,
    game_type: usize,
    selecting_height: Option<usize>,
    play_state: usize,
    piece: usize,
    x: usize,
    y: usize,
    next: usize,
    hide_next: Option<usize>,
    level: usize,
    start_level: usize,
    lines: usize,
    score: usize,
    fall_timer: usize,
    das: usize,
    autorepeat_y: usize,
    pushdown: usize,
    vram_row: Option<usize>,
    completed_lines: Option<usize>,
    row_y: usize,
    curtain_row: Option<usize>,
    rng: Option<usize>,
    spawn_id: Option<usize>,
    spawn_count: Option<usize>,
    frame_counter: Option<usize>,
    new_buttons: Option<usize>,
    held_buttons: usize,
    statistics: Option<usize>,
    playfield: usize,
    above: usize,
    /// Entries that a snapshot shows, which the map lacks.
    missing: Vec<&'static str>,
}

impl Decoder {
    /// Does it have the addresses of the original?
    pub fn is_of_the_original(&self) -> bool {
        Decoder::new(&RamMap::tetris_ntsc()).is_ok_and(|original| original == *self)
    }

    /// Does it show the whole state of the piece generator?
    pub fn shows_generator(&self) -> bool {
        self.rng.is_some() && self.spawn_count.is_some() && self.frame_counter.is_some()
    }

    /// Resolves the entries that a snapshot shows.
    ///
    /// # Errors
    /// When one has another size or encoding, or one is missing without which nobody can play. The
    /// others are named by [`Decoder::missing`].
    pub fn new(map: &RamMap) -> Result<Decoder, MapError> {
        let byte = |name| map.require(name, Encoding::U8, 1);
        let buttons = |name| map.require(name, Encoding::Buttons, 1);
        let mut missing = Vec::new();
        let mut if_there = |name, encoding, size| {
            let address = map.entry(name).map(|_| map.require(name, encoding, size)).transpose()?;
            if address.is_none() {
                missing.push(name);
            }
            Ok::<_, MapError>(address)
        };
        Ok(Decoder {
            game_mode: byte(name::GAME_MODE)?,
            game_mode_state: byte(name::GAME_MODE_STATE)?,
            render_mode: byte(name::RENDER_MODE)?,
            game_type: byte(name::GAME_TYPE)?,
            selecting_height: if_there(name::SELECTING_HEIGHT, Encoding::U8, 1)?,
            play_state: byte(name::PLAY_STATE)?,
            piece: map.require(name::CURRENT_PIECE, Encoding::Orientation, 1)?,
            x: byte(name::TETRIMINO_X)?,
            y: byte(name::TETRIMINO_Y)?,
            next: map.require(name::NEXT_PIECE, Encoding::Orientation, 1)?,
            hide_next: if_there(name::HIDE_NEXT, Encoding::U8, 1)?,
            level: byte(name::LEVEL_NUMBER)?,
            start_level: byte(name::START_LEVEL)?,
            lines: map.require(name::LINES, Encoding::BcdHundreds, 2)?,
            score: map.require(name::SCORE, Encoding::Bcd, SCORE_SIZE as u16)?,
            fall_timer: byte(name::FALL_TIMER)?,
            das: byte(name::AUTOREPEAT_X)?,
            autorepeat_y: byte(name::AUTOREPEAT_Y)?,
            pushdown: byte(name::HOLD_DOWN_POINTS)?,
            vram_row: if_there(name::VRAM_ROW, Encoding::U8, 1)?,
            completed_lines: if_there(name::COMPLETED_LINES, Encoding::U8, 1)?,
            row_y: byte(name::ROW_Y)?,
            curtain_row: if_there(name::CURTAIN_ROW, Encoding::U8, 1)?,
            rng: if_there(name::RNG, Encoding::Bytes, 2)?,
            spawn_id: if_there(name::SPAWN_ID, Encoding::U8, 1)?,
            spawn_count: if_there(name::SPAWN_COUNT, Encoding::U8, 1)?,
            frame_counter: if_there(name::FRAME_COUNTER, Encoding::U16, 2)?,
            new_buttons: if_there(name::NEW_BUTTONS, Encoding::Buttons, 1)?,
            held_buttons: buttons(name::HELD_BUTTONS)?,
            statistics: if_there(name::STATISTICS, Encoding::Counts, STATISTICS_SIZE as u16)?,
            playfield: map.require(name::PLAYFIELD, Encoding::Tiles, (ROWS * WIDTH) as u16)?,
            above: map.require(name::ABOVE_PLAYFIELD, Encoding::Tiles, (HIDDEN_ROWS * WIDTH) as u16)?,
            missing,
        })
    }

    /// Entries that the map lacks and that playing does not need. A snapshot shows 0 for them.
    pub fn missing(&self) -> &[&'static str] {
        &self.missing
    }

    /// Decodes and checks one sample.
    ///
    /// # Errors
    /// The first byte that the game cannot have put there.
    pub fn decode(&self, ram: &Ram) -> Result<RamSnapshot, ImpossibleValue> {
        let check = Checked { ram };
        let game_mode = check.one_of(self.game_mode, GameMode::from_byte, name::GAME_MODE, "0 to 6")?;
        let play_state = check.one_of(self.play_state, PlayState::from_byte, name::PLAY_STATE, "0 to 10")?;
        let state = check.one_of(self.game_mode_state, GameModeState::from_byte, name::GAME_MODE_STATE, "0 to 8")?;
        let snapshot = RamSnapshot {
            game_mode,
            game_mode_state: state,
            render_mode: check.one_of(self.render_mode, RenderMode::from_byte, name::RENDER_MODE, "0 to 4")?,
            game_type: check.one_of(self.game_type, GameType::from_byte, name::GAME_TYPE, "0 or 1")?,
            selecting_height: byte_or_0(ram, self.selecting_height),
            play_state,
            piece: self.orientation(&check, self.piece, name::CURRENT_PIECE)?,
            x: check.up_to(self.x, WIDTH as u8 - 1, name::TETRIMINO_X, "0 to 9")? as i8,
            y: check.up_to(self.y, ROWS as u8 - 1, name::TETRIMINO_Y, "0 to 19")? as i8,
            next: self.orientation(&check, self.next, name::NEXT_PIECE)?.map(Orientation::piece),
            next_hidden: check.if_there(self.hide_next, 1, name::HIDE_NEXT, "0 or 1")? == 1,
            level: ram[self.level],
            start_level: check.up_to(self.start_level, HIGHEST_START_LEVEL, name::START_LEVEL, "0 to 19")?,
            lines: check.digits(self.lines, name::LINES)? as u16 + 100 * u16::from(ram[self.lines + 1]),
            score: self.score(&check)?,
            fall_timer: ram[self.fall_timer],
            das: check.up_to(self.das, DAS_FULL, name::AUTOREPEAT_X, "0 to 16")?,
            autorepeat_y: ram[self.autorepeat_y],
            pushdown: ram[self.pushdown],
            vram_row: check.if_there(self.vram_row, ALL_ROWS_SENT, name::VRAM_ROW, "0 to 19 or $20")?,
            completed_lines: check.if_there(self.completed_lines, 4, name::COMPLETED_LINES, "0 to 4")?,
            row_y: check.up_to(self.row_y, ANIMATION_STEPS, name::ROW_Y, "0 to 5")?,
            curtain_row: byte_or_0(ram, self.curtain_row),
            rng: u16::from_be_bytes(two_or_0(ram, self.rng)),
            spawn_id: byte_or_0(ram, self.spawn_id),
            spawn_count: byte_or_0(ram, self.spawn_count),
            frame_counter: u16::from_le_bytes(two_or_0(ram, self.frame_counter)),
            new_buttons: Buttons::from_bits(byte_or_0(ram, self.new_buttons)),
            held_buttons: Buttons::from_bits(ram[self.held_buttons]),
            statistics: self
                .statistics
                .map_or([0; Piece::COUNT], |at| std::array::from_fn(|piece| count(ram, at + COUNT_SIZE * piece))),
            playfield: self.occupied(ram),
            tiles: std::array::from_fn(|cell| ram[self.playfield + cell]),
        };
        if snapshot.phase() == Phase::Falling && snapshot.game_type == GameType::A {
            self.check_falling(&check, &snapshot)?;
        }
        Ok(snapshot)
    }

    /// While a piece falls in an A-type game there is a piece, a next piece, and only blocks in the
    /// playfield.
    fn check_falling(&self, check: &Checked<'_>, snapshot: &RamSnapshot) -> Result<(), ImpossibleValue> {
        if snapshot.piece.is_none() {
            return Err(check.impossible(self.piece, name::CURRENT_PIECE, "$00 to $12 while a piece falls"));
        }
        let next = check.ram[self.next];
        if !Piece::ALL.iter().any(|piece| piece.spawn().id() == next) {
            return Err(check.impossible(self.next, name::NEXT_PIECE, "a spawn orientation: 02 07 08 0A 0B 0E 12"));
        }
        match snapshot.tiles.iter().position(|&tile| !tile::is_block(tile) && tile != tile::EMPTY) {
            Some(cell) => Err(check.impossible(self.playfield + cell, name::PLAYFIELD, "$7B, $7C, $7D or $EF")),
            None => Ok(()),
        }
    }

    /// The bytes to write, each with its address, that move the falling piece: orientation, column,
    /// row and fall timer. Only the play modes that write RAM use them.
    pub fn piece_bytes(&self, place: Placement, fall_timer: u8) -> [(u16, u8); 4] {
        [
            (self.piece as u16, place.orientation.id()),
            (self.x as u16, place.x as u8),
            (self.y as u16, place.y as u8),
            (self.fall_timer as u16, fall_timer),
        ]
    }

    /// The bytes to write, each with its address, that end a clear animation. Only the play modes
    /// that write RAM use them.
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
        (0..SCORE_SIZE).rev().try_fold(0, |score, byte| Ok(score * 100 + check.digits(self.score + byte, name::SCORE)?))
    }

    fn occupied(&self, ram: &Ram) -> Playfield {
        let row_at = |start: usize| {
            let cells = ram[start..start + WIDTH].iter().enumerate();
            cells.fold(0, |row, (column, &tile)| row | u16::from(tile::is_solid(tile)) << column)
        };
        let mut playfield = Playfield::from_rows(std::array::from_fn(|row| row_at(self.playfield + row * WIDTH)));
        playfield.set_row(-2, row_at(self.above));
        playfield.set_row(-1, row_at(self.above + WIDTH));
        playfield
    }
}

/// The byte of an entry that the map may lack.
fn byte_or_0(ram: &Ram, address: Option<usize>) -> u8 {
    address.map_or(0, |address| ram[address])
}

/// The two bytes of an entry that the map may lack.
fn two_or_0(ram: &Ram, address: Option<usize>) -> [u8; 2] {
    address.map_or([0; 2], |address| [ram[address], ram[address + 1]])
}

/// A statistics counter: BCD tens and ones, then binary hundreds.
fn count(ram: &Ram, address: usize) -> u16 {
    let [low, hundreds] = [u16::from(ram[address]), u16::from(ram[address + 1])];
    100 * hundreds + 10 * (low >> 4) + (low & 0x0F)
}

/// RAM with the checks of single bytes.
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

    /// [`Checked::up_to`] for an entry that the map may lack.
    fn if_there(
        &self,
        address: Option<usize>,
        most: u8,
        name: &'static str,
        expected: &'static str,
    ) -> Result<u8, ImpossibleValue> {
        address.map_or(Ok(0), |address| self.up_to(address, most, name, expected))
    }

    fn one_of<T>(
        &self,
        address: usize,
        value_of: impl Fn(u8) -> Option<T>,
        name: &'static str,
        expected: &'static str,
    ) -> Result<T, ImpossibleValue> {
        value_of(self.ram[address]).ok_or_else(|| self.impossible(address, name, expected))
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
    use crate::ram::sample;

    fn decode(change: impl Fn(&mut Ram)) -> Result<RamSnapshot, ImpossibleValue> {
        Decoder::new(&RamMap::tetris_ntsc()).expect("default map").decode(&sample::ram(change))
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

    #[test]
    fn a_map_may_lack_what_playing_does_not_need_and_nothing_else() {
        let ram = [0xFF; RAM_SIZE];
        let whole = RamMap::tetris_ntsc();
        let mut needed = Vec::new();
        let mut shown_as_0 = Vec::new();
        for entry in whole.entries() {
            let map = whole.relocated("part", |it| (it.name != entry.name).then_some(it.address));
            match Decoder::new(&map) {
                Ok(decoder) => shown_as_0.extend(decoder.missing().to_vec()),
                Err(error) => {
                    assert!(error.to_string().contains(&format!("\"{}\" is missing", entry.name)), "{error}");
                    needed.push(entry.name.as_str());
                }
            }
        }
        assert_eq!(needed.len(), 21, "{needed:?}");
        assert_eq!(shown_as_0.len(), 11, "{shown_as_0:?}");
        let map = whole.relocated("part", |it| needed.contains(&it.name.as_str()).then_some(it.address));
        let decoder = Decoder::new(&map).expect("enough to play");
        let mut missing = decoder.missing().to_vec();
        missing.sort_unstable();
        shown_as_0.sort_unstable();
        assert_eq!(missing, shown_as_0);
        assert!(decoder.decode(&ram).is_err(), "the values that are there are still checked");
        let snapshot = decoder.decode(&[0; RAM_SIZE]).expect("possible values");
        assert_eq!((snapshot.rng, snapshot.statistics), (0, [0; Piece::COUNT]));
    }
}
