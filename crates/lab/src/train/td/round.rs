//! The sizes of a round of training, and the unit of its rewards.

/// Games that are played side by side; a batch holds one sample of each. All measured trainings
/// had 64; other sizes were not compared.
pub const GAMES: usize = 64;
/// Pieces that each game plays between two updates of the net. All measured trainings had 16;
/// other lengths were not compared.
pub const SEGMENT: usize = 16;

/// Points of a reward of 1: those of a triple at level 0, so that a tetris is worth 4. A net
/// whose outputs began 32 times as large did not learn.
pub const UNIT: f32 = 300.0;
