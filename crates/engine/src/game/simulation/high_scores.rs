//! The high-score table and the entry of a name.

use super::model::Simulation;
use super::task::Task;
use crate::game::memory::address::{
    FRAME_COUNTER, HIGH_SCORE_LEVELS, HIGH_SCORE_NAMES, HIGH_SCORES, LEVEL_NUMBER, NAME_LETTER, NAME_LETTER_PLACE,
    NAME_OFFSET, NAME_PLACE, NAME_SIZE, RENDER_FLAGS, SCORE_SIZE,
};
use crate::game::memory::render_flag;
use crate::gamepad::Buttons;

/// Places of each game type's table that can be reached; a fourth is scratch.
pub(super) const PLACES: usize = 3;
/// The first place of the B-type table.
const FIRST_B_TYPE: usize = 4;
/// Letters of a name.
const LETTERS: u8 = NAME_SIZE as u8;
/// Number of letter codes.
const ALPHABET: u8 = 0x2C;

impl Simulation {
    /// Puts the score into its place of the table, with an empty name; a score equal to an
    /// entry ranks above it. Returns whether it has a place.
    pub(super) fn enter_high_score(&mut self) -> bool {
        let first = self.first_place();
        let [low, middle, high] = self.score().0;
        let score = [high, middle, low];
        let place = (0..PLACES)
            .find(|place| score[..] >= self.ram[HIGH_SCORES + SCORE_SIZE * (first + place)..][..SCORE_SIZE])
            .unwrap_or(PLACES);
        self.ram[NAME_PLACE] = (first + place) as u8;
        if place == PLACES {
            return false;
        }
        let (place, last) = (first + place, first + PLACES - 1);
        for (table, size) in [(HIGH_SCORE_NAMES, NAME_SIZE), (HIGH_SCORES, SCORE_SIZE), (HIGH_SCORE_LEVELS, 1)] {
            self.ram.copy_within(table + size * place..table + size * last, table + size * (place + 1));
        }
        self.ram[HIGH_SCORE_NAMES + NAME_SIZE * place..][..NAME_SIZE].fill(0);
        self.ram[HIGH_SCORES + SCORE_SIZE * place..][..SCORE_SIZE].copy_from_slice(&score);
        self.ram[HIGH_SCORE_LEVELS + place] = self.ram[LEVEL_NUMBER];
        true
    }

    /// The first place of the present game type's table.
    pub(super) fn first_place(&self) -> usize {
        if self.is_b_type() { FIRST_B_TYPE } else { 0 }
    }

    pub(super) fn open_name_entry(&mut self) {
        self.ram[NAME_LETTER_PLACE] = 0;
        self.ram[NAME_OFFSET] = self.ram[NAME_PLACE].wrapping_mul(NAME_SIZE as u8);
        self.ram[NAME_LETTER] = 0;
    }

    /// Start ends the entry. A and Right move to the next place, B and Left to the one before.
    /// Up and Down change the letter in every eighth frame; both together cancel out.
    pub(super) fn name_entry(&mut self) {
        let (pressed, held) = (self.pressed(), self.held());
        if pressed.contains(Buttons::START) {
            self.task = Task::AfterName;
            return;
        }
        let mut letter = self.ram[NAME_LETTER_PLACE] % LETTERS;
        if pressed.intersects(Buttons::A | Buttons::RIGHT) {
            letter = (letter + 1) % LETTERS;
        }
        if pressed.intersects(Buttons::B | Buttons::LEFT) {
            letter = (letter + LETTERS - 1) % LETTERS;
        }
        self.ram[NAME_LETTER_PLACE] = letter;
        let address = HIGH_SCORE_NAMES + NAME_SIZE * (self.ram[NAME_PLACE] & 7) as usize + letter as usize;
        if self.ram[FRAME_COUNTER] & 7 == 0 {
            let mut code = self.ram[address] % ALPHABET;
            if held.contains(Buttons::DOWN) {
                code = (code + ALPHABET - 1) % ALPHABET;
            }
            if held.contains(Buttons::UP) {
                code = (code + 1) % ALPHABET;
            }
            self.ram[address] = code;
        }
        self.ram[NAME_LETTER] = self.ram[address];
        self.ram[RENDER_FLAGS] |= render_flag::NAME;
    }
}
