//! Numbers that a seed decides.

use maxout_engine::seed::split_mix;

/// Dice: the same seed throws the same numbers.
#[derive(Debug, Clone)]
pub(super) struct Dice(pub u64);

impl Dice {
    /// A number below `sides`.
    pub(super) fn roll(&mut self, sides: usize) -> usize {
        self.0 = split_mix(self.0);
        (self.0 >> 20) as usize % sides
    }
}
