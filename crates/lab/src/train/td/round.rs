//! The sizes of a round of training, and the unit of its rewards.

/// Games that are played side by side; a batch holds one sample of each.
pub const GAMES: usize = 64;
/// Pieces of a game from one learning to the next.
pub const SEGMENT: usize = 16;

/// Points of a reward of 1: those of a triple at level 0, so that a tetris is worth 4.
pub const UNIT: f32 = 300.0;
