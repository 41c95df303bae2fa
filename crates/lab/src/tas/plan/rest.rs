//! Plans the rest of a game again, and keeps the faster plan.

use super::Plan;
use super::beam::Beam;
use super::round::Round;

// Each round takes one number from each list. Which of them finds a faster plan is not known beforehand: in about 300 rounds
// on one plan the noises 0, 3, 10 and 30 found one 6, 4, 5 and 11 times.

/// Noise on what playfields are worth, in frames.
const NOISES: [f32; 4] = [0.0, 3.0, 10.0, 30.0];
/// Frames that a ready row counts more. Games that keep such rows up to the end, as the record does, are faster than the
/// values know: without these numbers a plan (waiting costs 0.2) stayed at 10,962 frames after 100 rounds; then two rounds with 25
/// came to 10,848.
const HOLDS: [f32; 8] = [0.0, 0.0, 4.0, 8.0, 15.0, 25.0, -5.0, -10.0];
/// After the first pieces fewer games are kept: the number is divided by one of these.
const NARROWER: [usize; 4] = [4, 4, 2, 1];
/// For the first pieces it is multiplied by one of these. The rest of the game only shows where they lead.
const WIDER: [usize; 4] = [1, 2, 4, 8];
/// How many pieces these are.
const FEWEST_FIRST: usize = 10;
const MOST_FIRST: usize = 39;
/// The fewest pieces that a round plans.
const FEWEST: usize = 5;

/// Plans the rest of a game again from one of its pieces on. `None` if it was stopped, or finds nothing faster. `shown` is called
/// after each piece.
pub(super) fn again(round: Round<'_>, mut shown: impl FnMut()) -> Option<Plan> {
    let Round { planning, plan, .. } = round;
    let mut dice = round.dice();
    let cuts = (plan.placements.len() + 1).checked_sub(FEWEST).filter(|&cuts| cuts > 0)?;
    // A late cut takes less time: two of three rounds have the later one of two.
    let (one, other) = (dice.roll(cuts), dice.roll(cuts));
    let cut = if dice.roll(3) > 0 { one.max(other) } else { one };
    let alike = planning.alike.div_ceil(NARROWER[dice.roll(NARROWER.len())]);
    let first = FEWEST_FIRST + dice.roll(MOST_FIRST - FEWEST_FIRST + 1);
    let beam = Beam {
        alike,
        first: (first, planning.alike * WIDER[dice.roll(WIDER.len())]),
        noise: (NOISES[dice.roll(NOISES.len())], dice.roll(1 << 30) as u64),
        hold: HOLDS[dice.roll(HOLDS.len())],
        below: planning.frames(plan)?,
        ..planning.beam()
    };
    let from = planning.game(plan, cut)?;
    let (_, placements) = beam.search(vec![from], round.tables, round.threads, round.stop, |_, _| shown())?;
    Some(round.with(cut, placements))
}
