//! Cycles over a floor: a graph of all placements with which cycles are fast enough.
//!
//! Where rows lie that are full but for one cell, only that hole is no floor. So one graph serves for holes in any column:
//! each placement says which columns of the floor hold it.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::atomic::{AtomicBool, Ordering};

use maxout_engine::game::timing::frames_per_row;
use maxout_engine::game::{EntryDelay, FULL_ROW, Orientation, Piece, ROWS, WIDTH};
use maxout_engine::tas::{Page, Reach};
use serde::{Deserialize, Serialize};

use super::growth::Known;
use crate::tas::beam::{packed, unpacked};
use crate::tas::improve::cycles::ends::least;
use crate::tas::improve::cycles::fill::{fast_enough, placements_of_pieces};
use crate::tas::improve::cycles::top::FIRST;
use crate::tas::improve::cycles::upper::{END, Upper};
use crate::tas::path::{MOST_FALL, SHORTEST_CLEAR};

/// What lies above a floor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "(Upper, i8)", into = "(Upper, i8)")]
pub(super) struct Above {
    /// The occupied cells.
    pub cells: Upper,
    /// The first row of the floor.
    pub floor: i8,
}

impl From<Above> for (Upper, i8) {
    fn from(above: Above) -> (Upper, i8) {
        (above.cells, above.floor)
    }
}

impl TryFrom<(Upper, i8)> for Above {
    type Error = &'static str;

    fn try_from((cells, floor): (Upper, i8)) -> Result<Above, Self::Error> {
        if (0..=END).contains(&floor) { Ok(Above { cells, floor }) } else { Err("expected a floor in the upper rows") }
    }
}

/// Rows that have become part of the floor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(try_from = "Vec<u8>", into = "Vec<u8>")]
pub(super) struct Sunk {
    rows: u8,
    /// The column of each row's hole, the lowest row first.
    holes: [u8; MOST_SUNK],
}

impl From<Sunk> for Vec<u8> {
    fn from(sunk: Sunk) -> Vec<u8> {
        sunk.holes().to_vec()
    }
}

impl TryFrom<Vec<u8>> for Sunk {
    type Error = &'static str;

    fn try_from(holes: Vec<u8>) -> Result<Sunk, Self::Error> {
        let are_columns = holes.iter().all(|&hole| usize::from(hole) < WIDTH);
        are_columns.then(|| Sunk::of(holes)).flatten().ok_or("expected at most three holes")
    }
}

impl Sunk {
    /// Rows with their holes in these columns, the lowest row first; `None` if no cycle sinks that many.
    pub(super) fn of(holes: impl IntoIterator<Item = u8>) -> Option<Sunk> {
        holes.into_iter().try_fold(Sunk::default(), |mut sunk, hole| {
            *sunk.holes.get_mut(usize::from(sunk.rows))? = hole;
            sunk.rows += 1;
            Some(sunk)
        })
    }

    /// The column of each row's hole, the lowest row first.
    pub(super) fn holes(&self) -> &[u8] {
        &self.holes[..usize::from(self.rows)]
    }
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

/// A cycle: what it begins with, and the cells from row 0 on just before its clear. Those above row 0 do not count: where the others are
/// no multiple of four, one to three more lie there in any columns. A clear of row 0 moves them out.
pub(super) type Cycle = (Above, Upper);

/// A cycle whose ways are listed: the frames that a row takes, and those more than [`least`] that a way takes at most.
type WaysOf = (u8, u8, Cycle);
/// The pieces of all ways of the cycles that were listed.
pub(super) type KnownWays = Known<WaysOf, Vec<Filled>>;

/// All cycles from some tops to others.
#[derive(Debug, Clone, Default)]
pub(super) struct Graph {
    index: HashMap<Above, u32>,
    /// The edges of each node.
    pub edges: Vec<Vec<Edge>>,
}

/// Most rows that a cycle sinks: the two of a top, and a new one.
const MOST_SUNK: usize = 3;
/// Frames more than [`least`] that a cycle takes at most.
pub(super) const MOST_MORE: u8 = 26;
/// Most sets of cells after the same number of pieces; with more of them the cycle is left out. Those of 9 or 10 pieces
/// from the tops of the games that were looked at have fewer.
const MOST_SETS: usize = 1_500_000;

impl Above {
    /// The rows of a top, from row 4 on.
    pub(super) fn of_rows(rows: &[u16]) -> Above {
        let cells = (FIRST..).zip(rows).fold(Upper::NONE, |cells, (row, &it)| cells.with(Upper::in_row(it, row)));
        Above { cells, floor: FIRST + rows.len() as i8 }
    }

    /// The cells of a top and of `sunk` rows below it, as they are just before the clear that leaves them, one row higher.
    pub(super) fn before(&self, sunk: Option<Sunk>) -> Upper {
        let own = (FIRST..self.floor).map(|row| self.cells.row(row));
        let sunk = sunk.iter().flat_map(|sunk| sunk.holes().iter().rev().map(|&hole| ready_row(hole)));
        let rows = (FIRST - 1..).zip(own.chain(sunk));
        rows.fold(Upper::COMPLETED, |cells, (row, it)| cells.with(Upper::in_row(it, row)))
    }

    /// What a clear of the rows 0 to 2 leaves of these cells: rows with one hole have become part of the floor. `None` if more of them have
    /// than a cycle sinks.
    pub(super) fn after_clear(before: Upper, floor: i8) -> Option<(Above, Sunk)> {
        let mut rows: Vec<u16> = (FIRST - 1..floor).map(|row| before.row(row)).collect();
        let holes: Vec<u8> = rows.iter().rev().map_while(|&row| hole_of(row)).collect();
        rows.truncate(rows.len() - holes.len());
        Some((Above::of_rows(&rows), Sunk::of(holes)?))
    }

    /// What a clear leaves of these cells: that of the rows 0 to 2, or a plain one of four other rows, after which nothing sinks.
    pub(super) fn after(before: Upper, floor: i8) -> Option<(Above, Sunk)> {
        if before.row(0) == FULL_ROW {
            return Above::after_clear(before, floor);
        }
        let stays = |row: &i8| before.row(*row) != FULL_ROW;
        let rows: Vec<i8> = (0..floor).rev().filter(stays).collect();
        if rows.len() + 4 != floor as usize || before.row(-1) != 0 {
            return None;
        }
        let falls = (0..floor).rev().zip(rows).map(|(to, from)| Upper::in_row(before.row(from), to));
        Some((Above { cells: falls.fold(Upper::NONE, Upper::with), floor }, Sunk::default()))
    }

    /// What a page has over a floor.
    pub(super) fn over(page: &Page, floor: i8) -> Above {
        let rows = (0..floor).map(|row| Upper::in_row(page.row(row), row));
        Above { cells: rows.fold(Upper::NONE, Upper::with), floor }
    }

    /// The playfield with a floor that is full.
    pub(super) fn page(&self) -> Page {
        self.over_rows(|_| FULL_ROW)
    }

    /// The playfield over rows with their hole in this column.
    pub(super) fn page_over(&self, hole: u8) -> Page {
        self.over_rows(|_| ready_row(hole))
    }

    /// The playfield over a floor of these rows.
    pub(super) fn over_rows(&self, floor: impl Fn(i8) -> u16) -> Page {
        let mut page = Page::EMPTY;
        for row in -1..ROWS as i8 {
            let cells = if row < self.floor { self.cells.row(row) } else { floor(row) };
            (0..WIDTH as i8).filter(|column| cells >> column & 1 == 1).for_each(|column| page.occupy(row, column));
        }
        page
    }
}

/// A row whose only free cell is in this column.
pub(super) const fn ready_row(hole: u8) -> u16 {
    FULL_ROW & !(1 << hole)
}

/// The column of the only free cell of a row.
pub(super) fn hole_of(row: u16) -> Option<u8> {
    let free = !row & FULL_ROW;
    free.is_power_of_two().then(|| free.trailing_zeros() as u8)
}

impl Graph {
    /// Lists the ways of these cycles at the speed of a level, as far as they are not known; `None` if it was stopped. `shown` gets the
    /// cycles whose ways are known so far; it may read what is known.
    pub(super) fn of(
        level: u8,
        more: u8,
        cycles: &BTreeSet<Cycle>,
        known: &KnownWays,
        threads: usize,
        stop: &AtomicBool,
        mut shown: impl FnMut(usize),
    ) -> Option<Graph> {
        let gravity = frames_per_row(level);
        let fillers = Fillers::new(gravity);
        let all: Vec<WaysOf> = cycles.iter().map(|&cycle| (gravity, more, cycle)).collect();
        let find = |reach: &mut Reach, &(_, _, (start, target)): &WaysOf| {
            Filling { start, target, gravity, more, stop }.ways(reach, &fillers)
        };
        let known = known.with(&all, threads, stop, |listed, _| shown(listed), find)?;
        let mut graph = Graph::default();
        for of in &all {
            let (start, target) = of.2;
            known[of].iter().for_each(|way| graph.add(start.floor, target, way));
        }
        Some(graph)
    }

    /// All nodes, in no order.
    pub(super) fn nodes(&self) -> impl Iterator<Item = (&Above, u32)> {
        self.index.iter().map(|(above, &node)| (above, node))
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
        let (to, clears) = if way.to.without(Upper::ABOVE) == target {
            let Some((to, sunk)) = Above::after(way.to, floor) else { return };
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
    /// The cells from row 0 on just before the clear, as in a [`Cycle`].
    pub target: Upper,
    /// Frames that a row takes.
    pub gravity: u8,
    /// Frames more than [`least`] that a way takes at most.
    pub more: u8,
    pub stop: &'a AtomicBool,
}

/// One piece of a filling.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "(Upper, u16, u8)", into = "(Upper, u16, u8)")]
pub(super) struct Filled {
    pub from: Upper,
    pub piece: Piece,
    /// Packed.
    pub placement: u16,
    /// As in an [`Edge`].
    pub frames: u8,
    pub to: Upper,
}

impl From<Filled> for (Upper, u16, u8) {
    fn from(it: Filled) -> (Upper, u16, u8) {
        (it.from, it.placement, it.frames)
    }
}

impl TryFrom<(Upper, u16, u8)> for Filled {
    type Error = &'static str;

    fn try_from((from, placement, frames): (Upper, u16, u8)) -> Result<Filled, Self::Error> {
        let wrong = "expected a placement in the upper rows";
        let at = Orientation::from_id((placement >> 9) as u8).map(|_| unpacked(placement)).ok_or(wrong)?;
        let cells = Upper::of_placement(at).ok_or(wrong)?;
        Ok(Filled { from, piece: at.orientation.piece(), placement, frames, to: from.with(cells) })
    }
}

impl Filling<'_> {
    /// The pieces of all ways that are fast enough.
    pub(super) fn ways(&self, reach: &mut Reach, fillers: &Fillers) -> Vec<Filled> {
        let Some((placed, _)) = self.by_movement(reach, fillers) else { return Vec::new() };
        fast_enough(self.start.cells, &self.targets(), &placed, self.more.into(), |it| (it.from, it.to, it.frames))
    }

    /// How many cells above row 0 make whole pieces with the others.
    fn above(&self) -> u32 {
        self.target.without(self.start.cells).count().wrapping_neg() % 4
    }

    /// The cells just before the clear, with those above row 0.
    fn targets(&self) -> Vec<Upper> {
        let above = self.above();
        let rows = (0..=FULL_ROW).filter(|row| row.count_ones() == above);
        rows.map(|row| self.target.with(Upper::in_row(row, -1))).collect()
    }

    /// The frames of the fastest way, without a clear and with no cell above row 0; `None` if none is fast enough.
    pub(super) fn fewest(&self, reach: &mut Reach, fillers: &Fillers) -> Option<f32> {
        if self.start.cells == self.target {
            return Some(0.0);
        }
        if self.above() > 0 {
            return None;
        }
        Some(self.by_movement(reach, fillers)?.1? - SHORTEST_CLEAR as f32)
    }

    /// The pieces that lead to a target by real movement, layer by layer, and the frames of the fastest way, if one is fast enough. It goes
    /// from the last piece back: what takes too long with the fewest frames that the cells before it may take is left out. `None`: it
    /// begins with other cells, there are too many sets, or it was stopped.
    fn by_movement(&self, reach: &mut Reach, fillers: &Fillers) -> Option<(Vec<Vec<Filled>>, Option<f32>)> {
        let region = self.target.without(self.start.cells);
        if !self.start.cells.lies_within(self.target) {
            return None;
        }
        let pieces = region.count().div_ceil(4) as usize;
        let fits = |it: &&(Piece, Upper)| it.1.lies_within(region.with(Upper::ABOVE));
        let inside: Vec<(Piece, Upper)> = fillers.placements.iter().filter(fits).copied().collect();
        let start = self.start.cells;
        let floor = Upper::in_row(FULL_ROW, self.start.floor);
        let most = least(pieces) + f32::from(self.more);
        // Of the sets that lead to a target: the fewest frames to it.
        let mut left: BTreeMap<Upper, f32> = self.targets().into_iter().map(|target| (target, 0.0)).collect();
        let mut all = Vec::new();
        for layer in (0..pieces).rev() {
            let clear = if all.is_empty() { SHORTEST_CLEAR } else { 0 };
            let mut before: Vec<(Upper, u8, f32)> = Vec::new();
            for (&to, &rest) in &left {
                for &(piece, cells) in inside.iter().filter(|it| it.1.lies_within(to)) {
                    let from = to.without(cells);
                    if from.is_closed() || !cells.lies_on(from.with(floor)) {
                        continue;
                    }
                    let placed = from.without(start);
                    let frames = most - rest - fillers.fewest(placed);
                    if frames >= 0.0 && placed.may_be_filled() {
                        before.push((from, 1 << piece.index(), frames));
                    }
                }
            }
            before.sort_unstable_by_key(|it| it.0);
            // What leads to several sets: the pieces of all of them, and the most frames.
            before.dedup_by(|next, kept| {
                let is_same = next.0 == kept.0;
                if is_same {
                    kept.1 |= next.1;
                    kept.2 = kept.2.max(next.2);
                }
                is_same
            });
            before.retain(|(from, ..)| from.leaves_open(self.target.without(*from)));
            if before.len() > MOST_SETS || self.stop.load(Ordering::Relaxed) {
                return None;
            }
            let mut found: Vec<Filled> = Vec::new();
            let mut now: BTreeMap<Upper, f32> = BTreeMap::new();
            for (from, pieces, frames) in before {
                if layer == 0 && from != start {
                    continue;
                }
                let page = Above { cells: from, ..self.start }.page();
                let mut fewest = f32::INFINITY;
                let most_fall = MOST_FALL.min(frames as u32);
                for piece in Piece::ALL.into_iter().filter(|piece| pieces >> piece.index() & 1 == 1) {
                    reach.landings(&page, piece, self.gravity, false, most_fall, |landing| {
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
                if fewest + fillers.fewest(from.without(start)) <= most {
                    now.insert(from, fewest);
                }
            }
            found.retain(|it| now.contains_key(&it.from));
            all.push(found);
            left = now;
        }
        all.reverse();
        Some((all, left.get(&start).copied()))
    }
}

/// The pieces that fill cells, and the fewest frames that they take.
pub(super) struct Fillers {
    placements: Vec<(Piece, Upper)>,
    /// Of a cell in each row from row -1 on: a quarter of the frames of the fastest piece that covers it.
    of_cell: Vec<f32>,
}

impl Fillers {
    /// `gravity`: frames that a row takes.
    pub(super) fn new(gravity: u8) -> Fillers {
        let mut reach = Reach::stopping();
        // The fewest frames up to the next spawn of a piece that locks in each row.
        let mut fewest = [f32::INFINITY; ROWS];
        for floor in 1..=END + 2 {
            let page = Page::from_cells(|cell| (floor as usize * WIDTH..ROWS * WIDTH).contains(&cell));
            for piece in Piece::ALL {
                reach.landings(&page, piece, gravity, false, MOST_FALL, |landing| {
                    let y = landing.placement.y;
                    let frames = (landing.frames + EntryDelay::after(y, 0, 0).to_spawn) as f32;
                    let best = &mut fewest[y.max(0) as usize];
                    *best = best.min(frames);
                });
            }
        }
        // A piece reaches from two rows above its own to one below.
        let of_row = |row: i8| {
            let rows = (row - 1).max(0)..=(row + 2).min(ROWS as i8 - 1);
            rows.map(|y| fewest[y as usize]).fold(f32::INFINITY, f32::min) / 4.0
        };
        Fillers { placements: placements_of_pieces(), of_cell: (-1..END).map(of_row).collect() }
    }

    /// The fewest frames that pieces in these cells take.
    fn fewest(&self, cells: Upper) -> f32 {
        let of_row = |(row, frames): (i8, &f32)| cells.row(row).count_ones() as f32 * frames;
        (-1..).zip(&self.of_cell).map(of_row).sum()
    }
}
