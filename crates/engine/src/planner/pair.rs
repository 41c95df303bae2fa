//! Evaluators judge each placement of the falling piece by the best placement of the next piece
//! after it.

use super::candidate::Candidate;
use super::effort::Effort;
use super::limits::Limits;
use super::sight::Sight;
use crate::game::{Piece, Placement, Position};
use crate::judge::handmade::{Afterstate, Evaluator, Rank, Verdict};
use crate::movegen::Reached;

/// The best placement of the next piece after a lock.
pub(super) struct Second {
    pub(super) placement: Placement,
    /// The evaluator's verdict about the two pieces.
    pub(super) verdict: Verdict,
    /// Does it pass the target score?
    overshoots: bool,
    /// Does the filter allow any placement of the next piece?
    allowed: bool,
}

/// The best placement of `next` after a lock; `None` when it tops out.
pub(super) fn best_second(
    limits: &Limits,
    evaluator: &dyn Evaluator,
    position: &Position,
    first: &Afterstate,
    next: Piece,
    effort: &mut Effort,
) -> Option<Second> {
    let (moves, after) = limits.seconds(position, first, next);
    let (admitted, allowed) = limits.admitted(&first.playfield, moves.reached());
    effort.expansions += 1;
    effort.judged += admitted.len() as u64;
    let judged = admitted.iter().map(|second| {
        let afterstate = Afterstate::of(&first.playfield, second.placement);
        let overshoots = limits.overshoots(after.as_ref(), &afterstate);
        let verdict = evaluator.judge(&[*first, afterstate]);
        Second { placement: second.placement, verdict, overshoots, allowed }
    });
    judged.reduce(|best, other| {
        let better = if other.overshoots == best.overshoots {
            other.verdict.is_better_than(&best.verdict)
        } else {
            best.overshoots
        };
        if better { other } else { best }
    })
}

/// Judges one placement of the falling piece by the best placement of the next piece after it.
pub(super) fn judge(
    limits: &Limits,
    evaluator: &dyn Evaluator,
    position: &Position,
    reached: Reached,
    sight: Sight,
    effort: &mut Effort,
) -> Candidate {
    let afterstate = Afterstate::of(&position.playfield, reached.placement);
    let standing = limits.standing(position, &afterstate);
    let candidate =
        |next, verdict, plies| Candidate { reached, afterstate, next, verdict, standing, next_allowed: true, plies };
    if evaluator.plies() == 1 || sight == Sight::WithoutNext {
        effort.judged += 1;
        return candidate(None, evaluator.judge(&[afterstate]), 1);
    }
    match best_second(limits, evaluator, position, &afterstate, position.next, effort) {
        Some(Second { placement, verdict, overshoots, allowed }) => {
            let standing = standing.with_next(overshoots);
            Candidate { standing, next_allowed: allowed, ..candidate(Some(placement), verdict, 2) }
        }
        // The next piece tops out: worse than anything it could still do.
        None => {
            let verdict = Verdict { rank: Rank::Refused, ..Verdict::of_value(f64::NEG_INFINITY) };
            Candidate { standing: standing.with_next(true), next_allowed: false, ..candidate(None, verdict, 2) }
        }
    }
}
