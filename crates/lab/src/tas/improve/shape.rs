//! All ways to fill the cells that some pieces of a game fill, with any pieces in any order.

use std::collections::HashMap;

use maxout_engine::game::timing::frames_per_row;
use maxout_engine::game::{FULL_ROW, Piece, Placement};
use maxout_engine::tas::{Page, Reach, Spawned};

use super::skeleton::Step;
use crate::tas::path::{MOST_FALL, SHORTEST_CLEAR};

/// Most playfields of a shape. With more it becomes the way that the game went. Some 100 bytes each.
const MOST_NODES: usize = 300_000;

/// A playfield on the way.
#[derive(Debug, Clone)]
pub(super) struct Node {
    /// The placements that lead on, by piece: the index in the next layer.
    pub edges: Vec<(Piece, Placement, u32)>,
    /// The fewest frames to the end of the shape when this piece comes first and the player may choose all
    /// others; infinite where it fits nowhere.
    pub best: [f32; Piece::COUNT],
}

/// The playfields between two of a game, layer by layer, one piece each.
#[derive(Debug, Clone)]
pub(super) struct Shape {
    pub layers: Vec<Vec<Node>>,
}

/// What one piece does: it locks in a placement, and the next one spawns.
#[derive(Clone, Copy)]
struct Edge {
    from: u32,
    piece: Piece,
    placement: Placement,
    frames: f32,
    to: u32,
}

/// Frames that a clear waits for the frame counter on average: 0 to 3.
const CLEAR_WAIT: f32 = 1.5;

impl Shape {
    /// The shape of these steps. Only the last one may clear rows.
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
        // The cells of all pieces, as a playfield in which they alone are occupied.
        let mut region = Page::EMPTY;
        let mut whole = first.page;
        for step in steps {
            step.placement.cells().iter().for_each(|&(row, column)| {
                region.occupy(row, column);
                whole.occupy(row, column);
            });
        }
        let gravity = frames_per_row(first.progress.level);
        let mut pages = vec![vec![first.page]];
        let mut edges: Vec<Vec<Edge>> = Vec::new();
        let mut count = 1;
        for layer in 0..steps.len() {
            let is_last = layer + 1 == steps.len();
            let mut next: Vec<Page> = Vec::new();
            let mut index: HashMap<Page, u32> = HashMap::new();
            let mut found = Vec::new();
            for (from, page) in pages[layer].iter().enumerate() {
                for piece in Piece::ALL {
                    reach.landings(page, piece, gravity, hangs && layer == 0, MOST_FALL, |landing| {
                        let cells = landing.placement.cells();
                        let is_inside = cells.iter().all(|&(row, column)| region.is_occupied(row, column));
                        if !is_inside || !allows(layer, landing.placement) {
                            return;
                        }
                        let mut filled = *page;
                        cells.iter().for_each(|&(row, column)| filled.occupy(row, column));
                        let is_whole = filled == whole;
                        let completes = cells.iter().any(|&(row, _)| row >= 0 && filled.row(row) == FULL_ROW);
                        if is_last != is_whole || (completes && !is_last) {
                            return;
                        }
                        let spawned = Spawned { page: *page, piece, ..*first };
                        let locked = spawned.lock(landing.placement, landing.frames, 0);
                        if is_last && (*locked.page(), locked.rows) != (last.page, last.rows) {
                            return;
                        }
                        let clear = if locked.rows > 0 { SHORTEST_CLEAR as f32 + CLEAR_WAIT } else { 0.0 };
                        let frames = landing.frames as f32 + locked.plain_entry_delay() as f32 + clear;
                        let to = *index.entry(filled).or_insert_with(|| {
                            next.push(filled);
                            next.len() as u32 - 1
                        });
                        found.push(Edge { from: from as u32, piece, placement: landing.placement, frames, to });
                    });
                }
            }
            count += next.len();
            if count > MOST_NODES {
                return None;
            }
            pages.push(next);
            edges.push(found);
        }
        Some(Shape::backwards(pages, edges))
    }

    /// Keeps what leads to the end, and counts the frames from there.
    fn backwards(pages: Vec<Vec<Page>>, edges: Vec<Vec<Edge>>) -> Shape {
        let blank = Node { edges: Vec::new(), best: [f32::INFINITY; Piece::COUNT] };
        let mut layers: Vec<Vec<Node>> = pages.iter().map(|pages| vec![blank.clone(); pages.len()]).collect();
        if let Some(last) = layers.last_mut() {
            last.iter_mut().for_each(|node| node.best = [0.0; Piece::COUNT]);
        }
        for (layer, edges) in edges.into_iter().enumerate().rev() {
            let (nodes, next) = layers.split_at_mut(layer + 1);
            for Edge { from, piece, placement, frames, to } in edges {
                let after = next[0][to as usize].least();
                if after.is_finite() {
                    let node = &mut nodes[layer][from as usize];
                    node.edges.push((piece, placement, to));
                    let best = &mut node.best[piece.index()];
                    *best = best.min(frames + after);
                }
            }
        }
        Shape { layers }
    }

    /// The pieces in it.
    pub(super) fn pieces(&self) -> usize {
        self.layers.len() - 1
    }
}

impl Node {
    /// The fewest frames when the player may choose all pieces.
    pub(super) fn least(&self) -> f32 {
        self.best.iter().fold(f32::INFINITY, |least, &best| least.min(best))
    }

    /// The fewest frames with these two pieces first.
    pub(super) fn with_pieces(&self, layers: &[Vec<Node>], layer: usize, piece: Piece, next: Piece) -> f32 {
        let leads_on = self.edges.iter().filter(|edge| edge.0 == piece).any(|&(_, _, to)| {
            let after = &layers[layer + 1][to as usize];
            layer + 2 == layers.len() || after.best[next.index()].is_finite()
        });
        if leads_on { self.best[piece.index()] } else { f32::INFINITY }
    }
}
