//! The unit of rewards.

/// Points of a reward of 1: those of a triple at level 0, so that a tetris is worth 4. A net
/// whose outputs began 32 times as large did not learn.
pub const REWARD_POINTS: f32 = 300.0;
