//! What it took to find a plan, and to keep a run in time.

use std::time::Duration;

use maxout_engine::planner::Effort;

/// What the last plan cost to find.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PlanCost {
    /// In plies, expansions and judged playfields.
    pub effort: Effort,
    /// In time; `None` where that was not measured.
    pub time: Option<Duration>,
}

/// How often a run at the console's own speed was late, and by how much.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Delays {
    /// How often a frame was ready only after the next one should have begun.
    pub count: u32,
    /// The longest delay.
    pub longest: Duration,
}
