//! A run of cycles as a course: from some tops to one, with as many ready rows below it and as many clears as are wanted.

use std::collections::HashMap;

use maxout_engine::game::ROWS;
use maxout_engine::tas::Page;

use super::course::{Course, Entry, Layer, Way};
use super::graph::{Above, Edge, Graph, hole_of};
use crate::tas::improve::cycles::top::FIRST;
use crate::tas::odds::DrawOdds;

/// The pieces that may come twice in a row depend on the spawn count modulo this.
pub(super) const SPAWN_COUNTS: usize = DrawOdds::COUNTS;
/// Most rows above the ready ones.
const MOST_ABOVE: usize = 2;

/// What lies above the ready rows after a clear, and the holes of those.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Top {
    pub above: Above,
    /// The column of each ready row's hole, the lowest row first.
    pub holes: Vec<u8>,
}

impl Top {
    /// `None` if cells above row 4 are occupied, or no ready row comes within three rows.
    pub(super) fn of(page: &Page) -> Option<Top> {
        let row = |row: i8| page.row(row);
        if (0..FIRST).any(|it| row(it) != 0) {
            return None;
        }
        let first = (FIRST..=FIRST + MOST_ABOVE as i8).find(|&it| hole_of(row(it)).is_some())?;
        let rows: Vec<u16> = (FIRST..first).map(row).collect();
        if rows.contains(&0) {
            return None;
        }
        let mut holes: Vec<u8> = (first..ROWS as i8).map_while(|it| hole_of(row(it))).collect();
        holes.reverse();
        Some(Top { above: Above::of_rows(&rows), holes })
    }

    /// Cells that need not be filled again.
    pub(super) fn kept(&self) -> u32 {
        self.above.cells.count() + 9 * self.holes.len() as u32
    }
}

/// Where the hole of a ready row may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Hole {
    /// A bit for each column.
    columns: u16,
    below: Below,
}

/// What the hole of a ready row has to do with that of the row below.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Below {
    Nothing,
    /// It is in the same column.
    Same,
    /// It is in another column.
    Other,
}

/// Where the holes of ready rows may be, the lowest row first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Holes(Vec<Hole>);

impl Holes {
    /// Exactly there.
    pub(super) fn exactly(columns: &[u8]) -> Holes {
        Holes(columns.iter().map(|&column| Hole { columns: 1 << column, below: Below::Nothing }).collect())
    }

    /// Four rows each have their holes in the same of these columns (a bit for each), and the next four in another one.
    pub(super) fn in_fours(groups: &[u16]) -> Holes {
        let of_group =
            |&columns: &u16| [Below::Other, Below::Same, Below::Same, Below::Same].map(|below| Hole { columns, below });
        Holes(groups.iter().flat_map(of_group).collect())
    }

    /// These, and then exactly there.
    pub(super) fn then(mut self, columns: &[u8]) -> Holes {
        self.0.extend(Holes::exactly(columns).0);
        self
    }

    /// How many rows there are in the end.
    pub(super) fn rows(&self) -> usize {
        self.0.len()
    }

    /// The columns of all rows, a bit for each.
    pub(super) fn columns(&self) -> u16 {
        self.0.iter().fold(0, |columns, hole| columns | hole.columns)
    }

    /// May the row after `ready` ones have its hole there? `below`: the hole of the last of them.
    fn allow(&self, ready: u8, below: Option<u8>, hole: u8) -> bool {
        self.0.get(usize::from(ready)).is_some_and(|it| {
            it.columns >> hole & 1 == 1
                && match it.below {
                    Below::Nothing => true,
                    Below::Same => below == Some(hole),
                    Below::Other => below != Some(hole),
                }
        })
    }

    /// Do ready rows with these holes lead to all of them?
    pub(super) fn begin_with(&self, holes: &[u8]) -> bool {
        let below = [None].into_iter().chain(holes.iter().copied().map(Some));
        (0..).zip(holes).zip(below).all(|((ready, &hole), below)| self.allow(ready, below, hole))
    }
}

/// Where a run is: the node of the graph, the clears so far, the ready rows, and the hole of the uppermost of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Place {
    pub node: u32,
    pub clears: u8,
    pub ready: u8,
    pub hole: Option<u8>,
}

/// A run.
pub(super) struct Run<'a> {
    pub graph: &'a Graph,
    /// Where it may end.
    pub ends: Ends,
    /// The holes of the ready rows at its end.
    pub holes: &'a Holes,
    /// The clears up to its end.
    pub clears: u8,
    /// The spawn count of the first layer.
    pub spawn_count: u8,
}

/// The nodes where a run may end: what an end counts with each spawn count modulo 8, in frames; infinite: it is none. The spawn
/// count decides which pieces may come twice in a row after the run.
pub(super) type Ends = HashMap<u32, [f32; SPAWN_COUNTS]>;

/// The end of these cells, with this spawn count modulo 8; `None`: any.
pub(super) fn end_at(graph: &Graph, above: &Above, count: Option<u8>) -> Option<Ends> {
    let frames = |of: usize| if count.is_none_or(|count| usize::from(count) == of) { 0.0 } else { f32::INFINITY };
    Some(Ends::from([(graph.node(above)?, std::array::from_fn(frames))]))
}

/// The playfields of each layer by their places.
pub(super) type Index = Vec<HashMap<Place, u32>>;

/// Most pieces of a run.
const MOST_PIECES: usize = 175;

impl Run<'_> {
    /// The place of a game that is after a clear; `None` if it leads to no end.
    pub(super) fn place(&self, top: &Top, clears: u8) -> Option<Place> {
        let node = self.graph.node(&top.above)?;
        (self.holes.begin_with(&top.holes) && clears <= self.clears).then_some(Place {
            node,
            clears,
            ready: top.holes.len() as u8,
            hole: top.holes.last().copied(),
        })
    }

    /// All ways from these places to the end. Each entry has the number of its pieces, its place, and the frames that it comes later than
    /// the first one. Left out is what takes over `more` frames more than the fastest way. `None` if none leads to the end.
    pub(super) fn course(&self, entries: &[(usize, Place, f32)], more: f32) -> Option<(Course, Index)> {
        let last = entries.iter().map(|entry| entry.0).max()?;
        let mut index: Index = vec![HashMap::new()];
        let mut places: Vec<Place> = Vec::new();
        let mut course = Course::default();
        for pieces in 0..=MOST_PIECES {
            for &(_, place, _) in entries.iter().filter(|entry| entry.0 == pieces) {
                add(&mut index[pieces], &mut places, place);
            }
            if places.is_empty() && pieces > last {
                break;
            }
            let (mut then, mut next) = (HashMap::new(), Vec::new());
            let mut layer = Layer::default();
            let count = usize::from(self.spawn_count.wrapping_add(pieces as u8)) % SPAWN_COUNTS;
            for place in &places {
                let is_end = place.clears == self.clears && usize::from(place.ready) == self.holes.rows();
                let end = self.ends.get(&place.node).map(|ends| ends[count]);
                layer.ends.push(end.filter(|frames| is_end && frames.is_finite()));
                let edges = self.graph.edges[place.node as usize].iter().filter(|_| pieces < MOST_PIECES);
                let ways = edges.filter_map(|edge| {
                    let to = add(&mut then, &mut next, self.after(*place, edge)?);
                    let Edge { piece, placement, frames, clears, .. } = *edge;
                    Some(Way { piece, placement, frames, clears: clears.is_some(), to })
                });
                layer.ways.push(ways.collect());
            }
            course.layers.push(layer);
            index.push(then);
            places = next;
        }
        let entries: Vec<Entry> = entries.iter().map(|&(at, place, later)| (at, index[at][&place], later)).collect();
        Some((course.pruned(&entries, more)?, index))
    }

    /// The place after a piece; `None` if the piece would fall into the hole, or the run does not get to its end from there.
    fn after(&self, place: Place, edge: &Edge) -> Option<Place> {
        let hole = place.hole.map_or(0, |hole| 1 << hole);
        if edge.held_by & !hole == 0 {
            return None;
        }
        let Some(sunk) = edge.clears else { return Some(Place { node: edge.to, ..place }) };
        if place.clears == self.clears {
            return None;
        }
        let (mut ready, mut hole) = (place.ready, place.hole);
        for _ in 0..sunk.rows {
            if !self.holes.allow(ready, hole, sunk.hole) {
                return None;
            }
            (ready, hole) = (ready + 1, Some(sunk.hole));
        }
        Some(Place { node: edge.to, clears: place.clears + 1, ready, hole })
    }
}

/// The number of a place in its layer.
fn add(index: &mut HashMap<Place, u32>, places: &mut Vec<Place>, place: Place) -> u32 {
    *index.entry(place).or_insert_with(|| {
        places.push(place);
        places.len() as u32 - 1
    })
}
