//! The ends of cycles: a beam from one top finds what lies above the ready rows after the next clear.

use std::collections::{BTreeMap, HashSet};
use std::ops::Range;

use maxout_engine::game::timing::frames_per_row;
use maxout_engine::game::{FULL_ROW, Piece};
use maxout_engine::tas::{Page, Reach, Spawned};

use super::top::Top;
use super::upper::Upper;
use crate::tas::improve::shape::Edge;
use crate::tas::path::MOST_FALL;
use crate::tas::values::Tables;

/// Most pieces of a cycle: those with 11 complete a second row.
const MOST_PIECES: usize = 12;
/// Frames that a cycle takes longer than [`least`] at most.
pub(in crate::tas) const MOST_MORE: f32 = 24.0;

/// Frames of the fastest cycles of this many pieces at level 18: 232 with 9, 253 with 10 (`docs/tas.md`), in a line.
pub(in crate::tas) fn least(pieces: usize) -> f32 {
    42.0 + 21.1 * pieces as f32
}

/// How a cycle ends: the top, and the cells above row 0.
pub(in crate::tas) type End = (Top, Upper);

/// A playfield of the beam.
#[derive(Clone, Copy)]
struct Node {
    page: Page,
    frames: f32,
}

/// The ends of cycles from a top, with the frames of the fastest way to each that was found. `spawned` has the
/// level; `playfields` are kept after each piece.
pub(in crate::tas) fn ends(
    reach: &mut Reach,
    spawned: Spawned,
    top: &Top,
    hole: usize,
    playfields: usize,
) -> BTreeMap<End, f32> {
    let end = |before: &Page, after: &Page| Some((Top::of(after, hole)?.0, Upper::in_row(before.row(-1), -1)));
    ends_by(reach, spawned, top, playfields, end)
}

/// The same by what a cycle ends with: of the playfields just before its clear and after it; `None`: it is no end.
pub(in crate::tas) fn ends_by<K: Ord>(
    reach: &mut Reach,
    spawned: Spawned,
    top: &Top,
    playfields: usize,
    end: impl Fn(&Page, &Page) -> Option<K>,
) -> BTreeMap<K, f32> {
    let goes_on = |page: &Page| {
        let occupied = Upper::of(page);
        !occupied.is_closed() && occupied.leaves_open(Upper::COMPLETED.without(occupied))
    };
    let end = |before: &Page, after: &Page| if before.row(0) == FULL_ROW { end(before, after) } else { None };
    Beam { spawned, built: top.built(), playfields, goes_on, end }.ends(reach, top.page())
}

/// A beam from a playfield to the next tetris.
pub(in crate::tas) struct Beam<G, E> {
    /// It has the level.
    pub spawned: Spawned,
    /// The rows in which pieces lock.
    pub built: Range<i8>,
    /// Playfields that are kept after each piece.
    pub playfields: usize,
    /// May a tetris still follow on this playfield?
    pub goes_on: G,
    /// What the tetris ends with: the playfield just before its clear, and after it. `None`: it is no end.
    pub end: E,
}

impl<K: Ord, G: Fn(&Page) -> bool, E: Fn(&Page, &Page) -> Option<K>> Beam<G, E> {
    /// The ends, with the frames of the fastest way to each that was found.
    pub(in crate::tas) fn ends(&self, reach: &mut Reach, first: Page) -> BTreeMap<K, f32> {
        let gravity = frames_per_row(self.spawned.progress.level);
        let tables = Tables::built_in();
        let mut found: BTreeMap<K, f32> = BTreeMap::new();
        let mut nodes = vec![Node { page: first, frames: 0.0 }];
        for pieces in 1..=MOST_PIECES {
            let mut children: Vec<(f32, Node)> = Vec::new();
            for node in &nodes {
                let values = tables.of(gravity).parent(&node.page);
                for piece in Piece::ALL {
                    let now = Spawned { page: node.page, piece, ..self.spawned };
                    reach.landings(&node.page, piece, gravity, false, MOST_FALL, |landing| {
                        let cells = landing.placement.cells();
                        if cells.iter().any(|(row, _)| !self.built.contains(row)) {
                            return;
                        }
                        let locked = now.lock(landing.placement, landing.frames, 0);
                        let frames = node.frames + f32::from(Edge::of(&locked, landing).frames);
                        if locked.rows == 0 {
                            if (self.goes_on)(locked.page()) {
                                let key = frames - tables.after(&values, &locked);
                                children.push((key, Node { page: *locked.page(), frames }));
                            }
                            return;
                        }
                        if locked.rows != 4 || frames - least(pieces) > MOST_MORE {
                            return;
                        }
                        let mut before = node.page;
                        cells.into_iter().for_each(|(row, column)| before.occupy(row, column));
                        if let Some(end) = (self.end)(&before, locked.page()) {
                            lower(&mut found, end, frames);
                        }
                    });
                }
            }
            children.sort_by(|a, b| a.0.total_cmp(&b.0));
            let mut seen = HashSet::new();
            children.retain(|(_, node)| seen.insert(node.page));
            nodes = children.into_iter().take(self.playfields).map(|(_, node)| node).collect();
        }
        found
    }
}

/// Keeps the lower number.
pub(in crate::tas) fn lower<K: Ord>(all: &mut BTreeMap<K, f32>, key: K, frames: f32) {
    let least = all.entry(key).or_insert(frames);
    *least = least.min(frames);
}
