//! Who judges the placements of the falling piece.

use std::sync::Arc;

use super::candidate::Candidate;
use super::effort::Effort;
use super::forecast::Forecast;
use super::judged::Reply;
use super::limits::Limits;
use super::odds::GeneratorOdds;
use super::pair;
use super::sight::Sight;
use super::think::{Think, Thinker, Width};
use crate::game::{Piece, Placement, Position};
use crate::judge::handmade::{Afterstate, Evaluator, Verdict};
use crate::movegen::Reached;

/// Who judges the placements of the falling piece.
pub(super) enum Mind {
    /// An evaluator, by this piece and the next.
    Evaluator(Arc<dyn Evaluator>),
    /// The learned player, by looking ahead.
    Learned(Box<Thinker>),
}

impl Mind {
    /// Judges these placements, best first. `width` says how many of them the learned player
    /// looks into; `forecast` is about the pieces that `sight` does not see.
    pub(super) fn judge(
        &self,
        limits: &Limits,
        position: &Position,
        placements: &[Reached],
        sight: Sight,
        forecast: &impl Forecast,
        width: Width,
    ) -> (Vec<Candidate>, Effort) {
        let (mut candidates, effort) = match self {
            Mind::Evaluator(evaluator) => {
                let mut effort = Effort { plies: evaluator.plies() as u8, expansions: 1, judged: 0 };
                let judge = |&reached| pair::judge(limits, &**evaluator, position, reached, sight, &mut effort);
                (placements.iter().map(judge).collect(), effort)
            }
            Mind::Learned(thinker) => look_ahead(thinker, limits, position, placements, sight, forecast, width),
        };
        // The sort is stable: among equals the one that locks first stays first.
        candidates.sort_by(Candidate::compare);
        (candidates, effort)
    }

    /// Where each piece that may come next would go after a candidate.
    pub(super) fn replies(
        &self,
        limits: &Limits,
        position: &Position,
        candidate: &Candidate,
        sight: Sight,
        forecast: &impl Forecast,
    ) -> Vec<Reply> {
        let reply = |next, odds, beyond: &_| self.reply(limits, position, &candidate.afterstate, next, odds, beyond);
        if sight == Sight::WithNext {
            return vec![reply(position.next, 1.0, forecast)];
        }
        let odds = Piece::ALL.into_iter().zip(forecast.odds(position.piece)).filter(|&(_, odds)| odds > 0.0);
        odds.map(|(next, odds)| reply(next, odds, &forecast.after(next))).collect()
    }

    /// Where each of the seven would go after a placement.
    pub(super) fn replies_to(&self, limits: &Limits, position: &Position, first: Placement) -> Vec<Reply> {
        let first = Afterstate::of(&position.playfield, first);
        let odds = Piece::ALL.into_iter().zip(GeneratorOdds.odds(position.piece));
        odds.map(|(next, odds)| self.reply(limits, position, &first, next, odds, &GeneratorOdds.after(next))).collect()
    }

    fn reply(
        &self,
        limits: &Limits,
        position: &Position,
        first: &Afterstate,
        next: Piece,
        odds: f32,
        beyond: &impl Forecast,
    ) -> Reply {
        let found = match self {
            Mind::Evaluator(evaluator) => {
                pair::best_second(limits, &**evaluator, position, first, next, &mut Effort::default())
                    .map(|second| (second.placement, second.verdict.value))
            }
            Mind::Learned(thinker) => thinker.reply(position, first.placement, next, beyond),
        };
        Reply { next, odds, placement: found.map(|found| found.0), value: found.map(|found| found.1) }
    }

    /// Where the piece of the next box would go after a candidate, where that is part of a plan.
    pub(super) fn next_placement(
        &self,
        position: &Position,
        candidate: &Candidate,
        sight: Sight,
        forecast: &impl Forecast,
    ) -> Option<Placement> {
        match self {
            Mind::Learned(thinker) if sight == Sight::WithNext => {
                let placement = candidate.reached.placement;
                thinker.reply(position, placement, position.next, forecast).map(|(placement, _)| placement)
            }
            Mind::Learned(_) | Mind::Evaluator(_) => candidate.next,
        }
    }
}

/// Looks ahead from the placements that target and filter prefer; the others are judged at one ply,
/// unless all are wanted at the same depth.
fn look_ahead(
    thinker: &Thinker,
    limits: &Limits,
    position: &Position,
    placements: &[Reached],
    sight: Sight,
    forecast: &impl Forecast,
    width: Width,
) -> (Vec<Candidate>, Effort) {
    let mut candidates: Vec<Candidate> =
        placements.iter().map(|&reached| limits.unjudged(position, reached, sight)).collect();
    let most = candidates.iter().map(Candidate::constraints).max();
    let (best, others): (Vec<usize>, Vec<usize>) =
        (0..candidates.len()).partition(|&index| width == Width::All || Some(candidates[index].constraints()) == most);
    let at_once = Thinker { think: Think::Plies(1), ..thinker.clone() };
    let mut effort = Effort::default();
    for (thinker, indices) in [(&at_once, others), (thinker, best)] {
        if indices.is_empty() {
            continue;
        }
        let placements: Vec<Placement> = indices.iter().map(|&at| candidates[at].reached.placement).collect();
        let (ranked, cost) = thinker.rank(position, &placements, sight, forecast, width);
        effort.add(&cost);
        effort.plies = cost.plies;
        for ranked in ranked {
            let candidate = &mut candidates[indices[ranked.index]];
            (candidate.verdict, candidate.plies) = (Verdict::of_value(ranked.value), ranked.plies);
        }
    }
    (candidates, effort)
}
