//! The whole state of the game's piece generator: with it the pieces can be foreseen.

use super::piece::Piece;
use super::randomizer::Randomizer;

/// What decides which piece a spawn draws, besides the frame of the spawn, as it is at one sample.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Generator {
    /// The random number, `$17,$18`.
    pub randomizer: Randomizer,
    /// `spawnCount`, `$1A`.
    pub spawn_count: u8,
    /// The low byte of `frameCounter`, `$B1`: a clear animation waits for it.
    pub frame_counter: u8,
}

impl Generator {
    /// The piece that is drawn if the next spawn is this number of frames later, and the generator at the sample of that
    /// spawn. `last` is the piece that was drawn last: the one in the next box until then.
    #[must_use]
    pub const fn spawn(&self, frames: u32, last: Piece) -> (Piece, Generator) {
        // The period is shorter than any u16.
        let clocks = (frames % Randomizer::PERIOD as u32) as u16;
        self.spawn_drawing(frames, self.randomizer.clocked_times(clocks), last)
    }

    /// The same with the random number as it is in the spawn's frame, before the draw.
    #[must_use]
    pub const fn spawn_drawing(&self, frames: u32, randomizer: Randomizer, last: Piece) -> (Piece, Generator) {
        let draw = randomizer.draw(last.spawn().id(), self.spawn_count);
        let generator = Generator {
            randomizer: draw.randomizer,
            spawn_count: draw.spawn_count,
            frame_counter: self.frame_counter.wrapping_add(frames as u8),
        };
        (draw.orientation.piece(), generator)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_draws_in_a_row_are_those_measured() {
        // Samples 789 and 837 of a recorded game at level 19: L is drawn, then I 48 frames later.
        let at_789 = Generator { randomizer: Randomizer::from_bytes([0x0C, 0xFE]), spawn_count: 8, frame_counter: 0 };
        let (piece, at_790) = at_789.spawn(1, Piece::T);
        assert_eq!((piece, at_790.randomizer.to_bytes(), at_790.spawn_count), (Piece::L, [0x43, 0x3F], 9));
        let (piece, at_838) = at_790.spawn(48, Piece::L);
        assert_eq!((piece, at_838.randomizer.to_bytes(), at_838.spawn_count), (Piece::I, [0xFC, 0x77], 10));
        assert_eq!(at_838.frame_counter, 49);
        assert_ne!(at_790.spawn(49, Piece::L).0, Piece::I, "a frame later comes another piece");
    }
}
