//! All ways from one top to another.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};

use maxout_engine::game::timing::frames_per_row;
use maxout_engine::game::{Orientation, Piece, Placement};
use maxout_engine::tas::{Reach, Spawned};

use super::ends::{End, least};
use super::top::Top;
use super::upper::Upper;
use crate::tas::improve::shape::Edge;
use crate::tas::path::MOST_FALL;

/// Frames that a cycle takes longer than [`least`] at most. Such cycles are faster than the usual ones, which wait.
pub(super) const MOST_MORE: f32 = 24.0;
/// Most sets of cells after the same number of pieces; with more of them the end is left out. All cycles of 9 or 10 pieces
/// have fewer.
const MOST_SETS: usize = 400_000;

/// One piece of a cycle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Placed {
    /// The cells before it.
    pub from: Upper,
    pub piece: Piece,
    /// Where it leads is not known yet.
    pub edge: Edge,
    /// The cells after it; `None`: the cycle ends with its clear.
    pub to: Option<Upper>,
}

/// All placements in the upper rows.
pub(in crate::tas) fn placements() -> Vec<Upper> {
    placements_of_pieces().into_iter().map(|it| it.1).collect()
}

/// The same, each with its piece.
pub(in crate::tas) fn placements_of_pieces() -> Vec<(Piece, Upper)> {
    let orientations = (0..=u8::MAX).filter_map(Orientation::from_id);
    let at = |orientation| (-3..9).flat_map(move |y| (-3..13).map(move |x| Placement { orientation, x, y }));
    let of = |it: Placement| Some((it.orientation.piece(), Upper::of_placement(it)?));
    orientations.flat_map(at).filter_map(of).collect()
}

/// A cycle from one top to an end.
pub(super) struct Cycle<'a> {
    pub top: &'a Top,
    /// What is occupied at its beginning: the cells of the top.
    pub start: Upper,
    pub end: &'a End,
    pub hole: usize,
    /// It has the level.
    pub spawned: Spawned,
    pub stop: &'a AtomicBool,
}

impl Cycle<'_> {
    /// Its ways: each piece in each order with which a cycle is fast enough.
    pub(super) fn ways(&self, reach: &mut Reach, placements: &[Upper]) -> Vec<Placed> {
        let (then, above) = self.end;
        let Some(before) = self.top.before(then) else { return Vec::new() };
        let target = before.with(*above);
        let region = target.without(self.start);
        if !region.count().is_multiple_of(4) {
            return Vec::new();
        }
        let pieces = region.count() as usize / 4;
        let inside: Vec<Upper> =
            placements.iter().filter(|&&it| it.lies_within(target) && !it.meets(self.start)).copied().collect();
        let cells = Cells { start: self.start, target };
        let Some(layers) = cells.sets(pieces, &inside, self.stop) else { return Vec::new() };
        let placed = self.by_movement(reach, target, &layers, &inside);
        let step = |it: &Placed| (it.from, it.to.unwrap_or(target), it.edge.frames);
        fast_enough(self.start, &[target], &placed, MOST_MORE, step)
    }

    /// The pieces that lead to the target by real movement, layer by layer.
    fn by_movement(
        &self,
        reach: &mut Reach,
        target: Upper,
        layers: &[Vec<Upper>],
        inside: &[Upper],
    ) -> Vec<Vec<Placed>> {
        let gravity = frames_per_row(self.spawned.progress.level);
        let mut lead = vec![target];
        let mut all = Vec::new();
        for (layer, sets) in layers.iter().enumerate().rev() {
            let is_last = layer + 1 == layers.len();
            let leads = |to: Upper| lead.binary_search(&to).is_ok();
            let mut placed: Vec<Placed> = Vec::new();
            for &from in sets {
                if !inside.iter().any(|&cells| !cells.meets(from) && leads(from.with(cells))) {
                    continue;
                }
                let page = self.top.page_with(from);
                for piece in Piece::ALL {
                    let now = Spawned { page, piece, ..self.spawned };
                    reach.landings(&page, piece, gravity, false, MOST_FALL, |landing| {
                        let Some(cells) = Upper::of_placement(landing.placement) else { return };
                        let to = from.with(cells);
                        if !leads(to) {
                            return;
                        }
                        let locked = now.lock(landing.placement, landing.frames, 0);
                        let ends = || Top::of(locked.page(), self.hole).is_some_and(|(then, _)| then == self.end.0);
                        let fits = if is_last { locked.rows == 4 && ends() } else { locked.rows == 0 };
                        if fits {
                            let to = (!is_last).then_some(to);
                            placed.push(Placed { from, piece, edge: Edge::of(&locked, landing), to });
                        }
                    });
                }
            }
            placed.sort_unstable_by_key(|it| (it.from, it.piece.index(), it.edge.placement));
            lead = placed.iter().map(|it| it.from).collect();
            lead.dedup();
            all.push(placed);
        }
        all.reverse();
        all
    }
}

/// Cells that pieces fill.
struct Cells {
    /// What is occupied before.
    start: Upper,
    /// What is occupied after.
    target: Upper,
}

impl Cells {
    /// What may be occupied after each number of pieces, as far as cells alone say, in order. `None`: there are too many, or
    /// it was stopped.
    fn sets(&self, pieces: usize, inside: &[Upper], stop: &AtomicBool) -> Option<Vec<Vec<Upper>>> {
        let mut layers = vec![vec![self.start]];
        for _ in 1..pieces {
            let mut next: Vec<Upper> = Vec::new();
            for &set in layers.last()? {
                let fits = inside.iter().filter(|&&cells| !cells.meets(set) && cells.lies_on(set));
                next.extend(fits.map(|&cells| set.with(cells)).filter(|after| !after.is_closed()));
            }
            next.sort_unstable();
            next.dedup();
            next.retain(|after| {
                let rest = self.target.without(*after);
                rest.may_be_filled() && after.leaves_open(rest)
            });
            if next.len() > MOST_SETS || stop.load(Ordering::Relaxed) {
                return None;
            }
            layers.push(next);
        }
        Some(layers)
    }
}

/// Keeps the pieces with which a cycle takes at most `most_more` frames more than [`least`]. `step` says of a piece: the
/// cells before it, those after it, and its frames.
pub(in crate::tas) fn fast_enough<T: Copy>(
    start: Upper,
    targets: &[Upper],
    layers: &[Vec<T>],
    most_more: f32,
    step: impl Fn(&T) -> (Upper, Upper, u8),
) -> Vec<T> {
    let mut left: Vec<HashMap<Upper, f32>> = vec![targets.iter().map(|&target| (target, 0.0)).collect()];
    for layer in layers.iter().rev() {
        let then = &left[left.len() - 1];
        let frames = layer.iter().map(&step);
        left.push(least_of(frames.filter_map(|(from, to, frames)| Some((from, f32::from(frames) + then.get(&to)?)))));
    }
    left.reverse();
    let most = least(layers.len()) + most_more;
    let mut so_far: HashMap<Upper, f32> = HashMap::from([(start, 0.0)]);
    let mut kept = Vec::new();
    for (layer, then) in layers.iter().zip(&left[1..]) {
        let reached = |it: &T| {
            let (from, to, frames) = step(it);
            Some((to, so_far.get(&from)? + f32::from(frames)))
        };
        let fits = |it: &&T| {
            let whole = reached(it).and_then(|(to, before)| Some(before + then.get(&to)?));
            whole.is_some_and(|frames| frames <= most)
        };
        kept.extend(layer.iter().filter(fits));
        so_far = least_of(layer.iter().filter_map(reached));
    }
    kept
}

/// The least number for each set.
fn least_of(all: impl Iterator<Item = (Upper, f32)>) -> HashMap<Upper, f32> {
    let mut least: HashMap<Upper, f32> = HashMap::new();
    for (set, frames) in all {
        let best = least.entry(set).or_insert(frames);
        *best = best.min(frames);
    }
    least
}
