//! Plans a part of a game again, and keeps the faster plan.

use std::sync::atomic::AtomicBool;

use maxout_engine::seed::split_mix;

use super::beam::Beam;
use super::{Plan, Planning};
use crate::tas::values::Tables;

/// Noise on what playfields are worth, in frames; one of these is taken for each round. So are the other lists here.
const NOISES: [f32; 4] = [0.0, 3.0, 10.0, 30.0];
/// Frames that a ready row counts more. Games that hold such rows up to the end, as the record does, are faster than the values
/// know: without these numbers one plan (300 playfields) stayed at 10,962 frames after 100 rounds, and then came to 10,858
/// in the first round with 25.
const HOLDS: [f32; 8] = [0.0, 0.0, 4.0, 8.0, 15.0, 25.0, -5.0, -10.0];
/// Parts of the width.
const NARROWER: [usize; 4] = [4, 4, 2, 1];
/// How much wider the beam is for the first pieces. The rest of the game only shows where they lead.
const WIDER: [usize; 4] = [1, 3, 10, 10];
/// Pieces for which it is wider.
const FEWEST_WIDE: usize = 10;
const MOST_WIDE: usize = 40;
/// A round plans at least so many pieces.
const FEWEST: usize = 4;

/// Plans the rest of a game again from one of its pieces on, with other numbers in each round. `None` if it was stopped,
/// or finds nothing faster. `shown` gets the pieces so far and the points.
pub fn again(
    planning: Planning,
    plan: &Plan,
    round: u64,
    tables: &Tables,
    threads: usize,
    stop: &AtomicBool,
    shown: impl FnMut(usize, u32),
) -> Option<Plan> {
    let mut dice = split_mix(round);
    let mut roll = |sides: usize| {
        dice = split_mix(dice);
        (dice >> 20) as usize % sides
    };
    let cuts = plan.placements.len().checked_sub(FEWEST).filter(|&cuts| cuts > 0)?;
    // A late cut takes less time: two of three rounds have the later one of two.
    let (one, other) = (roll(cuts), roll(cuts));
    let cut = if roll(3) > 0 { one.max(other) } else { one };
    let width = planning.width.div_ceil(NARROWER[roll(NARROWER.len())]);
    let wide = FEWEST_WIDE + roll(MOST_WIDE - FEWEST_WIDE);
    let beam = Beam {
        width,
        first: (wide, planning.width * WIDER[roll(WIDER.len())]),
        noise: (NOISES[roll(NOISES.len())], roll(1 << 30) as u64),
        hold: HOLDS[roll(HOLDS.len())],
        below: planning.frames(plan)?,
        ..planning.beam()
    };
    let from = planning.game(plan, cut)?;
    let (_, placements) = beam.search(vec![from], tables, threads, stop, shown)?;
    let placements = plan.placements[..cut].iter().copied().chain(placements).collect();
    Some(Plan { opening: plan.opening.clone(), placements })
}
