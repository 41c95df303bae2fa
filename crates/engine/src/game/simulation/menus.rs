//! Power-on, legal screen, title, game type, level menu, and the way into the demo.

use super::model::Simulation;
use super::scope;
use super::task::{Screen, Task};
use crate::game::HIGHEST_START_HEIGHT;
use crate::game::memory::address::{
    ACTIVE_PLAYER, DROP_SPEED, FRAME_COUNTER, GAME_TYPE, GARBAGE_HOLE, GENERAL_COUNTER, HIGH_SCORE_LEVELS,
    HIGH_SCORE_NAMES, HIGH_SCORE_PLACES, HIGH_SCORES, MUSIC_TYPE, NAME_SIZE, NUMBER_OF_PLAYERS, PAGE, PLAY_NEW_BUTTONS,
    PLAYER, PLAYER_2, PLAYFIELD, RNG, SCORE_SIZE, SELECTING_HEIGHT, SELECTOR, SLEEP_COUNTER, START_HEIGHT, START_LEVEL,
    WARM_MARK, WARM_MARK_SIZE, WORKING_COPY,
};
use crate::game::memory::tile::EMPTY;
use crate::game::memory::{GameMode, GameModeState, GameType, PlayState};
use crate::game::playfield::WIDTH;
use crate::game::randomizer::Randomizer;
use crate::gamepad::Buttons;

/// The high-score table of a cold start, `$0700-$074F`: names, scores, levels. Letters count
/// from 1 for A; `$2B` is a blank.
const DEFAULT_NAMES: [(usize, [u8; NAME_SIZE]); 6] = [
    (0, [0x08, 0x0F, 0x17, 0x01, 0x12, 0x04]),
    (1, [0x0F, 0x14, 0x01, 0x13, 0x01, 0x0E]),
    (2, [0x0C, 0x01, 0x0E, 0x03, 0x05, 0x2B]),
    (4, [0x01, 0x0C, 0x05, 0x18, 0x2B, 0x2B]),
    (5, [0x14, 0x0F, 0x0E, 0x19, 0x2B, 0x2B]),
    (6, [0x0E, 0x09, 0x0E, 0x14, 0x05, 0x0E]),
];
const DEFAULT_SCORES: [[u8; SCORE_SIZE]; HIGH_SCORE_PLACES] =
    [[1, 0, 0], [0, 0x75, 0], [0, 0x50, 0], [0; 3], [0, 0x20, 0], [0, 0x10, 0], [0, 0x05, 0], [0; 3]];
const DEFAULT_LEVELS: [u8; HIGH_SCORE_PLACES] = [9, 5, 0, 0, 9, 5, 0, 0];
/// What [`WARM_MARK`] holds once the high scores are set up.
const WARM_BYTES: [u8; WARM_MARK_SIZE] = [0x12, 0x34, 0x56, 0x78, 0x9A];

/// A byte that the program sets once.
const CONSTANT: usize = 0x34;
/// What it holds.
const CONSTANT_VALUE: u8 = 0x0E;
/// The legal screen is entered seven frames after power-on, as after a reset combination.
pub(super) const BOOT_FRAMES: u8 = 7;
/// Levels that the level menu shows; A with Start adds this number.
const MENU_LEVELS: u8 = 10;
/// `musicType` of no music.
const MUSIC_OFF: u8 = 3;
/// Frames that the legal screen sleeps.
const LEGAL_SLEEP: u8 = 255;
/// High byte of the frame counter at which the title gives way to the demo.
const DEMO_TIME: u8 = 5;

// The CPU's A register when a screen's routine returns (see `go_to`): the number of the sound
// effect after a choice, the zero that went to the frame counter on the way back to the title, the
// number of the screen itself after a game.
const REGISTER_AFTER_CHOICE: u8 = 2;
const REGISTER_BACK_TO_TITLE: u8 = 0;
const REGISTER_AFTER_GAME: u8 = 3;

/// A register value that never equals `gameModeState`: the next screen is entered at once.
const NO_MATCH: u8 = 0xFF;

impl Simulation {
    pub(super) fn boot(&mut self, frame: u8) {
        match frame {
            2 => self.clear_ram(),
            4 => self.ram[PLAYFIELD..PLAYFIELD + 2 * PAGE].fill(EMPTY),
            _ => {}
        }
        if frame == BOOT_FRAMES {
            self.ram[NUMBER_OF_PLAYERS] = 1;
            self.ram[CONSTANT] = CONSTANT_VALUE;
            self.enter(Screen::Legal);
        } else {
            self.task = Task::PowerOn { frame: frame + 1 };
        }
    }

    /// Clears pages 0 to 6 and sets the seed; the high scores on page 7 survive a warm start.
    pub(super) fn clear_ram(&mut self) {
        self.ram[..HIGH_SCORE_NAMES].fill(0);
        if self.ram[WARM_MARK..WARM_MARK + WARM_MARK_SIZE] != WARM_BYTES {
            self.ram[HIGH_SCORE_NAMES..WARM_MARK].fill(0);
            for (place, name) in DEFAULT_NAMES {
                self.ram[HIGH_SCORE_NAMES + NAME_SIZE * place..][..NAME_SIZE].copy_from_slice(&name);
            }
            self.ram[HIGH_SCORES..HIGH_SCORE_LEVELS].copy_from_slice(DEFAULT_SCORES.as_flattened());
            self.ram[HIGH_SCORE_LEVELS..WARM_MARK].copy_from_slice(&DEFAULT_LEVELS);
            self.ram[WARM_MARK..WARM_MARK + WARM_MARK_SIZE].copy_from_slice(&WARM_BYTES);
        }
        [self.ram[RNG], self.ram[RNG + 1]] = Randomizer::SEED.to_bytes();
    }

    pub(super) fn start_legal_sleep(&mut self) {
        self.ram[SLEEP_COUNTER] = LEGAL_SLEEP;
        self.task = Task::LegalSleep;
    }

    pub(super) fn legal_sleep(&mut self) {
        if self.ram[SLEEP_COUNTER] == 0 {
            self.ram[GENERAL_COUNTER] = 0;
            self.task = Task::Menu(Screen::Legal);
            self.legal();
        }
    }

    /// Start leads to the next screen, and so do 255 frames without it.
    pub(super) fn legal(&mut self) {
        self.ram[GENERAL_COUNTER] = self.ram[GENERAL_COUNTER].wrapping_sub(1);
        if self.pressed() == Buttons::START || self.ram[GENERAL_COUNTER] == 0 {
            self.set_game_mode(GameMode::Title);
            self.go_to(Screen::Title, NO_MATCH);
        }
    }

    /// The title is drawn; the time until the demo counts from here.
    pub(super) fn finish_title(&mut self) {
        self.ram[FRAME_COUNTER + 1] = 0;
    }

    pub(super) fn title(&mut self) {
        if self.pressed() == Buttons::START {
            self.set_game_mode(GameMode::GameType);
            self.go_to(Screen::GameType, REGISTER_AFTER_CHOICE);
        } else if self.ram[FRAME_COUNTER + 1] == DEMO_TIME {
            self.set_game_mode(GameMode::Demo);
            self.ram[GAME_TYPE] = GameType::A.byte();
            self.ram[START_LEVEL] = 0;
            self.set_play_state(PlayState::Leaving);
            self.set_game_mode_state(GameModeState::Draw);
            self.leave_scope(scope::DEMO);
            self.enter(Screen::Game);
        }
    }

    pub(super) fn game_type(&mut self) {
        match self.pressed() {
            Buttons::RIGHT => self.ram[GAME_TYPE] = GameType::B.byte(),
            Buttons::LEFT => self.ram[GAME_TYPE] = GameType::A.byte(),
            Buttons::DOWN => self.ram[MUSIC_TYPE] = self.ram[MUSIC_TYPE].saturating_add(1).min(MUSIC_OFF),
            Buttons::UP => self.ram[MUSIC_TYPE] = self.ram[MUSIC_TYPE].saturating_sub(1),
            Buttons::START => {
                self.set_game_mode(GameMode::LevelMenu);
                self.go_to(Screen::LevelMenu, REGISTER_AFTER_CHOICE);
            }
            Buttons::B => {
                self.ram[FRAME_COUNTER + 1] = 0;
                self.set_game_mode(GameMode::Title);
                self.go_to(Screen::Title, REGISTER_BACK_TO_TITLE);
            }
            _ => {}
        }
    }

    pub(super) fn open_level_menu(&mut self) {
        self.ram[START_LEVEL] %= MENU_LEVELS;
        self.ram[SELECTING_HEIGHT] = 0;
        self.ram[DROP_SPEED] = 0;
    }

    pub(super) fn level_menu(&mut self) {
        const A_AND_START: Buttons = Buttons::A.with(Buttons::START);
        let pressed = self.pressed();
        self.ram[PLAY_NEW_BUTTONS] = pressed.bits();
        self.ram[ACTIVE_PLAYER] = 0;
        self.ram[SELECTOR] = self.ram[SELECTING_HEIGHT];
        self.move_cursor(pressed);
        self.ram[SELECTING_HEIGHT] = self.ram[SELECTOR];
        // The working copy gets the cursor only, without the ten levels of A and Start.
        for chosen in [START_LEVEL, START_HEIGHT] {
            self.ram[WORKING_COPY + chosen - PLAYER] = self.ram[chosen];
        }
        if pressed == Buttons::START {
            if self.held() == A_AND_START {
                self.ram[START_LEVEL] = self.ram[START_LEVEL].wrapping_add(MENU_LEVELS);
            }
            self.set_game_mode_state(GameModeState::Draw);
            self.set_game_mode(GameMode::Play);
            self.enter(Screen::Game);
        } else if pressed == Buttons::B {
            self.set_game_mode(GameMode::GameType);
            self.go_to(Screen::GameType, REGISTER_AFTER_CHOICE);
        } else {
            self.ram[GARBAGE_HOLE] = self.random_column();
            self.ram[PLAYER_2 + GARBAGE_HOLE - PLAYER] = self.random_column();
        }
    }

    fn move_cursor(&mut self, pressed: Buttons) {
        let by_height = self.ram[SELECTOR] != 0;
        // Heights 0 to 5 stand in rows of three, levels 0 to 9 in rows of five.
        let (value, row_length, last) =
            if by_height { (START_HEIGHT, 3, HIGHEST_START_HEIGHT) } else { (START_LEVEL, 5, MENU_LEVELS - 1) };
        let value = &mut self.ram[value];
        match pressed {
            Buttons::RIGHT if *value < last => *value += 1,
            Buttons::LEFT if *value > 0 => *value -= 1,
            Buttons::DOWN if *value < row_length => *value += row_length,
            Buttons::UP if *value >= row_length => *value -= row_length,
            Buttons::A if self.is_b_type() => self.ram[SELECTOR] ^= 1,
            _ => {}
        }
    }

    /// Clocks the generator until the low nibble is a column.
    pub(super) fn random_column(&mut self) -> u8 {
        loop {
            self.clock_randomizer();
            let column = self.ram[RNG] & 0x0F;
            if usize::from(column) < WIDTH {
                return column;
            }
        }
    }

    /// The last step out of a game, which leaves `gameMode` and `gameModeState` both 3.
    pub(super) fn choose_level_menu(&mut self) {
        self.set_game_mode(GameMode::LevelMenu);
        self.go_to(Screen::LevelMenu, REGISTER_AFTER_GAME);
    }
}
