//! What the rounds of planning have in common.

use std::sync::atomic::{AtomicBool, Ordering};

use maxout_engine::game::Placement;
use maxout_engine::seed::split_mix;

use super::{Plan, Planning};
use crate::tas::dice::Dice;
use crate::tas::values::Tables;

/// A round that plans some of a plan's placements again.
#[derive(Clone, Copy)]
pub(super) struct Round<'a> {
    pub planning: Planning,
    pub plan: &'a Plan,
    /// Decides the numbers of the round.
    pub number: u64,
    pub tables: &'a Tables,
    pub threads: usize,
    pub stop: &'a AtomicBool,
}

impl Round<'_> {
    pub(super) const fn dice(&self) -> Dice {
        // No search has 2^32 rounds.
        Dice(split_mix(self.number.wrapping_add(self.planning.seed.wrapping_sub(1) << 32)))
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// The plan with these placements after its first pieces.
    pub(super) fn with(&self, pieces: usize, then: impl IntoIterator<Item = Placement>) -> Plan {
        let placements = self.plan.placements[..pieces].iter().copied().chain(then).collect();
        Plan { opening: self.plan.opening.clone(), placements }
    }
}
