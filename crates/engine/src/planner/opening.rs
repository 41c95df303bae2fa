//! What can be pressed before the next piece is known, and what is within reach after it.

use super::candidate::Candidate;
use super::effort::Effort;
use super::falling::Falling;
use super::limits::Limits;
use super::odds::GeneratorOdds;
use super::prefix::Prefix;
use super::promise::{landing, play_out};
use super::reach::Reach;
use super::sight::Sight;
use super::think::Thinker;
use crate::game::{Placement, Position};
use crate::gamepad::{Buttons, PressStyle};
use crate::judge::handmade::Verdict;
use crate::movegen::{Locks, Reached, sweep};

/// The buttons of the frames before the next piece is known (before the adjustment frame).
#[derive(Debug, Clone, PartialEq)]
pub struct Opening {
    /// The buttons, frame by frame: those of the reaction time, or all up to the lock.
    pub frames: Vec<Buttons>,
    /// The placements that can still be reached, among those that the filter and the target score prefer.
    pub within: Locks,
    /// Where the piece lands before the player can adjust; `None` if it still falls then.
    pub lands: Option<Placement>,
    /// In points: the mean over the next pieces of the best placement within reach. Values of the same number of plies are comparable with each other.
    pub value: f64,
    /// How many plies found the value.
    pub plies: u8,
}

/// The openings of a piece.
pub(super) struct Openings<'a> {
    /// What a hand reaches that presses no Down.
    pub(super) waiting: Reach<'a>,
    /// The best first. No opening reaches only what another one reaches.
    pub(super) ranked: Vec<Opening>,
    /// What it cost to rank them.
    pub(super) effort: Effort,
}

impl<'a> Openings<'a> {
    /// The openings of `frames` frames, the piece's style being `style`; `None` where the piece can reach
    /// nothing. Of openings that are worth the same the one after which most placements can be reached comes
    /// first, then the one with fewest presses.
    pub(super) fn of(
        position: &'a Position,
        falling: &'a Falling,
        thinker: &Thinker,
        limits: &Limits,
        style: PressStyle,
        frames: u32,
    ) -> Option<Openings<'a>> {
        let waiting = Reach::waiting(position, falling, &limits.settings)?;
        let mut all: Vec<Opening> =
            waiting.openings(frames).into_iter().filter_map(|frames| after(&waiting, limits, style, frames)).collect();
        let settled = waiting.settled().len() as u32;
        let landed = waiting.reached().iter().filter(|reached| settled + reached.frames <= frames);
        all.extend(landed.map(|reached| landing_at(&waiting, reached)));
        keep_preferred(position, limits, &mut all);
        // The sort is stable, so that the order never depends on chance.
        all.sort_by_key(|opening| {
            let pressed = opening.frames.iter().filter(|buttons| !buttons.is_empty()).count();
            (std::cmp::Reverse(opening.within.len()), opening.lands.is_some(), pressed)
        });
        let mut kept: Vec<Opening> = Vec::with_capacity(all.len());
        for opening in all {
            if !kept.iter().any(|other| opening.within.is_within(&other.within)) {
                kept.push(opening);
            }
        }
        let within: Vec<&Locks> = kept.iter().map(|opening| &opening.within).collect();
        let (ranked, effort) =
            thinker.steer(position, &within, kept.iter().any(|opening| opening.lands.is_none()), &GeneratorOdds);
        let ranked = ranked.iter().map(|ranked| {
            let opening = kept[ranked.index].clone();
            Opening { value: ranked.value, plies: ranked.plies, ..opening }
        });
        let ranked: Vec<Opening> = ranked.collect();
        if ranked.is_empty() { None } else { Some(Openings { waiting, ranked, effort }) }
    }

    /// The placements in which the piece lands before the player can adjust, best first.
    pub(super) fn landings(&self, limits: &Limits) -> Vec<Candidate> {
        let landing = |opening: &Opening| {
            let placement = opening.lands?;
            let reached = self.waiting.reached().iter().find(|reached| reached.placement == placement)?;
            let candidate = limits.unjudged(self.waiting.position(), *reached, Sight::WithoutNext);
            Some(Candidate { verdict: Verdict::of_value(opening.value), plies: opening.plies, ..candidate })
        };
        self.ranked.iter().filter_map(landing).collect()
    }
}

/// The opening with these frames, which do not land the piece; `None` where it tops out next.
fn after(waiting: &Reach<'_>, limits: &Limits, style: PressStyle, frames: Vec<Buttons>) -> Option<Opening> {
    let (position, falling) = (waiting.position(), waiting.falling());
    let (playfield, gravity) = (&position.playfield, limits.settings.gravity(position.level));
    let Some(Prefix { start, .. }) =
        Prefix::of(position, falling, &frames, style, limits.settings.first_press, gravity)
    else {
        // It lands in the frame in which the last press is released.
        let (promises, _) = play_out(playfield, falling.piece, falling.held, gravity, &frames);
        let reached = waiting.reached().iter().find(|reached| reached.placement == landing(&promises))?;
        return Some(landing_at(waiting, reached));
    };
    let within = sweep(playfield, &start, gravity, style);
    Some(Opening { frames, within, lands: None, value: 0.0, plies: 0 })
}

/// The opening that ends in this placement.
fn landing_at(waiting: &Reach<'_>, reached: &Reached) -> Opening {
    let way = waiting.timeline(reached, Sight::WithoutNext, |_| true);
    let within = Locks::only(waiting.position().piece, Some(reached.placement));
    Opening { frames: way.frames().to_vec(), within, lands: Some(reached.placement), value: 0.0, plies: 0 }
}

/// Leaves the placements that the filter allows and of which the score stands best to the target, and the
/// openings that reach such a one. Where the filter allows none, all are left.
fn keep_preferred(position: &Position, limits: &Limits, openings: &mut Vec<Opening>) {
    if limits.filter.is_some() || limits.target().is_some() {
        let mut union = Locks::only(position.piece, None);
        openings.iter().for_each(|opening| union.add(&opening.within));
        let reached: Vec<Reached> = union.iter().map(|placement| Reached { placement, frames: 0 }).collect();
        let (admitted, _) = limits.admitted(&position.playfield, &reached);
        let standing = |reached: &Reached| limits.unjudged(position, *reached, Sight::WithoutNext).standing;
        let best = admitted.iter().map(standing).max();
        let mut preferred = Locks::only(position.piece, None);
        for reached in admitted.iter().filter(|reached| Some(standing(reached)) == best) {
            preferred.add(&Locks::only(position.piece, Some(reached.placement)));
        }
        openings.iter_mut().for_each(|opening| opening.within.keep(&preferred));
    }
    openings.retain(|opening| !opening.within.is_empty());
}
