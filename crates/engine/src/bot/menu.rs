//! From power-on through the menus to the chosen level, one press at a time.

use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

use crate::gamepad::Buttons;
use crate::ram::{GameMode, GameType, RamSnapshot};
use crate::state::{StateError, StateReader, StateWriter};

/// Longest wait on the title screen, in frames; the demo would start after 1025. Chosen by hand,
/// not measured.
const LONGEST_TITLE_WAIT: u32 = 599;
/// Longest wait in the level menu, in frames. Chosen by hand, not measured.
const LONGEST_LEVEL_MENU_WAIT: u32 = 299;
/// Frames of the legal screen when Start is pressed again and again from power-on: counted on the
/// built-in cartridge.
const LEGAL_SCREEN: u32 = 267;
/// About how many frames pass in the menus without a wait: 10 to 21 with the seeds and levels of the
/// test.
const PRESSES: u32 = 20;
/// Levels in the menu; A held with Start adds this to the chosen one.
const MENU_LEVELS: u8 = 10;
/// Levels in a row of the menu.
const MENU_ROW: u8 = 5;

/// Presses the buttons that lead to the game; it sees only RAM.
///
/// The game's random numbers change with every frame, so the wait decides which game is played: the
/// seed chooses how long to wait on the title screen and in the level menu.
#[derive(Debug, Clone)]
pub(super) struct MenuScript {
    start_level: u8,
    seed: u64,
    title_wait: u32,
    level_menu_wait: u32,
    /// Mode of the last sample, and how many samples have shown it.
    mode: Option<GameMode>,
    samples: u32,
    held: Buttons,
}

impl MenuScript {
    pub(super) fn new(start_level: u8, seed: u64) -> MenuScript {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        MenuScript {
            start_level,
            seed,
            title_wait: rng.random_range(0..=LONGEST_TITLE_WAIT),
            level_menu_wait: rng.random_range(0..=LONGEST_LEVEL_MENU_WAIT),
            mode: None,
            samples: 0,
            held: Buttons::NONE,
        }
    }

    /// The same for the next game: with the waits of the next seed, because after a reset the same ones
    /// would lead to the same game.
    pub(super) fn next_game(&self) -> MenuScript {
        MenuScript::new(self.start_level, self.seed.wrapping_add(1))
    }

    /// About how many frames pass from power-on to the game.
    pub(super) fn frames(&self) -> u64 {
        u64::from(LEGAL_SCREEN + self.title_wait + self.level_menu_wait + PRESSES)
    }

    /// The buttons for the next frame.
    pub(super) fn next(&mut self, snapshot: &RamSnapshot) -> Buttons {
        if self.mode != Some(snapshot.game_mode) {
            self.mode = Some(snapshot.game_mode);
            self.samples = 0;
        }
        self.samples += 1;
        self.held = self.press(snapshot);
        self.held
    }

    /// A press counts only when it is new, so every press is followed by a frame without one.
    fn press(&self, snapshot: &RamSnapshot) -> Buttons {
        let add_ten = self.start_level >= MENU_LEVELS;
        let level_chosen = snapshot.game_mode == GameMode::LevelMenu
            && snapshot.game_type == GameType::A
            && snapshot.start_level == self.start_level % MENU_LEVELS
            && self.samples > self.level_menu_wait;
        if level_chosen && add_ten && self.held == Buttons::A {
            return Buttons::A | Buttons::START;
        }
        if !self.held.is_empty() {
            return Buttons::NONE;
        }
        match snapshot.game_mode {
            GameMode::Title if self.samples <= self.title_wait => Buttons::NONE,
            GameMode::Legal | GameMode::Title | GameMode::Demo | GameMode::DemoStart => Buttons::START,
            GameMode::GameType if snapshot.game_type != GameType::A => Buttons::LEFT,
            GameMode::GameType => Buttons::START,
            // A person has come here. B leads back to the screen where the type is chosen.
            GameMode::LevelMenu if snapshot.game_type != GameType::A => Buttons::B,
            GameMode::LevelMenu if self.samples <= self.level_menu_wait => Buttons::NONE,
            GameMode::LevelMenu if level_chosen && add_ten => Buttons::A,
            GameMode::LevelMenu if level_chosen => Buttons::START,
            GameMode::LevelMenu => self.steer(snapshot.start_level % MENU_LEVELS),
            GameMode::Play => Buttons::NONE,
        }
    }

    /// The press that brings the cursor nearer.
    fn steer(&self, cursor: u8) -> Buttons {
        let goal = self.start_level % MENU_LEVELS;
        if cursor / MENU_ROW != goal / MENU_ROW {
            if cursor < goal { Buttons::DOWN } else { Buttons::UP }
        } else if cursor < goal {
            Buttons::RIGHT
        } else {
            Buttons::LEFT
        }
    }

    pub(super) fn save(&self, writer: &mut StateWriter) {
        let MenuScript { start_level, seed, title_wait, level_menu_wait, mode, samples, held } = *self;
        writer.u8(start_level);
        writer.u64(seed);
        writer.u32(title_wait);
        writer.u32(level_menu_wait);
        writer.option(mode, |writer, mode| writer.u8(mode as u8));
        writer.u32(samples);
        writer.u8(held.bits());
    }

    pub(super) fn restore(reader: &mut StateReader<'_>) -> Result<MenuScript, StateError> {
        Ok(MenuScript {
            start_level: reader.u8()?,
            seed: reader.u64()?,
            title_wait: reader.count()?,
            level_menu_wait: reader.count()?,
            mode: reader.option(|reader| {
                let byte = reader.u8()?;
                GameMode::from_byte(byte).ok_or_else(|| StateError::new("a game mode, 0 to 6", byte.to_string()))
            })?,
            samples: reader.count()?,
            held: Buttons::from_bits(reader.u8()?),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::console::{Console, Simulated};
    use crate::ram::{Decoder, Phase, RamMap};

    #[test]
    fn the_time_in_the_menus_is_known_before() {
        let decoder = Decoder::new(&RamMap::tetris_ntsc()).expect("the built-in map decodes");
        for (seed, level) in [(1, 19), (2, 0), (3, 9), (4, 14), (5, 18)] {
            let mut script = MenuScript::new(level, seed);
            let expected = script.frames();
            let mut console = Simulated::power_on();
            let mut buttons = Buttons::NONE;
            let played = (0..2000_u64).find(|_| {
                console.step(buttons).expect("a frame");
                let snapshot = decoder.decode(console.ram()).expect("possible values");
                let in_menus = matches!(snapshot.phase(), Phase::Menu(_));
                buttons = if in_menus { script.next(&snapshot) } else { Buttons::NONE };
                snapshot.phase() == Phase::Falling
            });
            let played = played.expect("a game begins");
            assert!(played.abs_diff(expected) <= 10, "seed {seed}, level {level}: {expected}, found {played}");
        }
    }
}
