//! Runs of cycles: tetrises of the rows 0 to 2, one after another, over rows that are full but for one cell.
//!
//! Row 0 counts twice, so three full rows are a tetris, and what lies in row 3 sinks. What has sunk does not matter for
//! the cycles after it, so one list of cycles serves for all of them: from each [`Top`] to each other one. A run is as
//! long as the game has such cycles, a hundred pieces and more; only the playfields before it and at its end stay.

pub(super) mod ends;
pub(super) mod fill;
#[cfg(test)]
mod tests;
pub(super) mod top;
pub(super) mod upper;

use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use maxout_engine::game::timing::frames_per_row;
use maxout_engine::game::{FULL_ROW, WIDTH};
use maxout_engine::parallel;
use maxout_engine::tas::{Reach, Spawned};

use super::shape::{Edge, Found, Shape};
use super::skeleton::Step;
use crate::tas::path::landing_in;
use ends::{End, ends, least};
use fill::{Cycle, Placed, placements};
use top::{ROOM, Top};
use upper::Upper;

/// The fewest cycles of a run. Long stretches hold two.
const FEWEST: usize = 3;
/// Frames more than [`least`] with which a cycle may lead to a new top.
const MOST_FOR_NEW: f32 = 0.0;
/// Cycles that a thread lists between two calls for progress, on average.
const AT_ONCE: usize = 3;
/// Frames that a run with freely chosen pieces may take longer than the fastest one. With 150 the same games are found.
const MOST_OVER_BEST: f32 = 200.0;

/// Cycles that follow each other in a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Run {
    /// Its pieces in the game.
    pub pieces: Range<usize>,
    /// The column of the hole of all ready rows.
    hole: usize,
}

/// The runs of a game, in order.
pub(super) fn runs(steps: &[Step]) -> Vec<Run> {
    let mut found: Vec<Run> = (0..WIDTH).flat_map(|hole| runs_over(steps, hole)).collect();
    found.sort_by_key(|run| run.pieces.start);
    // Two of them could only share pieces if the rows in between had two holes.
    found.dedup_by(|next, before| next.pieces.start < before.pieces.end);
    found
}

fn runs_over(steps: &[Step], hole: usize) -> Vec<Run> {
    let mut found = Vec::new();
    let mut begin: Option<(usize, usize)> = None;
    let mut close = |begin: &mut Option<(usize, usize)>, end: usize| {
        if let Some((from, cycles)) = begin.take()
            && cycles >= FEWEST
        {
            found.push(Run { pieces: from..end, hole });
        }
    };
    let mut last_clear = 0;
    for (index, step) in steps.iter().enumerate().filter(|(_, step)| step.rows > 0) {
        let top = Top::of(&step.page, hole);
        let from = begin.map_or(last_clear, |(from, _)| from);
        let goes_on = step.rows == 4 && has_full_row_0(step) && is_one_speed(&steps[from..=index]);
        match (&mut begin, &top) {
            (Some((_, cycles)), Some(_)) if goes_on => *cycles += 1,
            _ => {
                close(&mut begin, last_clear);
                begin = top.map(|_| (index + 1, 0));
            }
        }
        last_clear = index + 1;
    }
    close(&mut begin, last_clear);
    // The goal's clear is no cycle: what comes after it does not matter.
    found.retain(|run| run.pieces.end < steps.len());
    found
}

/// Does the step complete row 0?
pub(super) fn has_full_row_0(step: &Step) -> bool {
    let cells = step.placement.cells().into_iter().filter(|&(row, _)| row == 0);
    cells.fold(step.spawned.page.row(0), |row, (_, column)| row | 1 << column) == FULL_ROW
}

fn is_one_speed(steps: &[Step]) -> bool {
    let speed = |step: &Step| frames_per_row(step.spawned.progress.level);
    steps.iter().all(|step| speed(step) == speed(&steps[0]))
}

/// Which ends a top has, and which ways lead to each: the same for all runs at this speed.
#[derive(Debug, Clone, Default)]
pub(super) struct Library {
    listed: Arc<Mutex<Listed>>,
}

/// The frames that a row takes, and the column of the hole.
type Over = (u8, usize);

/// The ends of a top, with the frames of the fastest way to each that is known.
type Ends = Vec<(End, f32)>;

/// A kind of cycles: from a top to an end, and the ways.
type Kind = (Top, End, Arc<Vec<Placed>>);

#[derive(Debug, Default)]
struct Listed {
    ends: HashMap<(Over, Top), Ends>,
    ways: HashMap<(Over, Top, End), Arc<Vec<Placed>>>,
}

/// How many cycles are listed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Effort {
    /// Playfields that are kept after each piece while the ends of cycles are looked for.
    playfields: usize,
    /// How often new tops are looked for, from those found before.
    growths: usize,
    /// Frames more than [`least`] of the cycles whose ways are listed.
    most_more: f32,
}

impl Effort {
    /// Playfields and growths are chosen by hand, not tuned. For the first 13 cycles of the game in frame 10,749 there are 50 kinds of
    /// cycles up to 8 frames more, listed in 45 s of two cores, and 103 up to 24 frames more.
    pub(super) const BUILT_IN: Effort = Effort { playfields: 1500, growths: 2, most_more: 16.0 };
}

/// How cycles are listed.
#[derive(Clone, Copy)]
pub(super) struct Listing<'a> {
    pub effort: Effort,
    pub library: &'a Library,
    pub threads: usize,
    pub stop: &'a AtomicBool,
}

/// A place in a cycle: the top that it began with, and the occupied cells.
type Place = (Top, Upper);

/// A piece in a place: where it leads, and after its clear the next top.
#[derive(Debug, Clone, Copy)]
struct Way {
    placed: Placed,
    to: Place,
}

impl Listing<'_> {
    /// The ways through a run; `None` if it was stopped, or none leads to its end. `shown` gets the
    /// cycles listed so far, and all of them.
    pub(super) fn shape(&self, steps: &[Step], run: &Run, mut shown: impl FnMut(usize, usize)) -> Option<Shape> {
        let own = Own::of(steps, run)?;
        let cycles = self.cycles(&own, run.hole, &mut shown)?;
        let mut ways: HashMap<Place, Vec<Way>> = HashMap::new();
        let mut known = HashSet::new();
        for (top, end, placed) in &cycles {
            for &placed in placed.iter() {
                let to = placed.to.map_or((end.0, end.0.cells()), |to| (*top, to));
                if known.insert((*top, placed.from, placed.edge.placement)) {
                    ways.entry((*top, placed.from)).or_default().push(Way { placed, to });
                }
            }
        }
        Unrolled { ways: &ways, own: &own, stop: self.stop }.shape()
    }

    /// All cycles that may be part of a run: from a top to an end, and the ways. The run's own ones are among them.
    fn cycles(&self, own: &Own, hole: usize, shown: &mut impl FnMut(usize, usize)) -> Option<Vec<Kind>> {
        let over = (frames_per_row(own.spawned.progress.level), hole);
        let mut tops: BTreeSet<Top> = own.cycles.iter().map(|(top, ..)| *top).collect();
        tops.extend([own.end, Top::bare(hole)]);
        let mut pairs: BTreeSet<(Top, End)> = BTreeSet::new();
        for growth in 0..=self.effort.growths {
            let new: Vec<Top> = tops.iter().copied().collect();
            for (top, ends) in self.ends(own.spawned, over, new)? {
                for (end, frames) in ends {
                    let pieces =
                        top.before(&end.0).map_or(0, |before| before.with(end.1).without(top.cells()).count() / 4);
                    let more = frames - least(pieces as usize);
                    if growth < self.effort.growths && more <= MOST_FOR_NEW {
                        tops.insert(end.0);
                    }
                    if more <= self.effort.most_more && tops.contains(&end.0) {
                        pairs.insert((top, end));
                    }
                }
            }
        }
        // A top from which no cycle goes on is of use at the end only.
        loop {
            let go_on: HashSet<Top> = pairs.iter().map(|(top, _)| *top).chain([own.end]).collect();
            let before = pairs.len();
            pairs.retain(|(_, end)| go_on.contains(&end.0));
            if pairs.len() == before {
                break;
            }
        }
        let mut found = self.ways(own.spawned, over, pairs.into_iter().collect(), shown)?;
        found.extend(own.cycles.iter().map(|(top, end, placed)| (*top, *end, Arc::new(placed.clone()))));
        Some(found)
    }

    /// The ends of these tops; `None` if it was stopped.
    fn ends(&self, spawned: Spawned, over: Over, tops: Vec<Top>) -> Option<Vec<(Top, Ends)>> {
        let is_new = |top: &&Top| !self.listed(|listed| listed.ends.contains_key(&(over, **top)));
        let new: Vec<Top> = tops.iter().filter(is_new).copied().collect();
        let found = parallel::map(self.threads, &mut Reach::stopping(), Reach::stopping, new, |reach, top| {
            if self.stop.load(Ordering::Relaxed) {
                return None;
            }
            Some((top, ends(reach, spawned, &top, over.1, self.effort.playfields).into_iter().collect()))
        });
        let found: Option<Vec<(Top, Ends)>> = found.into_iter().collect();
        for (top, ends) in found? {
            self.listed(|listed| listed.ends.insert((over, top), ends));
        }
        Some(self.listed(|listed| tops.into_iter().map(|top| (top, listed.ends[&(over, top)].clone())).collect()))
    }

    /// The ways of these cycles; `None` if it was stopped.
    fn ways(
        &self,
        spawned: Spawned,
        over: Over,
        pairs: Vec<(Top, End)>,
        shown: &mut impl FnMut(usize, usize),
    ) -> Option<Vec<Kind>> {
        let placements = placements();
        let is_new = |(top, end): &&(Top, End)| !self.listed(|listed| listed.ways.contains_key(&(over, *top, *end)));
        let new: Vec<(Top, End)> = pairs.iter().filter(is_new).copied().collect();
        let mut listed = 0;
        for some in new.chunks(AT_ONCE * self.threads.max(1)) {
            let found = parallel::map(
                self.threads,
                &mut Reach::stopping(),
                Reach::stopping,
                some.to_vec(),
                |reach, (top, end)| {
                    let cycle =
                        Cycle { top: &top, start: top.cells(), end: &end, hole: over.1, spawned, stop: self.stop };
                    let ways = cycle.ways(reach, &placements);
                    (top, end, ways)
                },
            );
            if self.stop.load(Ordering::Relaxed) {
                return None;
            }
            for (top, end, ways) in found {
                self.listed(|listed| listed.ways.insert((over, top, end), Arc::new(ways)));
            }
            listed += some.len();
            shown(listed, new.len());
        }
        let ways = |(top, end)| (top, end, self.listed(|listed| Arc::clone(&listed.ways[&(over, top, end)])));
        Some(pairs.into_iter().map(ways).collect())
    }

    fn listed<T>(&self, with: impl FnOnce(&mut Listed) -> T) -> T {
        with(&mut self.library.listed.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// A run as the game has it.
struct Own {
    /// Its first spawn.
    spawned: Spawned,
    pieces: usize,
    /// Its first top and the ready rows below.
    begin: (Top, usize),
    /// Its last top, and the ready rows there.
    end: Top,
    ready: usize,
    /// Each cycle: its top, its end and its pieces.
    cycles: Vec<(Top, End, Vec<Placed>)>,
}

impl Own {
    /// `None` if a piece of the run leaves the upper rows.
    fn of(steps: &[Step], run: &Run) -> Option<Own> {
        let steps = &steps[run.pieces.clone()];
        let (first, last) = (steps.first()?, steps.last()?);
        let begin = Top::of(&first.spawned.page, run.hole)?;
        let (end, ready) = Top::of(&last.page, run.hole)?;
        let mut cycles = Vec::new();
        let (mut top, mut placed) = (begin.0, Vec::new());
        let mut from = top.cells();
        for step in steps {
            let to = from.with(Upper::of_placement(step.placement)?);
            let edge = edge_of(step)?;
            let piece = step.placement.orientation.piece();
            let ends = step.rows > 0;
            placed.push(Placed { from, piece, edge, to: (!ends).then_some(to) });
            from = to;
            if ends {
                let (then, _) = Top::of(&step.page, run.hole)?;
                let above = Upper::in_row(to.row(-1), -1);
                cycles.push((top, (then, above), std::mem::take(&mut placed)));
                top = then;
                from = top.cells();
            }
        }
        Some(Own { spawned: first.spawned, pieces: steps.len(), begin, end, ready, cycles })
    }
}

/// The edge of a step in its own playfield.
fn edge_of(step: &Step) -> Option<Edge> {
    let piece = step.placement.orientation.piece();
    let now = Spawned { piece, ..step.spawned };
    let gravity = frames_per_row(now.progress.level);
    let landing = landing_in(&mut Reach::stopping(), &now.page, step.placement, gravity, false)?;
    Some(Edge::of(&now.lock(landing.placement, landing.frames, 0), landing))
}

/// The cycles one after another.
struct Unrolled<'a> {
    ways: &'a HashMap<Place, Vec<Way>>,
    own: &'a Own,
    stop: &'a AtomicBool,
}

/// A playfield of a run: the place in its cycle, the cycles so far, and the ready rows below.
type Node = (Place, usize, usize);

impl Unrolled<'_> {
    /// The run as a shape: a layer for each piece.
    fn shape(&self) -> Option<Shape> {
        let Own { begin: (top, ready), end, cycles, pieces, .. } = self.own;
        let mut nodes: Vec<Node> = vec![((*top, top.cells()), 0, *ready)];
        let mut counts = Vec::new();
        // Of each layer: the fewest frames up to each of its playfields.
        let mut so_far = vec![vec![0.0_f32]];
        let mut layers: Vec<Vec<Found>> = Vec::new();
        for at in 0..*pieces {
            if self.stop.load(Ordering::Relaxed) {
                return None;
            }
            let is_last = at + 1 == *pieces;
            let mut index: HashMap<Node, u32> = HashMap::new();
            let (mut next, mut frames, mut found) = (Vec::new(), Vec::new(), Vec::new());
            for (from, node) in (0..).zip(&nodes) {
                for way in self.ways.get(&node.0).into_iter().flatten() {
                    let Some(then) = self.after(node, way) else { continue };
                    if is_last && then != ((*end, end.cells()), cycles.len(), self.own.ready) {
                        continue;
                    }
                    let reached = so_far[at][from as usize] + f32::from(way.placed.edge.frames);
                    let to = *index.entry(then).or_insert_with(|| {
                        next.push(then);
                        frames.push(reached);
                        next.len() as u32 - 1
                    });
                    let best: &mut f32 = &mut frames[to as usize];
                    *best = best.min(reached);
                    found.push(Found { from, piece: way.placed.piece, edge: Edge { to, ..way.placed.edge } });
                }
            }
            counts.push(nodes.len());
            layers.push(found);
            so_far.push(frames);
            nodes = next;
        }
        keep_fast(&mut layers, &so_far);
        Shape::backwards(&counts, layers)
    }

    /// The playfield after a piece; `None` if the run does not get to its end from there.
    fn after(&self, &((top, _), cycles, ready): &Node, way: &Way) -> Option<Node> {
        if way.placed.to.is_some() {
            return Some((way.to, cycles, ready));
        }
        let then = way.to.0;
        let ready = top.ready_after(&then, ready)?;
        let fits = cycles < self.own.cycles.len() && ready + then.count() <= ROOM;
        fits.then_some((way.to, cycles + 1, ready))
    }
}

/// Keeps what is part of a run that is fast enough. `so_far`: the fewest frames up to each playfield of each layer.
fn keep_fast(layers: &mut [Vec<Found>], so_far: &[Vec<f32>]) {
    let mut left = vec![0.0_f32; so_far.last().map_or(0, Vec::len)];
    let best = so_far.last().into_iter().flatten().copied().fold(f32::INFINITY, f32::min);
    for (layer, so_far) in layers.iter_mut().zip(so_far).rev() {
        let mut before = vec![f32::INFINITY; so_far.len()];
        layer.retain(|found| {
            let (from, to) = (found.from as usize, found.edge.to as usize);
            let rest = f32::from(found.edge.frames) + left[to];
            before[from] = before[from].min(rest);
            so_far[from] + rest <= best + MOST_OVER_BEST
        });
        left = before;
    }
}
