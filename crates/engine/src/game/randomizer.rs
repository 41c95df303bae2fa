//! The game's random number generator and its draw of the next piece.
//!
//! The generator is clocked once in every frame: its state and the frame of the next spawn
//! determine the next piece.

use super::piece::{Orientation, Piece};

/// The 16-bit shift register `$17,$18`, first byte high.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Randomizer(u16);

/// A drawn piece and the state after the draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Draw {
    /// The spawn orientation drawn. Its id goes to `spawnID` (`$19`).
    pub orientation: Orientation,
    /// `spawnCount` (`$1A`) after the draw.
    pub spawn_count: u8,
    /// The generator after the draw: clocked once if the first roll was refused.
    pub randomizer: Randomizer,
}

impl Randomizer {
    /// The state set at power-on and by the reset button.
    pub const SEED: Randomizer = Randomizer(0x8988);
    /// Number of states that the generator runs through before it repeats.
    pub const PERIOD: u16 = 32_767;

    /// The generator with the bytes at `$17` and `$18`.
    ///
    /// The game reaches [`Randomizer::PERIOD`] states: `Randomizer::SEED.clocked_times(n)` for `n`
    /// below that. Zero is not among them; from zero the generator would not move.
    pub const fn from_bytes(bytes: [u8; 2]) -> Randomizer {
        Randomizer(u16::from_be_bytes(bytes))
    }

    /// The bytes for `$17` and `$18`.
    pub const fn to_bytes(self) -> [u8; 2] {
        self.0.to_be_bytes()
    }

    /// The byte at `$17`, from which pieces are drawn.
    pub const fn first_byte(self) -> u8 {
        (self.0 >> 8) as u8
    }

    /// Clocks the register once: shifted right, bit 9 xor bit 1 enters at bit 15.
    #[must_use]
    pub const fn clocked(self) -> Randomizer {
        let bit = (self.0 >> 9 ^ self.0 >> 1) & 1;
        Randomizer(self.0 >> 1 | bit << 15)
    }

    /// The state after `times` clocks, and so after as many frames.
    #[must_use]
    pub const fn clocked_times(self, times: u16) -> Randomizer {
        let mut randomizer = self;
        let mut left = times;
        while left > 0 {
            randomizer = randomizer.clocked();
            left -= 1;
        }
        randomizer
    }

    /// Draws the next piece; `spawn_id` (`$19`) is the id drawn before, 0 at game start.
    ///
    /// A roll of 7 or of the same piece is rolled again once. The second roll adds the
    /// *orientation id* of the last piece, so that the odds are slightly uneven. It may repeat the
    /// piece.
    pub const fn draw(self, spawn_id: u8, spawn_count: u8) -> Draw {
        const SEVEN: u8 = Piece::COUNT as u8;
        let spawn_count = spawn_count.wrapping_add(1);
        let roll = self.first_byte().wrapping_add(spawn_count) & 7;
        let mut randomizer = self;
        let mut id = if roll < SEVEN { Piece::ALL[roll as usize].spawn().id() } else { spawn_id };
        if roll == SEVEN || id == spawn_id {
            randomizer = randomizer.clocked();
            // A u16 holds the sum for any id, also for one that was poked in.
            let index = ((randomizer.first_byte() & 7) as u16 + spawn_id as u16) % SEVEN as u16;
            id = Piece::ALL[index as usize].spawn().id();
        }
        let orientation = Orientation::from_id(id).expect("a spawn orientation has an id");
        Draw { orientation, spawn_count, randomizer }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_period_from_the_seed_is_32767() {
        let mut randomizer = Randomizer::SEED.clocked();
        let mut period = 1;
        while randomizer != Randomizer::SEED {
            randomizer = randomizer.clocked();
            period += 1;
        }
        assert_eq!(period, Randomizer::PERIOD);
    }

    #[test]
    fn the_first_frames_after_power_on_are_as_measured() {
        assert_eq!(Randomizer::SEED.clocked().to_bytes(), [0x44, 0xC4]);
        assert_eq!(Randomizer::SEED.clocked_times(3).to_bytes(), [0x11, 0x31]);
    }

    #[test]
    fn a_roll_of_seven_is_rolled_again() {
        // Measured at level 19: spawnID T, spawnCount 8, generator $867F in the spawn frame.
        let draw = Randomizer(0x867F).draw(0x02, 0x08);
        assert_eq!((draw.orientation.id(), draw.spawn_count), (0x0E, 0x09));
        assert_eq!(draw.randomizer.to_bytes(), [0x43, 0x3F]);
    }

    #[test]
    fn a_roll_of_another_piece_stands() {
        let draw = Randomizer(0xFC77).draw(0x0E, 0x09);
        assert_eq!((draw.orientation.id(), draw.spawn_count), (0x12, 0x0A));
        assert_eq!(draw.randomizer, Randomizer(0xFC77));
    }

    #[test]
    fn a_second_roll_may_repeat_the_piece() {
        let repeats = (0..=u16::MAX).filter(|&state| Randomizer(state).draw(0x12, 0).orientation.id() == 0x12).count();
        assert!(repeats > 0);
    }
}
