//! What a decision costs.

/// What a decision cost.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Effort {
    /// Pieces looked ahead, the falling one included.
    pub plies: u8,
    /// Sets of placements that were listed: one for each piece on each playfield.
    pub expansions: u64,
    /// Playfields that were judged.
    pub judged: u64,
}

impl Effort {
    /// Adds the expansions and the judged playfields; the plies stay.
    pub(super) fn add(&mut self, other: &Effort) {
        self.expansions += other.expansions;
        self.judged += other.judged;
    }

    /// Adds what another search for the same decision cost; the plies are those of the deeper one.
    pub(super) fn include(&mut self, other: &Effort) {
        self.plies = self.plies.max(other.plies);
        self.add(other);
    }
}
