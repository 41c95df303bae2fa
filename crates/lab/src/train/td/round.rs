//! The sizes of a round of training.

/// Games that are played side by side; a batch holds one sample of each. All measured trainings
/// had 64; other sizes were not compared.
pub const GAMES: usize = 64;
/// Pieces that each game plays between two updates of the net. All measured trainings had 16;
/// other lengths were not compared.
pub const SEGMENT: usize = 16;
