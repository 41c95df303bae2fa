//! Cycles over a floor: a graph of all placements with which cycles are fast enough.
//!
//! Where rows lie that are full but for one cell, only that hole is no floor. So one graph serves for holes in any column:
//! each placement says which columns of the floor hold it.

use std::collections::{BTreeSet, HashMap};
use std::sync::atomic::{AtomicBool, Ordering};

use maxout_engine::game::timing::frames_per_row;
use maxout_engine::game::{EntryDelay, FULL_ROW, Piece, ROWS, WIDTH};
use maxout_engine::parallel;
use maxout_engine::tas::{Page, Reach};

use crate::tas::beam::packed;
use crate::tas::improve::cycles::ends::least;
use crate::tas::improve::cycles::fill::{Cells, fast_enough, placements};
use crate::tas::improve::cycles::top::FIRST;
use crate::tas::improve::cycles::upper::Upper;
use crate::tas::path::{MOST_FALL, SHORTEST_CLEAR};

/// What lies above a floor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Above {
    /// The occupied cells.
    pub cells: Upper,
    /// The first row of the floor.
    pub floor: i8,
}

/// Rows that have become part of the floor: all have their hole in the same column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Sunk {
    pub rows: u8,
    pub hole: u8,
}

/// One piece of a cycle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Edge {
    pub piece: Piece,
    /// Packed.
    pub placement: u16,
    /// Frames from the spawn to the next one: the earliest lock, no pause, and the shortest clear.
    pub frames: u8,
    /// The columns of the floor that hold the piece; all of them where another cell holds it.
    pub held_by: u16,
    /// After a clear: what has sunk.
    pub clears: Option<Sunk>,
    pub to: u32,
}

/// A cycle: what it begins with, and the cells just before its clear.
pub(super) type Cycle = (Above, Upper);

/// All cycles from some tops to others.
#[derive(Debug, Clone, Default)]
pub(super) struct Graph {
    index: HashMap<Above, u32>,
    /// The edges of each node.
    pub edges: Vec<Vec<Edge>>,
}

/// Frames more than [`least`] that a cycle takes at most.
pub(super) const MOST_MORE: f32 = 26.0;
/// Most sets of cells after the same number of pieces; with more of them the cycle is left out. Those of 9 or 10 pieces
/// from the tops of the games that were looked at have fewer.
const MOST_SETS: usize = 1_500_000;
/// The fewest frames that a piece of a cycle takes: it falls for 3, and the entry delay of the uppermost rows is 18.
const FEWEST_FRAMES: f32 = 20.0;
/// Cycles that a thread lists between two calls for progress, on average.
const AT_ONCE: usize = 3;

impl Above {
    /// The rows of a top, from row 4 on.
    pub(super) fn of_rows(rows: &[u16]) -> Above {
        let cells = (FIRST..).zip(rows).fold(Upper::NONE, |cells, (row, &it)| cells.with(Upper::in_row(it, row)));
        Above { cells, floor: FIRST + rows.len() as i8 }
    }

    /// The cells of a top and of `sunk` rows below it, as they are just before the clear that leaves them, one row higher.
    pub(super) fn before(&self, sunk: Option<Sunk>) -> Upper {
        let own = (FIRST..self.floor).map(|row| self.cells.row(row));
        let sunk = sunk.into_iter().flat_map(|sunk| (0..sunk.rows).map(move |_| FULL_ROW & !(1 << sunk.hole)));
        let rows = (FIRST - 1..).zip(own.chain(sunk));
        rows.fold(Upper::COMPLETED, |cells, (row, it)| cells.with(Upper::in_row(it, row)))
    }

    /// What a clear of the rows 0 to 2 leaves of these cells: rows with one hole have become part of the floor. `None` if
    /// their holes lie in different columns.
    pub(super) fn after_clear(before: Upper, floor: i8) -> Option<(Above, Sunk)> {
        let mut rows: Vec<u16> = (FIRST - 1..floor).map(|row| before.row(row)).collect();
        let mut sunk = Sunk { rows: 0, hole: 0 };
        while let Some(hole) = rows.last().and_then(|&row| hole_of(row)) {
            if sunk.rows > 0 && sunk.hole != hole {
                return None;
            }
            sunk = Sunk { rows: sunk.rows + 1, hole };
            rows.pop();
        }
        Some((Above::of_rows(&rows), sunk))
    }

    /// The playfield with a floor that is full.
    pub(super) fn page(&self) -> Page {
        let mut page = Page::EMPTY;
        for row in -1..ROWS as i8 {
            let cells = if row < self.floor { self.cells.row(row) } else { FULL_ROW };
            (0..WIDTH as i8).filter(|column| cells >> column & 1 == 1).for_each(|column| page.occupy(row, column));
        }
        page
    }
}

/// The column of the only free cell of a row.
pub(super) fn hole_of(row: u16) -> Option<u8> {
    let free = !row & FULL_ROW;
    free.is_power_of_two().then(|| free.trailing_zeros() as u8)
}

impl Graph {
    /// Lists the ways of these cycles at the speed of a level; `None` if it was stopped. `shown` gets the cycles listed so
    /// far.
    pub(super) fn of(
        level: u8,
        cycles: &BTreeSet<Cycle>,
        threads: usize,
        stop: &AtomicBool,
        mut shown: impl FnMut(usize),
    ) -> Option<Graph> {
        let (placements, gravity) = (placements(), frames_per_row(level));
        let all: Vec<Cycle> = cycles.iter().copied().collect();
        let mut graph = Graph::default();
        let mut listed = 0;
        for some in all.chunks(AT_ONCE * threads.max(1)) {
            let found =
                parallel::map(threads, &mut Reach::stopping(), Reach::stopping, some.to_vec(), |reach, cycle| {
                    let filling = Filling { start: cycle.0, target: cycle.1, gravity, stop };
                    (cycle, filling.ways(reach, &placements))
                });
            if stop.load(Ordering::Relaxed) {
                return None;
            }
            for ((start, target), ways) in found {
                ways.iter().for_each(|way| graph.add(start.floor, target, way));
            }
            listed += some.len();
            shown(listed);
        }
        Some(graph)
    }

    /// The node of these cells, if a cycle leads through it.
    pub(super) fn node(&self, above: &Above) -> Option<u32> {
        self.index.get(above).copied()
    }

    fn node_of(&mut self, above: Above) -> u32 {
        let new = self.edges.len() as u32;
        let node = *self.index.entry(above).or_insert(new);
        if node == new {
            self.edges.push(Vec::new());
        }
        node
    }

    fn add(&mut self, floor: i8, target: Upper, way: &Filled) {
        let (to, clears) = if way.to == target {
            let Some((to, sunk)) = Above::after_clear(target, floor) else { return };
            (to, Some(sunk))
        } else {
            (Above { cells: way.to, floor }, None)
        };
        let from = self.node_of(Above { cells: way.from, floor });
        if self.edges[from as usize].iter().any(|edge| edge.placement == way.placement) {
            return;
        }
        let to = self.node_of(to);
        let piece = way.to.without(way.from);
        let held_by = if piece.lies_on(way.from) { FULL_ROW } else { piece.row(floor - 1) };
        let edge = Edge { piece: way.piece, placement: way.placement, frames: way.frames, held_by, clears, to };
        self.edges[from as usize].push(edge);
    }
}

/// A cycle whose cells are filled by any pieces in any order.
pub(super) struct Filling<'a> {
    pub start: Above,
    /// The cells just before the clear.
    pub target: Upper,
    /// Frames that a row takes.
    pub gravity: u8,
    pub stop: &'a AtomicBool,
}

/// One piece of a filling.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Filled {
    pub from: Upper,
    pub piece: Piece,
    /// Packed.
    pub placement: u16,
    /// As in an [`Edge`].
    pub frames: u8,
    pub to: Upper,
}

impl Filling<'_> {
    /// The pieces of all ways that are fast enough.
    pub(super) fn ways(&self, reach: &mut Reach, placements: &[Upper]) -> Vec<Filled> {
        let Above { cells: start, .. } = self.start;
        let region = self.target.without(start);
        if !region.count().is_multiple_of(4) || !start.lies_within(self.target) {
            return Vec::new();
        }
        let pieces = region.count() as usize / 4;
        let fits = |it: &&Upper| it.lies_within(self.target) && !it.meets(start);
        let inside: Vec<Upper> = placements.iter().filter(fits).copied().collect();
        let floor = Upper::in_row(FULL_ROW, self.start.floor);
        let cells = Cells { start, target: self.target, floor, most: MOST_SETS };
        let Some(sets) = cells.sets(pieces, &inside, self.stop) else { return Vec::new() };
        let placed = self.by_movement(reach, &sets, &inside);
        fast_enough(start, self.target, &placed, MOST_MORE, |it| (it.from, it.to, it.frames))
    }

    /// The pieces that lead to the target by real movement, layer by layer.
    fn by_movement(&self, reach: &mut Reach, sets: &[Vec<Upper>], inside: &[Upper]) -> Vec<Vec<Filled>> {
        // Of the sets that lead to the target: the fewest frames to it.
        let mut left: HashMap<Upper, f32> = HashMap::from([(self.target, 0.0)]);
        let most = least(sets.len()) + MOST_MORE;
        let mut all = Vec::new();
        for (layer, sets) in sets.iter().enumerate().rev() {
            let clear = if all.is_empty() { SHORTEST_CLEAR } else { 0 };
            let mut found: Vec<Filled> = Vec::new();
            let mut now: HashMap<Upper, f32> = HashMap::new();
            for &from in sets {
                if !inside.iter().any(|&cells| !cells.meets(from) && left.contains_key(&from.with(cells))) {
                    continue;
                }
                let page = Above { cells: from, ..self.start }.page();
                let (begin, mut fewest) = (found.len(), f32::INFINITY);
                for piece in Piece::ALL {
                    reach.landings(&page, piece, self.gravity, false, MOST_FALL, |landing| {
                        let Some(to) = Upper::of_placement(landing.placement).map(|cells| from.with(cells)) else {
                            return;
                        };
                        let Some(rest) = left.get(&to) else { return };
                        let entry_delay = EntryDelay::after(landing.placement.y, 0, 0).to_spawn;
                        let frames = (landing.frames + entry_delay + clear) as u8;
                        fewest = fewest.min(f32::from(frames) + rest);
                        found.push(Filled { from, piece, placement: packed(landing.placement), frames, to });
                    });
                }
                if fewest + FEWEST_FRAMES * layer as f32 <= most {
                    now.insert(from, fewest);
                } else {
                    found.truncate(begin);
                }
            }
            all.push(found);
            left = now;
        }
        all.reverse();
        all
    }
}
