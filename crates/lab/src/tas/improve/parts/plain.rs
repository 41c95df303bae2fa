//! Plain tetrises over ready rows: which of them are worth listing.
//!
//! From level 19 on pieces fall too fast for cycles, so a game makes tetrises of other rows and leaves the ready ones for the last
//! burst. All these tetrises lie over the same floor, so their placements make one [`Graph`](super::graph::Graph), like those of cycles.
//! Which playfields are worth it between them is found by beams: those on the fastest ways from the game's own playfield before the
//! first of them to one whose rows soon become ready, too.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::atomic::AtomicBool;

use maxout_engine::game::ROWS;
use maxout_engine::game::timing::frames_per_row;
use maxout_engine::parallel;
use maxout_engine::tas::{Page, Reach, Spawned};

use super::graph::{self, Above, Cycle, Fillers, Filling, hole_of, ready_row};
use super::growth::{Known, best_of};
use super::tops::CELL;
use crate::tas::improve::cycles::ends::{self, Beam, least, lower};
use crate::tas::improve::cycles::has_full_row_0;
use crate::tas::improve::cycles::top::FIRST;
use crate::tas::improve::cycles::upper::{END, Upper};
use crate::tas::improve::skeleton::Step;

/// How many tetrises are looked for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Effort {
    /// Playfields that are kept after each piece while the ends of tetrises are looked for.
    pub playfields: usize,
    /// How often new playfields are looked for, from those found before.
    pub growths: usize,
    /// Most new playfields of each growth.
    pub most_new: usize,
    /// Most playfields before the last burst.
    pub most_ends: usize,
    /// Most tetrises that are listed: those on the fastest ways.
    pub most_tetrises: usize,
}

impl Effort {
    /// Chosen by hand: looking for tetrises and listing them takes four minutes of two cores.
    pub(super) const BUILT_IN: Effort =
        Effort { playfields: 2000, growths: 3, most_new: 80, most_ends: 60, most_tetrises: 400 };
}

/// The plain tetrises of a game.
#[derive(Debug, Clone)]
pub(super) struct Plain {
    pub clears: u8,
    /// What lies over the floor before the first of them.
    pub first: Above,
    /// The game's own tetrises.
    pub own: Vec<Tetris>,
    /// The holes of the ready rows that are the floor, the lowest first.
    pub holes: Vec<u8>,
}

impl Plain {
    /// `None` if these pieces do not make plain tetrises over ready rows, at one speed.
    pub(super) fn of(steps: &[Step], pieces: Range<usize>) -> Option<Plain> {
        let part = &steps[pieces];
        let page = part.first()?.spawned.page;
        let speed = |step: &Step| frames_per_row(step.spawned.progress.level);
        let is_plain = |step: &Step| {
            matches!(step.rows, 0 | 4) && speed(step) == speed(&part[0]) && !(step.rows > 0 && has_full_row_0(step))
        };
        let lowest = part.iter().flat_map(|step| step.placement.cells()).map(|(row, _)| row).max()?;
        let floor = lowest + 1;
        if floor >= END || !part.iter().all(is_plain) || part.last()?.rows == 0 {
            return None;
        }
        let mut holes: Vec<u8> = (floor..ROWS as i8).map(|row| hole_of(page.row(row))).collect::<Option<_>>()?;
        holes.reverse();
        let first = Above::over(&page, floor);
        let (mut from, mut own) = (first, Vec::new());
        for steps in part.split_inclusive(|step| step.rows > 0) {
            let cells = steps.iter().map(|step| Upper::of_placement(step.placement));
            let before = cells.collect::<Option<Vec<Upper>>>()?.into_iter().fold(from.cells, Upper::with);
            let (then, _) = Above::after(before, floor)?;
            own.push((from, (before, then)));
            from = then;
        }
        Some(Plain { clears: own.len() as u8, first, own, holes })
    }

    /// The last rows of the floor, which ready rows above it make four: numbers of [`Plain::holes`].
    pub(super) fn last_rows(&self) -> Range<usize> {
        self.holes.len() / 4 * 4..self.holes.len()
    }

    /// The same tetrises over a floor whose last rows have their hole in this column. The game's own ones lie over its own floor alone.
    pub(super) fn over_hole(&self, hole: u8) -> Plain {
        let mut other = self.clone();
        other.holes[self.last_rows()].fill(hole);
        if other.holes != self.holes {
            other.own.clear();
        }
        other
    }

    /// The hole of the floor's first row.
    pub(super) fn hole(&self) -> u8 {
        self.holes.last().copied().unwrap_or_default()
    }

    /// A row of the floor.
    pub(super) fn row(&self, row: i8) -> u16 {
        let hole = self.holes.iter().rev().nth((row - self.first.floor) as usize);
        hole.map_or(0, |&hole| ready_row(hole))
    }

    /// Ready rows above the floor, with their holes over that of its first row.
    fn ready(&self) -> Upper {
        let ready = ready_row(self.hole());
        (FIRST..self.first.floor).fold(Upper::NONE, |cells, row| cells.with(Upper::in_row(ready, row)))
    }
}

/// How a tetris ends: what is occupied just before its clear, and what it leaves.
pub(super) type End = (Upper, Above);
/// A tetris: what it begins with, and its end.
pub(super) type Tetris = (Above, End);
/// The frames that a row takes, the hole of the floor's first row, and what lies over it.
pub(super) type Over = (u8, u8, Above);
/// The ends of a playfield, with the frames of the fastest way to each.
pub(super) type Ends = Vec<(End, f32)>;

/// The ends of each playfield that was looked at.
pub(super) type KnownEnds = Known<Over, Ends>;

/// The ends of tetrises from a playfield. `spawned` has the level.
fn ends_from(reach: &mut Reach, spawned: Spawned, start: &Above, hole: u8, playfields: usize) -> Ends {
    let floor = start.floor;
    let goes_on = |page: &Page| !Above::over(page, floor).cells.is_closed();
    let end = |before: &Page, _: &Page| {
        let before = Above::over(before, floor).cells;
        Some((before, Above::after(before, floor)?.0))
    };
    // What is occupied above row 0 stays there.
    let found = Beam { spawned, built: 0..floor, playfields, goes_on, end }.ends(reach, start.page_over(hole));
    found.into_iter().collect()
}

/// How tetrises are looked for.
pub(super) struct Growing<'a> {
    pub plain: &'a Plain,
    /// It has the level.
    pub spawned: Spawned,
    pub known: &'a KnownEnds,
    pub effort: Effort,
    pub threads: usize,
    pub stop: &'a AtomicBool,
}

/// The tetrises that are worth listing.
#[derive(Debug, Clone)]
pub(super) struct Worth {
    pub tetrises: BTreeSet<Cycle>,
    /// What the last of them may leave.
    pub ends: BTreeSet<Above>,
}

/// Tetrises, each with the frames that it takes more than [`least`].
type Links = BTreeMap<Tetris, f32>;
/// The frames that are lost up to a playfield, or from it on.
type Lost = BTreeMap<Above, f32>;

impl Growing<'_> {
    /// The tetrises on the fastest ways. `shown` gets the playfields that were looked at, and all that are known. `None` if it
    /// was stopped.
    pub(super) fn worth(&self, mut shown: impl FnMut(usize, usize)) -> Option<Worth> {
        let own = &self.plain.own;
        let mut tops: BTreeSet<Above> = own.iter().map(|tetris| tetris.0).chain([self.plain.first]).collect();
        let mut links = self.links(&tops, &mut shown)?;
        for _ in 0..self.effort.growths {
            tops.extend(self.new_tops(&tops, &links));
            links = self.links(&tops, &mut shown)?;
        }
        let to = self.lost(&tops, &links);
        let ends = self.ends(to.last()?);
        let own_end = own.last().map(|tetris| tetris.1.1);
        let tetrises = self.fastest(&links, &to, &ends).into_iter().chain(own.iter().map(|&(from, end)| (from, end.0)));
        Some(Worth { tetrises: tetrises.collect(), ends: ends.into_keys().chain(own_end).collect() })
    }

    /// The tetrises from these playfields; `None` if it was stopped.
    fn links(&self, tops: &BTreeSet<Above>, shown: &mut impl FnMut(usize, usize)) -> Option<Links> {
        let over = |top: Above| (frames_per_row(self.spawned.progress.level), self.plain.hole(), top);
        let all: Vec<Over> = tops.iter().copied().map(over).collect();
        let known = self.known.with(&all, self.threads, self.stop, shown, |reach, (_, hole, top)| {
            ends_from(reach, self.spawned, top, *hole, self.effort.playfields)
        })?;
        let more = |top: &Above, end: &End, frames| frames - least(end.0.without(top.cells).count() as usize / 4);
        let of = |top: Above| known[&over(top)].iter().map(move |(end, frames)| ((top, *end), more(&top, end, frames)));
        Some(tops.iter().flat_map(|&top| of(top)).collect())
    }

    /// The frames lost up to each playfield, by the number of clears; after the last clear all playfields, before it only `tops`.
    fn lost(&self, tops: &BTreeSet<Above>, links: &Links) -> Vec<Lost> {
        let mut to = vec![Lost::from([(self.plain.first, 0.0)])];
        for clears in 1..=self.plain.clears {
            let mut next = after(links, &to[usize::from(clears) - 1]);
            next.retain(|then, _| clears == self.plain.clears || tops.contains(then));
            to.push(next);
        }
        to
    }

    /// The playfields that are no tops yet, with the fewest frames lost up to them against the fastest one after as many clears.
    fn new_tops(&self, tops: &BTreeSet<Above>, links: &Links) -> Vec<Above> {
        let mut new = Lost::new();
        let to = self.lost(tops, links);
        for before in &to[..usize::from(self.plain.clears).saturating_sub(1)] {
            let next = after(links, before);
            let fewest = next.values().copied().fold(f32::INFINITY, f32::min);
            for (then, lost) in next.into_iter().filter(|it| !tops.contains(&it.0)) {
                lower(&mut new, then, lost - fewest);
            }
        }
        best_of(new, self.effort.most_new).into_keys().collect()
    }

    /// The best playfields after the last clear whose rows soon become ready: with the frames up to that.
    fn ends(&self, to: &Lost) -> Lost {
        let ready = self.plain.ready();
        let gravity = frames_per_row(self.spawned.progress.level);
        let fillers = Fillers::new(gravity);
        let left = |start: Above| {
            let filling = Filling { start, target: ready, gravity, more: graph::MOST_MORE, stop: self.stop };
            Some((start, filling.fewest(&mut Reach::stopping(), &fillers)?))
        };
        let fewest = to.values().copied().fold(f32::INFINITY, f32::min);
        let may_become =
            |(top, lost): &(&Above, &f32)| **lost <= fewest + ends::MOST_MORE && top.cells.lies_within(ready);
        let tops: Vec<Above> = to.iter().filter(may_become).map(|(top, _)| *top).collect();
        let left = parallel::map(self.threads, &mut (), || (), tops, |(), top| left(top));
        let left: Lost = left.into_iter().flatten().collect();
        let all = left.iter().map(|(top, left)| (*top, to[top] + left + of_cells(top))).collect();
        best_of(all, self.effort.most_ends).into_keys().map(|top| (top, left[&top])).collect()
    }

    /// The tetrises on the fastest ways to these ends, as many as are listed.
    fn fastest(&self, links: &Links, to: &[Lost], ends: &Lost) -> BTreeSet<Cycle> {
        let mut back: Lost = ends.iter().map(|(top, left)| (*top, left + of_cells(top))).collect();
        let mut all: BTreeMap<Cycle, f32> = BTreeMap::new();
        for to in to[..to.len() - 1].iter().rev() {
            let mut now = Lost::new();
            for (&(from, (target, then)), more) in links {
                let (Some(before), Some(left)) = (to.get(&from), back.get(&then)) else { continue };
                lower(&mut now, from, more + left);
                lower(&mut all, (from, target), before + more + left);
            }
            back = now;
        }
        best_of(all, self.effort.most_tetrises).into_keys().collect()
    }
}

/// What the cells that lie there have saved.
fn of_cells(above: &Above) -> f32 {
    CELL * above.cells.count() as f32
}

/// The frames lost up to what these tetrises leave.
fn after(links: &Links, before: &Lost) -> Lost {
    let mut next = Lost::new();
    for ((from, (_, then)), more) in links {
        if let Some(lost) = before.get(from) {
            lower(&mut next, *then, lost + more);
        }
    }
    next
}
