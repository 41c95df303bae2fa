//! Which cycles are worth listing: those on fast ways from a bare floor back to one.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::iter;
use std::sync::atomic::AtomicBool;

use maxout_engine::game::timing::frames_per_row;
use maxout_engine::tas::{Page, Reach, Spawned};

use super::graph::{Above, Cycle, Sunk, hole_of};
use super::growth::{Known, best_of};
use crate::tas::improve::cycles::ends::{ends_by, lower};
use crate::tas::improve::cycles::top::{FIRST, Top};

/// Frames of a cycle on the fastest ways with chosen pieces that sink a row in each cycle: four cycles of 39 pieces take
/// 993 to 994 at level 18.
const CYCLE: f32 = 248.3;
/// Frames that an occupied cell of a top saves later: a piece of four cells takes 21.1, as in [`least`](crate::tas::improve::cycles::ends::least).
pub(super) const CELL: f32 = 5.28;
/// Playfields that are kept after each piece while the ends of cycles are looked for. Chosen by hand, as the next three.
const PLAYFIELDS: usize = 2000;
/// How often new tops are looked for, from those found before.
const GROWTHS: usize = 2;
/// Frames that a way to a new top may lose against [`CYCLE`] at most. With 20 instead of 12, and up to 400 new tops, there are 604 tops over the
/// columns 1, 3, 5 and 9.
const MOST_LOST: f32 = 20.0;
/// Most new tops of each growth. Over the columns 9, 3, 9 and 3 the first 14 cycles of the fastest game end in frame 4,494 with 30, and in
/// 4,482 with 100. Over 9, 5, 9 and 3 they end in 4,474 with 100 as with 200.
const MOST_NEW: usize = 400;
/// Frames that a way from a bare floor to one may lose against [`CYCLE`] at most if all its cycles are to be listed. Those of TASVideos' movie 4853M
/// lose 20.4 at most, those of our game in frame 10,461 14.4 (but for one that loses less over another column). There were 2,743 kinds of cycles with 26,
/// which take over an hour to list, and 534 with 15, which take 6 minutes: with both the first 14 cycles end in frame 4,458.
const MOST_SLACK: f32 = 21.0;

/// A top over ready rows with their hole in this column.
pub(super) type Over = (usize, Top);

/// A cycle from one top to another, and the rows that sink between them.
type Link = (Over, Over, Sunk);

/// The cycles found between tops, with the frames more than [`CYCLE`].
#[derive(Default)]
struct Links {
    tops: BTreeSet<Over>,
    all: BTreeMap<Link, f32>,
}

impl Links {
    /// For each top the fewest frames lost from a bare floor to it, and from it to a bare floor.
    fn lost(&self) -> (HashMap<Over, f32>, HashMap<Over, f32>) {
        let bare = || self.tops.iter().filter(|(_, top)| top.above().is_empty()).map(|&top| (top, 0.0));
        let (mut to, mut back): (HashMap<Over, f32>, HashMap<Over, f32>) = (bare().collect(), bare().collect());
        // No fast way has more tops between two bare floors.
        for _ in 0..self.tops.len().min(12) {
            for (&(from, then, _), lost) in &self.all {
                if let Some(before) = to.get(&from).copied() {
                    let best = to.entry(then).or_insert(before + lost);
                    *best = best.min(before + lost);
                }
                if let Some(after) = back.get(&then).copied() {
                    let best = back.entry(from).or_insert(after + lost);
                    *best = best.min(after + lost);
                }
            }
        }
        (to, back)
    }
}

/// The ends of each top that was looked at, by the frames that a row takes.
pub(super) type KnownEnds = Known<(u8, Over), Ends>;

/// The ends of a top and the rows that sink before each, with the frames of the fastest way to it.
pub(super) type Ends = Vec<((Over, Sunk), f32)>;

/// The cycles over floors with holes in these columns; `pages` are playfields of a game after its clears. `spawned` has
/// the level. `None` if it was stopped. `shown` gets the tops that were looked at, and all that are known.
pub(super) fn cycles(
    spawned: Spawned,
    holes: &BTreeSet<u8>,
    pages: &[Page],
    known: &KnownEnds,
    threads: usize,
    stop: &AtomicBool,
    mut shown: impl FnMut(usize, usize),
) -> Option<BTreeSet<Cycle>> {
    let gravity = frames_per_row(spawned.progress.level);
    let mut links = Links { tops: tops_of(holes, pages), ..Links::default() };
    for growth in 0..=GROWTHS {
        let mut new: BTreeMap<Over, f32> = BTreeMap::new();
        let (to, _) = links.lost();
        let all: Vec<(u8, Over)> = links.tops.iter().map(|&over| (gravity, over)).collect();
        let known = known.with(&all, threads, stop, &mut shown, |reach, (_, over)| ends(reach, spawned, over))?;
        for &from in &links.tops {
            for &((then, sunk), frames) in &known[&(gravity, from)] {
                let least = links.all.entry((from, then, sunk)).or_insert(f32::INFINITY);
                *least = least.min(frames - CYCLE);
                let cells: u32 = then.1.above().iter().map(|row| row.count_ones()).sum();
                let lost = to.get(&from).map_or(f32::INFINITY, |before| before + *least - CELL * cells as f32);
                lower(&mut new, then, lost);
            }
        }
        if growth < GROWTHS {
            let is_new = |(top, lost): &(Over, f32)| *lost <= MOST_LOST && !links.tops.contains(top);
            let new = new.into_iter().filter(is_new).collect();
            links.tops.extend(best_of(new, MOST_NEW).into_keys());
        }
    }
    let (to, back) = links.lost();
    let mut all = BTreeSet::new();
    for ((from, then, sunk), lost) in &links.all {
        let slack = to.get(from).zip(back.get(then)).map(|(before, after)| before + lost + after);
        if slack.is_some_and(|slack| slack <= MOST_SLACK) {
            let (start, end) = (Above::of_rows(from.1.above()), Above::of_rows(then.1.above()));
            all.insert((start, end.before(Some(*sunk))));
        }
    }
    Some(all)
}

/// The tops of these playfields over ready rows with their holes in these columns, and a bare floor of such rows.
pub(super) fn tops_of(holes: &BTreeSet<u8>, pages: &[Page]) -> BTreeSet<Over> {
    let over = |hole| pages.iter().filter_map(move |page| Some((hole, Top::of(page, hole)?.0)));
    holes
        .iter()
        .map(|&hole| usize::from(hole))
        .flat_map(|hole| iter::once((hole, Top::bare(hole))).chain(over(hole)))
        .collect()
}

/// The ends of the cycles from a top. `spawned` has the level.
pub(super) fn ends(reach: &mut Reach, spawned: Spawned, over: &Over) -> Ends {
    let (hole, top) = over;
    let end = |_: &Page, then: &Page| {
        // A cycle leaves a row more over the ready ones.
        let rows: Vec<u16> = (FIRST..).take(top.above().len() + 1).map(|row| then.row(row)).collect();
        if (0..FIRST).all(|row| then.row(row) == 0) { after(*hole, &rows) } else { None }
    };
    ends_by(reach, spawned, top, PLAYFIELDS, end).into_iter().collect()
}

/// The top after a cycle that leaves these rows over ready ones with their hole in this column, and the rows that sink: the lowest rows sink
/// if they have one hole, whatever their columns. `None` if the others are no top.
pub(super) fn after(hole: usize, mut rows: &[u16]) -> Option<(Over, Sunk)> {
    let mut holes = Vec::new();
    while let Some((&last, others)) = rows.split_last()
        && let Some(hole) = hole_of(last)
    {
        holes.push(hole);
        rows = others;
    }
    let hole = holes.last().map_or(hole, |&hole| usize::from(hole));
    Some(((hole, Top::over(hole, rows)?), Sunk::of(holes)?))
}
