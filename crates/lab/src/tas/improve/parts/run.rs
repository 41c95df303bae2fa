//! A run of cycles as a course: from some tops to others, with as many ready rows below it and as many clears as are wanted.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};

use maxout_engine::game::{Piece, ROWS};
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

impl Hole {
    /// That of a group of rows with their holes in the same of these columns, which is another one than below the group.
    const fn of_group(columns: u16, is_first: bool) -> Hole {
        Hole { columns, below: if is_first { Below::Other } else { Below::Same } }
    }
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

/// Where the holes of ready rows may be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Holes {
    /// The lowest row first.
    rows: Vec<Hole>,
    /// What an end counts depends on where the holes of the rows from this one on are.
    noted_from: usize,
}

/// The holes that decide what an end counts. Each row takes four bits, the column of its hole and one; there are at most four rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(super) struct Noted(u16);

impl Noted {
    fn and(self, hole: u8) -> Noted {
        Noted(self.0 << 4 | u16::from(hole + 1))
    }
}

impl Holes {
    fn of(rows: Vec<Hole>) -> Holes {
        Holes { rows, noted_from: usize::MAX }
    }

    /// Exactly there.
    pub(super) fn exactly(columns: &[u8]) -> Holes {
        Holes::of(columns.iter().map(|&column| Hole { columns: 1 << column, below: Below::Nothing }).collect())
    }

    /// Four rows each have their holes in the same of these columns (a bit for each), and the next four in another one.
    pub(super) fn in_fours(groups: &[u16]) -> Holes {
        let of_group = |&columns: &u16| (0..4).map(move |row| Hole::of_group(columns, row == 0));
        Holes::of(groups.iter().flat_map(of_group).collect())
    }

    /// These, and then exactly there.
    pub(super) fn then(mut self, columns: &[u8]) -> Holes {
        self.rows.extend(Holes::exactly(columns).rows);
        self
    }

    /// These, and then some rows with their holes in the same of these columns. What an end counts depends on the holes from there on.
    pub(super) fn then_noted(mut self, columns: u16, rows: usize) -> Holes {
        let noted_from = self.rows.len();
        self.rows.extend((0..rows).map(|row| Hole::of_group(columns, row == 0)));
        debug_assert!(rows <= 4, "{rows} rows");
        Holes { noted_from, ..self }
    }

    /// How many rows there are in the end.
    pub(super) fn rows(&self) -> usize {
        self.rows.len()
    }

    /// Those of ready rows with these holes.
    pub(super) fn noted(&self, holes: &[u8]) -> Noted {
        holes.iter().skip(self.noted_from).fold(Noted::default(), |noted, &hole| noted.and(hole))
    }

    /// May the row after `ready` ones have its hole there? `below`: the hole of the last of them.
    fn allow(&self, ready: u8, below: Option<u8>, hole: u8) -> bool {
        self.rows.get(usize::from(ready)).is_some_and(|it| {
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
    pub noted: Noted,
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
    /// Most bytes that its course may take.
    pub memory: u64,
    pub stop: &'a AtomicBool,
}

/// Where a run may end.
pub(super) type Ends = HashMap<(u32, Noted), End>;

/// An end of a run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct End {
    /// The ready rows.
    pub ready: u8,
    /// What it counts with each spawn count modulo 8, in frames; infinite: it is none. The spawn count decides which pieces may come
    /// twice in a row after the run.
    pub frames: [f32; SPAWN_COUNTS],
}

/// The end of these cells over all of these ready rows; `None` if no cycle leads there.
pub(super) fn end_at(graph: &Graph, above: &Above, holes: &Holes) -> Option<Ends> {
    let end = End { ready: holes.rows() as u8, frames: [0.0; SPAWN_COUNTS] };
    Some(Ends::from([((graph.node(above)?, Noted::default()), end)]))
}

/// The same ends with this spawn count modulo 8 alone.
pub(super) fn with_count(ends: &Ends, count: u8) -> Ends {
    let only = |frames: [f32; SPAWN_COUNTS]| {
        std::array::from_fn(|of| if of == usize::from(count) { frames[of] } else { f32::INFINITY })
    };
    ends.iter().map(|(&at, end)| (at, End { frames: only(end.frames), ..*end })).collect()
}

/// The playfields of each layer where games enter, by their places.
pub(super) type Index = Vec<HashMap<Place, u32>>;

/// Most pieces of a run.
pub(super) const MOST_PIECES: usize = 175;
/// First only ways are looked at that take at most this many frames more than the lowest bound. Chosen by hand: it changes the time alone,
/// not what is found.
const NARROW: f32 = 20.0;
/// From here on all ways are looked at.
const MOST_NARROW: f32 = 300.0;
/// How near a course comes to the slowest ways that the memory has room for, in frames. Chosen by hand: a try takes about a minute.
const NEAR: f32 = 8.0;
/// Bytes of a place: its ways as a list of their own, its end, and what is computed of it later.
const OF_PLACE: u64 = (size_of::<Vec<Way>>()
    + ALLOCATION
    + size_of::<Option<f32>>()
    + size_of::<[f32; Piece::COUNT]>()
    + 2 * size_of::<f32>()) as u64;
/// Bytes that a list takes beside what is in it.
const ALLOCATION: usize = 16;
/// Bytes of a way.
const OF_WAY: u64 = size_of::<Way>() as u64;

impl Run<'_> {
    /// The place of a game that is after a clear; `None` if it leads to no end.
    pub(super) fn place(&self, top: &Top, clears: u8) -> Option<Place> {
        let node = self.graph.node(&top.above)?;
        (self.holes.begin_with(&top.holes) && clears <= self.clears).then_some(Place {
            node,
            clears,
            ready: top.holes.len() as u8,
            hole: top.holes.last().copied(),
            noted: self.holes.noted(&top.holes),
        })
    }

    /// All ways from these places to the ends. Each entry has the number of its pieces, its place, and the frames that it comes later than
    /// the first one. Left out is what takes over `more` frames more than the fastest way, and the slowest ways where the memory has no room for
    /// all. `None` if none leads to an end, if not even the fastest has room, or if it was stopped.
    pub(super) fn course(&self, entries: &[(usize, Place, f32)], more: f32) -> Option<(Course, Index)> {
        let bounds = self.bounds(entries.iter().map(|entry| entry.1.clears).min()?);
        let least = |&(pieces, place, later): &(usize, Place, f32)| later + bounds.of(&place, self.count(pieces));
        let least = entries.iter().map(least).fold(f32::INFINITY, f32::min);
        if least.is_infinite() {
            return None;
        }
        let mut tries = Tries::new(least, more);
        loop {
            let Some((course, index)) = self.layers(entries, &bounds, tries.most) else {
                log::debug!("no room for all ways of up to {} frames through a run of cycles", tries.most);
                if self.stop.load(Ordering::Relaxed) || !tries.has_no_room() {
                    return None;
                }
                continue;
            };
            let entries = entries.iter().map(|&(at, place, later)| (at, index[at][&place], later));
            let entries: Vec<Entry> = entries.collect();
            let best = course.best(&entries);
            log::debug!("ways of up to {} frames through a run of cycles, the fastest of {best}", tries.most);
            if tries.is_enough(best) {
                return Some((course.pruned(&entries, more)?, index));
            }
        }
    }

    /// The spawn count, modulo 8, in the layer of this number.
    fn count(&self, pieces: usize) -> usize {
        usize::from(self.spawn_count.wrapping_add(pieces as u8)) % SPAWN_COUNTS
    }

    /// The fewest frames to an end, whatever the holes are, from places with at least `first` clears.
    fn bounds(&self, first: u8) -> Bounds {
        let mut order: Vec<(u32, u32)> = self.graph.nodes().map(|(above, node)| (above.cells.count(), node)).collect();
        // A piece that clears nothing leads to more cells.
        order.sort_unstable_by(|a, b| b.cmp(a));
        let nodes = self.graph.edges.len();
        let mut of_clears: Vec<Vec<[f32; SPAWN_COUNTS]>> = Vec::new();
        for clears in (first..=self.clears).rev() {
            let mut now = vec![[f32::INFINITY; SPAWN_COUNTS]; nodes];
            if clears == self.clears {
                for ((node, _), end) in &self.ends {
                    let of_node = &mut now[*node as usize];
                    of_node.iter_mut().zip(end.frames).for_each(|(least, frames)| *least = least.min(frames));
                }
            }
            for &(_, node) in &order {
                let mut least = now[node as usize];
                for edge in &self.graph.edges[node as usize] {
                    let then = if edge.clears.is_some() { of_clears.last() } else { Some(&now) };
                    let Some(then) = then.map(|then| then[edge.to as usize]) else { continue };
                    for (count, least) in least.iter_mut().enumerate() {
                        *least = least.min(f32::from(edge.frames) + then[(count + 1) % SPAWN_COUNTS]);
                    }
                }
                now[node as usize] = least;
            }
            of_clears.push(now);
        }
        of_clears.reverse();
        Bounds { first, of_clears }
    }

    /// The places that these lead to, layer by layer, but those from which no end can be reached within `most` frames. The index has those of
    /// the entries alone. `None` if there is no room for them, or if it was stopped.
    fn layers(&self, entries: &[(usize, Place, f32)], bounds: &Bounds, most: f32) -> Option<(Course, Index)> {
        let last = entries.iter().map(|entry| entry.0).max()?;
        let mut index: Index = vec![HashMap::new()];
        let mut places = Places::default();
        let mut course = Course::default();
        let mut bytes = 0;
        for pieces in 0..=MOST_PIECES {
            for &(_, place, later) in entries.iter().filter(|entry| entry.0 == pieces) {
                places.add(&mut index[pieces], place, later);
            }
            if places.all.is_empty() && pieces > last {
                break;
            }
            let (mut then, mut next) = (HashMap::new(), Places::default());
            let mut layer = Layer::default();
            let (count, next_count) = (self.count(pieces), self.count(pieces + 1));
            for (place, so_far) in places.all.iter().zip(&places.frames) {
                let end = self.ends.get(&(place.node, place.noted));
                let end = end.filter(|end| place.clears == self.clears && place.ready == end.ready);
                layer.ends.push(end.map(|end| end.frames[count]).filter(|frames| frames.is_finite()));
                let edges = self.graph.edges[place.node as usize].iter().filter(|_| pieces < MOST_PIECES);
                let ways = edges.filter_map(|edge| {
                    let after = self.after(*place, edge)?;
                    let Edge { piece, placement, frames, clears, .. } = *edge;
                    let so_far = so_far + f32::from(frames);
                    if so_far + bounds.of(&after, next_count) > most {
                        return None;
                    }
                    let to = next.add(&mut then, after, so_far);
                    Some(Way { piece, placement, frames, clears: clears.is_some(), to })
                });
                let mut ways: Vec<Way> = ways.collect();
                ways.shrink_to_fit();
                bytes += OF_PLACE + ways.len() as u64 * OF_WAY;
                if bytes > self.memory {
                    return None;
                }
                layer.ways.push(ways);
            }
            if self.stop.load(Ordering::Relaxed) {
                return None;
            }
            let entering: HashSet<Place> =
                entries.iter().filter(|entry| entry.0 == pieces).map(|entry| entry.1).collect();
            index[pieces].retain(|place, _| entering.contains(place));
            index[pieces].shrink_to_fit();
            course.layers.push(layer);
            index.push(then);
            places = next;
        }
        Some((course, index))
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
        let mut then = Place { node: edge.to, clears: place.clears + 1, ..place };
        for &hole in sunk.holes() {
            if !self.holes.allow(then.ready, then.hole, hole) {
                return None;
            }
            if usize::from(then.ready) >= self.holes.noted_from {
                then.noted = then.noted.and(hole);
            }
            (then.ready, then.hole) = (then.ready + 1, Some(hole));
        }
        Some(then)
    }
}

/// How slow the ways are that are looked at, try by try.
#[derive(Debug)]
struct Tries {
    /// The lowest bound: no way takes fewer frames. It knows nothing of holes, so the fastest way may take more.
    least: f32,
    /// Frames more than the fastest way that are wanted.
    more: f32,
    /// The most frames of the ways of this try.
    most: f32,
    /// The most frames of a try that had room, and whether there was a way.
    low: f32,
    has_way: bool,
    /// The fewest frames of a try that had none.
    too_much: f32,
    /// Is there no room for all ways?
    are_too_many: bool,
}

impl Tries {
    fn new(least: f32, more: f32) -> Tries {
        let most = if more.is_finite() { least + NARROW } else { f32::INFINITY };
        Tries { least, more, most, low: least, has_way: false, too_much: f32::INFINITY, are_too_many: false }
    }

    /// This try had no room. Is there another?
    fn has_no_room(&mut self) -> bool {
        if self.most.is_infinite() {
            self.are_too_many = true;
            // No way was found so far that takes few frames.
            let wide = self.least + MOST_NARROW;
            let is_new = self.low < wide;
            self.most = wide;
            return is_new;
        }
        self.too_much = self.most;
        let between = self.too_much - self.low;
        self.most = if self.has_way && between <= NEAR { self.low } else { self.low + between / 2.0 };
        self.has_way || between >= 1.0
    }

    /// This try had room, and its fastest way takes `best` frames, infinitely many without one. Are these all ways that are wanted, or is
    /// there no room for more?
    fn is_enough(&mut self, best: f32) -> bool {
        (self.low, self.has_way) = (self.most, best.is_finite());
        let between = self.too_much - self.most;
        let next = if self.has_way {
            best + self.more
        } else if self.most < self.least + MOST_NARROW {
            self.least + 4.0 * (self.most - self.least)
        } else {
            f32::INFINITY
        };
        if next <= self.most
            || between <= if self.has_way { NEAR } else { 1.0 }
            || next.is_infinite() && self.are_too_many
        {
            return true;
        }
        self.most = if between.is_finite() { next.min(self.most + between / 2.0) } else { next };
        false
    }
}

/// The fewest frames to an end, whatever the holes are.
struct Bounds {
    /// The fewest clears of a place.
    first: u8,
    /// By clears, node and spawn count modulo 8; infinite: no end is reached.
    of_clears: Vec<Vec<[f32; SPAWN_COUNTS]>>,
}

impl Bounds {
    fn of(&self, place: &Place, count: usize) -> f32 {
        self.of_clears[usize::from(place.clears - self.first)][place.node as usize][count]
    }
}

/// The places of a layer, and the fewest frames up to each.
#[derive(Default)]
struct Places {
    all: Vec<Place>,
    frames: Vec<f32>,
}

impl Places {
    /// The number of a place.
    fn add(&mut self, index: &mut HashMap<Place, u32>, place: Place, frames: f32) -> u32 {
        let number = *index.entry(place).or_insert_with(|| {
            self.all.push(place);
            self.frames.push(f32::INFINITY);
            self.all.len() as u32 - 1
        });
        let fewest = &mut self.frames[number as usize];
        *fewest = fewest.min(frames);
        number
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tries in which ways of up to `room` frames have room, and the fastest way takes `best`. The frames of the last one, if it has a way.
    fn last(room: f32, best: f32, more: f32) -> Option<f32> {
        let mut tries = Tries::new(1000.0, more);
        for _ in 0..60 {
            if tries.most > room {
                if !tries.has_no_room() {
                    return None;
                }
                continue;
            }
            let found = if best <= tries.most { best } else { f32::INFINITY };
            if tries.is_enough(found) {
                return found.is_finite().then_some(tries.most);
            }
        }
        panic!("no end: {room} {best} {more}: {tries:?}");
    }

    #[test]
    fn tries_end_with_the_ways_that_have_room() {
        for best in (1000..1350).step_by(7).map(|best| best as f32) {
            for more in [0.0, 5.0, 60.0, f32::INFINITY] {
                // With room for all, all that is wanted is there.
                assert!(last(f32::INFINITY, best, more).is_some_and(|most| most >= best + more), "{best} {more}");
                for room in (990..1500).step_by(3).map(|room| room as f32) {
                    match last(room, best, more) {
                        Some(most) => assert!((best..=room).contains(&most), "{best} {more} {room}: {most}"),
                        None => assert!(room < best + 1.0 || best > 1300.0, "{best} {more} {room}"),
                    }
                }
            }
        }
        // Without any way, too, they end.
        for room in [900.0, 1000.0, 1010.0, 1200.0, 5000.0, f32::INFINITY] {
            assert_eq!(last(room, f32::INFINITY, 60.0), None);
            assert_eq!(last(room, f32::INFINITY, f32::INFINITY), None);
        }
    }
}
