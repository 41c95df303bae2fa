//! Plans a part of a game again, and keeps the faster plan.

use std::sync::atomic::AtomicBool;

use super::round::Round;
use super::{Plan, Planning, part, rest};
use crate::tas::values::Tables;

/// Every 20th round plans the whole rest of the game again, the others a part that leads back into the plan. A rest takes some
/// five times as long: of the first 690 rounds of the plan from level 18 to 999,999, 4 of 35 rests and 60 of 655 parts were
/// faster. The plan came from 10,859 frames to 10,678, with rests alone in 40 rounds to 10,813.
const REST_EVERY: u64 = 20;

/// Plans a part of a plan again, in the round of this `number`: each round has other settings. `None` if it was stopped, or finds
/// nothing faster. `shown` is called after each piece.
pub fn again(
    planning: Planning,
    plan: &Plan,
    number: u64,
    tables: &Tables,
    threads: usize,
    stop: &AtomicBool,
    shown: impl FnMut(),
) -> Option<Plan> {
    let round = Round { planning, plan, number, tables, threads, stop };
    if number.is_multiple_of(REST_EVERY) { rest::again(round, shown) } else { part::again(round, shown) }
}
