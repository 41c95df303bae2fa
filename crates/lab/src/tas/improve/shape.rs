//! All ways to fill the cells that some pieces of a game fill, with any pieces in any order.

use std::collections::HashMap;

use maxout_engine::game::timing::frames_per_row;
use maxout_engine::game::{Piece, Placement};
use maxout_engine::tas::{Landing, Locked, Page, Reach, Spawned};

use super::cells::Cells;
use super::skeleton::Step;
use crate::tas::path::{MOST_FALL, SHORTEST_CLEAR};

/// Most playfields of a stretch after the same number of pieces. With more of them its placements stay. Not tuned: no
/// stretch of 11 pieces of the record needs as many.
const MOST_PLAYFIELDS: usize = 300_000;

/// One way to place a piece on a playfield of a shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Edge {
    pub placement: Placement,
    /// Frames from the spawn to the next one: the earliest lock, no pause, and the shortest clear.
    pub frames: u8,
    /// The playfield after it: its index in the next layer.
    pub to: u32,
    /// Does it clear rows?
    pub clears: bool,
}

impl Edge {
    /// That of the earliest lock in a placement. Where it leads is not known yet.
    pub(super) fn of(locked: &Locked, landing: Landing) -> Edge {
        let clears = locked.rows > 0;
        let clear = if clears { SHORTEST_CLEAR } else { 0 };
        let frames = (landing.frames + locked.plain_entry_delay() + clear) as u8;
        Edge { placement: landing.placement, frames, to: 0, clears }
    }
}

/// The playfields after the same number of pieces.
#[derive(Debug, Clone, Default)]
pub(super) struct Layer {
    edges: Vec<Edge>,
    /// Where the edges of each playfield end: one entry for each piece.
    ends: Vec<u32>,
}

impl Layer {
    /// The ways to place a piece on a playfield.
    pub(super) fn edges(&self, node: u32, piece: Piece) -> &[Edge] {
        let at = node as usize * Piece::COUNT + piece.index();
        let begin = if at == 0 { 0 } else { self.ends[at - 1] as usize };
        &self.edges[begin..self.ends[at] as usize]
    }

    /// The playfields in it.
    pub(super) fn len(&self) -> usize {
        self.ends.len() / Piece::COUNT
    }
}

/// The playfields between two of a game, layer by layer, one piece each.
#[derive(Debug, Clone)]
pub(super) struct Shape {
    /// One for each piece. What follows the last one is the playfield in which the shape ends.
    pub layers: Vec<Layer>,
}

/// What one piece does.
#[derive(Debug, Clone, Copy)]
pub(super) struct Found {
    pub from: u32,
    pub piece: Piece,
    pub edge: Edge,
}

impl Shape {
    /// All ways to fill the cells of these steps. Only the last one may clear rows.
    pub(super) fn of(steps: &[Step], hangs: bool, reach: &mut Reach) -> Option<Shape> {
        let free = Shape::with(steps, hangs, reach, |_, _| true);
        free.or_else(|| Shape::with(steps, hangs, reach, |layer, placement| steps[layer].placement == placement))
    }

    fn with(
        steps: &[Step],
        hangs: bool,
        reach: &mut Reach,
        allows: impl Fn(usize, Placement) -> bool,
    ) -> Option<Shape> {
        let first = &steps.first()?.spawned;
        let last = steps.last()?;
        let mut region = Cells::NONE;
        steps.iter().flat_map(|step| step.placement.cells()).for_each(|cell| region.add(cell));
        let gravity = frames_per_row(first.progress.level);
        let mut playfields = vec![(first.page, region)];
        let mut counts = vec![1];
        let mut layers: Vec<Vec<Found>> = Vec::new();
        for layer in 0..steps.len() {
            let is_last = layer + 1 == steps.len();
            let mut next: Vec<(Page, Cells)> = Vec::new();
            let mut index: HashMap<Page, Option<u32>> = HashMap::new();
            let mut found = Vec::new();
            for (from, (page, rest)) in playfields.iter().enumerate() {
                for piece in Piece::ALL {
                    reach.landings(page, piece, gravity, hangs && layer == 0, MOST_FALL, |landing| {
                        let cells = landing.placement.cells();
                        if !cells.iter().all(|&cell| rest.has(cell)) || !allows(layer, landing.placement) {
                            return;
                        }
                        let spawned = Spawned { page: *page, piece, ..*first };
                        let locked = spawned.lock(landing.placement, landing.frames, 0);
                        if is_last && (*locked.page(), locked.rows) != (last.page, last.rows)
                            || !is_last && locked.rows > 0
                        {
                            return;
                        }
                        let to = if is_last {
                            Some(0)
                        } else {
                            *index.entry(*locked.page()).or_insert_with(|| {
                                let mut rest = *rest;
                                cells.into_iter().for_each(|cell| rest.remove(cell));
                                rest.may_be_filled().then(|| {
                                    next.push((*locked.page(), rest));
                                    next.len() as u32 - 1
                                })
                            })
                        };
                        let Some(to) = to else { return };
                        let edge = Edge { to, ..Edge::of(&locked, landing) };
                        found.push(Found { from: from as u32, piece, edge });
                    });
                }
            }
            if next.len() > MOST_PLAYFIELDS {
                return None;
            }
            counts.push(if is_last { 1 } else { next.len() });
            playfields = next;
            layers.push(found);
        }
        Shape::backwards(&counts, layers)
    }

    /// Keeps what leads to the end.
    pub(super) fn backwards(counts: &[usize], mut all: Vec<Vec<Found>>) -> Option<Shape> {
        // The new index of each playfield of the layer below.
        let mut below: Vec<Option<u32>> = vec![Some(0)];
        let mut layers = Vec::new();
        while let Some(mut found) = all.pop() {
            found.retain_mut(|found| {
                let to = below[found.edge.to as usize];
                found.edge.to = to.unwrap_or(0);
                to.is_some()
            });
            let mut leads = vec![None; counts[all.len()]];
            found.iter().for_each(|found| leads[found.from as usize] = Some(0));
            leads.iter_mut().flatten().zip(0..).for_each(|(lead, index)| *lead = index);
            found.sort_by_key(|found| (found.from, found.piece.index()));
            let mut layer = Layer::default();
            let mut rest = found.iter().peekable();
            for from in (0..).zip(&leads).filter(|(_, lead)| lead.is_some()).map(|(from, _)| from) {
                for piece in Piece::ALL {
                    while let Some(found) = rest.next_if(|found| (found.from, found.piece) == (from, piece)) {
                        layer.edges.push(found.edge);
                    }
                    layer.ends.push(layer.edges.len() as u32);
                }
            }
            layers.push(layer);
            below = leads;
        }
        layers.reverse();
        layers.first().is_some_and(|first| first.len() == 1).then_some(Shape { layers })
    }

    /// The pieces in it.
    pub(super) fn pieces(&self) -> usize {
        self.layers.len()
    }
}
