//! The high-score table and the entry of a name.

use super::Simulation;
use super::address::*;
use super::task::Task;
use crate::gamepad::Buttons;

/// Places of each game type's table.
const PLACES: usize = 3;
/// Letters of a name.
const LETTERS: u8 = 6;
/// Codes of letters that a name is made of.
const ALPHABET: u8 = 0x2C;
/// The name's letter in `renderFlags`.
const DRAW_LETTER: u8 = 0x80;

impl Simulation {
    /// Puts the score into its place of the table, with an empty name; a score equal to an
    /// entry ranks above it. Returns whether it has a place.
    pub(super) fn enter_high_score(&mut self) -> bool {
        let first = if self.ram[GAME_TYPE] != 0 { 4 } else { 0 };
        let [low, middle, high] = self.score().0;
        let score = [high, middle, low];
        let place =
            (0..PLACES).find(|place| score[..] >= self.ram[HIGH_SCORES + 3 * (first + place)..][..3]).unwrap_or(PLACES);
        self.ram[NAME_PLACE] = (first + place) as u8;
        if place == PLACES {
            return false;
        }
        let (place, last) = (first + place, first + PLACES - 1);
        for (table, size) in [(NAMES, 6), (HIGH_SCORES, 3), (HIGH_SCORE_LEVELS, 1)] {
            self.ram.copy_within(table + size * place..table + size * last, table + size * (place + 1));
        }
        self.ram[NAMES + 6 * place..][..6].fill(0);
        self.ram[HIGH_SCORES + 3 * place..][..3].copy_from_slice(&score);
        self.ram[HIGH_SCORE_LEVELS + place] = self.ram[LEVEL];
        true
    }

    pub(super) fn open_name_entry(&mut self) {
        self.ram[NAME_LETTER] = 0;
    }

    /// Start ends the entry; A and Right, B and Left move; Up and Down change the letter in
    /// every eighth frame, both together do so twice and leave it.
    pub(super) fn name_entry(&mut self) {
        let (pressed, held) = (self.pressed(), self.held());
        if pressed.contains(Buttons::START) {
            self.task = Task::AfterName;
            return;
        }
        let mut letter = self.ram[NAME_LETTER] % LETTERS;
        if pressed.intersects(Buttons::A | Buttons::RIGHT) {
            letter = (letter + 1) % LETTERS;
        }
        if pressed.intersects(Buttons::B | Buttons::LEFT) {
            letter = (letter + LETTERS - 1) % LETTERS;
        }
        self.ram[NAME_LETTER] = letter;
        if self.ram[FRAME_COUNTER] & 7 == 0 {
            let address = NAMES + 6 * (self.ram[NAME_PLACE] & 7) as usize + letter as usize;
            let mut code = self.ram[address] % ALPHABET;
            if held.contains(Buttons::DOWN) {
                code = (code + ALPHABET - 1) % ALPHABET;
            }
            if held.contains(Buttons::UP) {
                code = (code + 1) % ALPHABET;
            }
            self.ram[address] = code;
        }
        self.ram[RENDER_FLAGS] |= DRAW_LETTER;
    }
}
