//! A game in parts: the first tower, the cycles after it, the burst, the second tower and the cycles after that are searched
//! from scratch, and a cycle may move from one run to the other.
//!
//! The towers and the burst are built by beams over playfields with freely chosen pieces. Each run of cycles goes through a
//! [`Graph`] of all placements over its floor: the first one to ready rows alone, the second one to the playfield with which the
//! game's own run ends, but for the holes of its ready rows, which decide what comes after it. The tetrises after it go through a graph, too, if they are [`Plain`];
//! otherwise the game's own cells are filled, as in long stretches. The last burst is searched with freely chosen pieces. Real games go through one part after another; those at the
//! end of a part begin the next one. So the number of pieces of a part is free, and with it the spawn count, which decides which
//! pieces may come twice in a row: each number modulo 8 is tried for the second run. The first run leads to its fastest games, and to those
//! with one to three pieces more, since a game that has too few pieces at its end must wait for an I there.

mod course;
mod graph;
mod growth;
mod lists;
mod own;
mod plain;
mod race;
mod rest;
mod run;
#[cfg(test)]
mod tests;
mod tops;
mod towers;

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::iter;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use maxout_engine::game::ROWS;
use maxout_engine::game::timing::frames_per_row;
use maxout_engine::tas::{Locked, Opening, Page, Spawned};

use super::columns::Columns;
use super::cycles::has_full_row_0;
use super::cycles::top::FIRST;
use super::done::Done;
use super::error::ImproveError;
use super::progress::Progress;
use super::shape::Shape;
use super::skeleton::{Step, playfields};
use super::stretches::SearchOfParts;
use crate::tas::beam::unpacked;
use crate::tas::goal::Goal;
use crate::tas::path::Found;
use crate::tas::surface::columns_of;
use course::{Course, MORE};
use graph::{Above, Graph, hole_of};
pub use lists::{Lists, ListsError};
use own::{after_clears, own};
use plain::Plain;
use race::{Games, Last, Race, Record, Runner, by_count, by_page, clears_of, sort};
use rest::{LastBurst, Rest, Tetrises};
use run::{Ends, Holes, Index, Place, Run, SPAWN_COUNTS, Top, end_at, with_count};
use towers::{Beam, Built, straightened, top_row};

/// How much the luckiest games count in what is left, in 1 per frame, as [`frames_left::LUCK`](super::frames_left::LUCK). At the beginning of the
/// first run the games are expected to end it in frame 4,194 at the earliest with 0.3, in 4,378 with 0.5, and in 4,428 with 0.8; they end it
/// in 4,462.
const LUCK: f32 = 0.8;
/// Cycles that a run has at least.
const FEWEST: usize = 3;
/// Frames that a cell counts which need not be filled again: a cycle of 39 cells takes 263 frames in a real game.
const CELL: f32 = 6.74;
/// The cells of a clear of three rows.
const CLEARED: f32 = 30.0;

/// Most pieces of the tower, the row that its top must reach, and the frames that each row short of row 4 counts: its pieces are three
/// to four rows tall and take 28 to 54 frames.
const TOWER_PIECES: usize = 5;
const TOWER_TOP: i8 = 7;
const TOWER_ROW: f32 = 8.5;
const TOWER_KEPT: usize = 3000;
const TOWER_MORE: f32 = 40.0;
/// A course takes at most the memory of the search, divided by this. There is one at a time; what is beside it, the graph, the games that may go
/// on and the pieces of all games, takes up to 4 GB with width 20,000.
const SHARE_OF_COURSES: u64 = 2;
/// The games that are kept, divided by this, are the most with the same tower and the same spawn count that go on. Towers differ by what
/// they allow later, but games with the same one see other pieces. With 1,000 of 20,000 the second run begins 20 frames earlier than with 30.
const SAME_TOWER: usize = 20;
/// Towers that go on.
const TOWERS: usize = 300;
/// Most pieces of a burst of four tetrises: the fastest ones have nine.
const BURST_PIECES: usize = 11;
/// Groups of four ready rows before a burst.
const GROUPS: usize = 4;
/// Pieces that a game may have less than another one in an earlier frame. Games that wait have three or four less.
const EARLIER: u8 = 32;
/// Playfields that bursts are searched for, with each number of pieces. Chosen by hand.
const BURSTS: usize = 4;
/// From the tower to the first cycles: pieces, clears, and playfields kept after each piece with as many clears. With 5,000 the second run
/// begins up to four frames later.
const UP_PIECES: usize = 38;
const UP_CLEARS: u8 = 3;
const UP_KEPT: usize = 20_000;

/// The parts of a game.
struct Parts<'a> {
    /// The columns of the holes over which cycles are listed.
    columns: Columns,
    steps: &'a [Step],
    /// The pieces of the second run, and the top at its end.
    second: Range<usize>,
    second_top: Top,
    /// The clears up to the end of the first run, and up to that of the second one.
    clears: [u8; 2],
    /// The clears up to the begin of the second run.
    before_second: u8,
    /// The holes of the ready rows that the first run leads to.
    first_holes: Holes,
    /// The holes of the ready rows that the second run leads to.
    last_holes: Holes,
    /// The last burst, if the game ends with one of all ready rows.
    last: Option<LastBurst>,
    /// The tetrises between the second run and the last burst, if they are plain, over each floor that the second run may lead to.
    floors: Vec<Plain>,
}

impl<'a> Parts<'a> {
    /// `None` if the game is not built like that: a tower, tetrises of the rows 0 to 2, tetrises of ready rows, and another run
    /// at the same speed. `columns`: those over whose holes cycles are listed, if not all that groups of ready rows may have.
    fn of(steps: &'a [Step], columns: Option<Columns>) -> Option<Parts<'a>> {
        let clears: Vec<usize> = (0..steps.len()).filter(|&index| steps[index].rows > 0).collect();
        let speed = |index: usize| frames_per_row(steps[index].spawned.progress.level);
        let is_cascade =
            |index: usize| steps[index].rows == 4 && speed(index) == speed(0) && has_full_row_0(&steps[index]);
        let top = |clear: usize| Top::of(&steps[clears[clear]].page);
        let run = clears.iter().take_while(|&&index| is_cascade(index)).count();
        let first = (FEWEST..run).rev().find(|&clear| top(clear).is_some())?;
        let begin = (run..clears.len()).find(|&clear| is_cascade(clears[clear]) && top(clear).is_some())?;
        let holes = top(begin)?.holes;
        let goes_on = |clear: usize| speed(clears[clear]) == speed(0) && clears[clear] + 1 < steps.len();
        let is_end = |clear: &usize| goes_on(*clear) && top(*clear).is_some_and(|top| top.holes.starts_with(&holes));
        let end = (begin + FEWEST..clears.len()).rev().find(is_end)?;
        // The clears are counted in lines.
        clears[..=end].iter().all(|&index| steps[index].rows == 4).then_some(())?;
        let second_top = top(end)?;
        let columns = columns.unwrap_or(Columns::BUILT_IN.with(&second_top.holes));
        let groups = second_top.holes.len().div_ceil(4);
        let is_ready = |top: &Top| second_top.holes.starts_with(&top.holes) && top.holes.len().div_ceil(4) == groups;
        let before_last = clears.len().checked_sub(groups + 1).filter(|&clear| clear >= end);
        let last = before_last
            .filter(|&clear| groups > 0 && top(clear).is_some_and(|top| is_ready(&top)))
            .map(|clear| LastBurst { from: clears[clear] + 1, clears: groups as u8 });
        let plain = last.as_ref().and_then(|last| Plain::of(steps, clears[end] + 1..last.from));
        let plain = plain.filter(|plain| second_top.holes.starts_with(&plain.holes));
        let (last_holes, floors) = match &last {
            Some(_) => last_holes(columns, &second_top.holes, plain),
            None => (Holes::exactly(&second_top.holes), Vec::new()),
        };
        Some(Parts {
            columns,
            steps,
            second: clears[begin] + 1..clears[end] + 1,
            first_holes: in_groups(columns, &top(first)?.holes, GROUPS),
            second_top,
            clears: [first as u8 + 1, end as u8 + 1],
            before_second: begin as u8 + 1,
            last_holes,
            last,
            floors,
        })
    }

    /// The playfields after its clears up to the end of the second run.
    fn pages(&self) -> Vec<Page> {
        playfields(&self.steps[..self.second.end])
    }
}

/// The holes of ready rows before a last burst that is searched, and the plain tetrises before it over each floor that this allows. Where the
/// game has its own holes in one column for four rows, they may be in others, and so may those of the rows after them that plain
/// tetrises lie on.
fn last_holes(columns: Columns, own: &[u8], plain: Option<Plain>) -> (Holes, Vec<Plain>) {
    let is_same = |rows: &[u8]| rows.windows(2).all(|pair| pair[0] == pair[1]);
    let is_group = |rows: &&[u8]| rows.len() == 4 && is_same(rows);
    let groups = own.chunks(4).take(GROUPS).take_while(is_group).count();
    let fours = in_groups(columns, own, groups);
    let may_move = |rows: &[u8]| is_same(rows) && rows.iter().any(|hole| PLAIN_COLUMNS >> hole & 1 == 1);
    match plain {
        Some(plain) if plain.last_rows().start == 4 * groups && may_move(&own[plain.last_rows()]) => {
            let rows = plain.last_rows();
            let floors = columns_of(PLAIN_COLUMNS).map(|column| plain.over_hole(column as u8)).collect();
            (fours.then_noted(PLAIN_COLUMNS, rows.len()).then(&own[rows.end..]), floors)
        }
        plain => (fours.then(&own[4 * groups..]), plain.into_iter().collect()),
    }
}

/// Groups of four ready rows: each has its holes in one of these columns or where the game's own group has them, and not in the column of the
/// group below. An I lies on the next group only if its holes are in another column.
fn in_groups(columns: Columns, own: &[u8], groups: usize) -> Holes {
    let own = own.chunks(4).chain(iter::repeat(&[][..]));
    Holes::in_fours(&own.take(groups).map(|own| columns.with(own).bits()).collect::<Vec<_>>())
}

/// The columns that the hole of the rows under plain tetrises may be in. With chosen pieces these tetrises take as many frames over column 3 as
/// over 7, and one more over 9; over 1 and 5 no way was found.
const PLAIN_COLUMNS: u16 = 1 << 3 | 1 << 7;

/// How many clears more than the game's own one the first run has in each of the searches.
const MORE_CLEARS: [i8; 3] = [0, -1, 1];

/// How many pieces more than in the fastest games of the first search the first run has in further searches. In the first search it ends in
/// frame 4,458 after 153 pieces and in 4,462 after 154; in the further ones in 4,470 after 155 and in 4,486 after 156. Games of the first
/// search alone place a piece at their end that only waits: the goal came 44 frames later.
const MORE_PIECES: u8 = 3;

/// Lists all ways to fill the cells of these pieces.
type Shapes<'a> = dyn Fn(Range<usize>, &mut dyn FnMut(Progress)) -> Option<Vec<Shape>> + 'a;

/// The rows at the bottom that are full but for one cell: they stay under a needle until they are cleared.
fn ready_rows(page: &Page) -> i8 {
    (0..ROWS as i8).rev().take_while(|&row| hole_of(page.row(row)).is_some()).count() as i8
}

/// What the rows count that a needle is short of row 4 once the `ready` rows below it are cleared, in frames.
fn lacks(page: &Page, ready: i8) -> f32 {
    TOWER_ROW * f32::from((top_row(page) + ready - FIRST).max(0))
}

/// Is a needle high enough, and is there room for pieces in the uppermost rows?
fn carries_a_tower(page: &Page) -> bool {
    top_row(page) <= TOWER_TOP && (0..3).all(|row| page.row(row).count_ones() < 6)
}

/// A game whose parts are searched from scratch.
pub(super) struct Remake<'a> {
    pub steps: &'a [Step],
    pub openings: &'a [Opening],
    /// Playfields of other games after their clears.
    pub others: &'a [Page],
    /// All ways to fill the game's own cells between two of its pieces.
    pub shapes: &'a Shapes<'a>,
    pub parts: SearchOfParts,
    pub goal: Goal,
    /// Games kept after each piece.
    pub width: usize,
    pub lists: &'a Lists,
    pub threads: usize,
    pub stop: &'a AtomicBool,
}

impl Remake<'_> {
    /// The fastest game; if it was stopped, the fastest one until then, and `None` without one.
    ///
    /// # Errors
    /// When the game has no such parts, or no game gets through them.
    pub(super) fn search(&self, shown: &mut impl FnMut(Progress)) -> Result<Option<Found>, ImproveError> {
        let parts = Parts::of(self.steps, self.parts.columns).ok_or(ImproveError::NoParts)?;
        let Some(rest) = self.rest(&parts, shown) else { return Ok(None) };
        let Some(graph) = self.graph_of(&parts, shown) else { return Ok(None) };
        let race = self.race();
        let second_ends = rest.begins(&parts.second_top, &parts.last_holes, &graph, &race);
        let second_ends = second_ends.ok_or(ImproveError::NoParts)?;
        let mut record = Record::default();
        let own = own(self.steps, self.openings, &mut record);
        let search = Search { remake: self, parts: &parts, graph: &graph, race, second_ends, rest, own };
        let found = search.all(&mut record, shown);
        if found.is_none() && !self.stop.load(Ordering::Relaxed) {
            return Err(ImproveError::NoParts);
        }
        Ok(found)
    }

    /// What comes after the second run; `None` if it was stopped.
    fn rest<'b>(&self, parts: &'b Parts<'_>, shown: &mut impl FnMut(Progress)) -> Option<Rest<'b>> {
        let (end, last) = (parts.second.end, parts.last.as_ref());
        let tetrises = match last {
            Some(last) if !parts.floors.is_empty() => {
                Tetrises::plain(&parts.floors, self.steps, last, self.lists, &self.race(), shown)?
            }
            _ => {
                let to = last.map_or(self.steps.len(), |last| last.from);
                Tetrises::own(&(self.shapes)(end..to, shown)?)
            }
        };
        Some(Rest { tetrises, page: self.steps.get(end)?.spawned.page, last })
    }

    fn race(&self) -> Race<'_> {
        let of_course = self.parts.memory / SHARE_OF_COURSES;
        Race { luck: LUCK, width: self.width, of_course, threads: self.threads, stop: self.stop }
    }

    /// The playfields between which cycles are looked for first.
    fn playfields(&self, parts: &Parts<'_>) -> Vec<Page> {
        [&parts.pages(), self.others].concat()
    }

    /// The graph of the cycles of both runs; `None` if it was stopped. It is listed once.
    fn graph_of(&self, parts: &Parts<'_>, shown: &mut impl FnMut(Progress)) -> Option<Arc<Graph>> {
        let (threads, stop) = (self.threads, self.stop);
        let spawned = parts.steps[parts.second.start].spawned;
        let (columns, pages, known, ways) = (
            columns_of(parts.columns.bits()).map(|column| column as u8).collect(),
            self.playfields(parts),
            &self.lists.kept().ends,
            &self.lists.kept().ways,
        );
        let shown_tops = |tops, of| shown(Progress::Tops { tops, of });
        let cycles = tops::cycles(spawned, &columns, &pages, known, threads, stop, shown_tops)?;
        let (level, of) = (spawned.progress.level, cycles.len());
        Lists::graph(&self.lists.graph, (frames_per_row(level), cycles), |cycles| {
            Graph::of(level, graph::MOST_MORE, cycles, ways, threads, stop, |cycles| {
                shown(Progress::Cycles { cycles, of })
            })
        })
    }

    /// A game that has reached the goal with its last piece; `None` if it has not.
    fn found(&self, game: Runner, record: &Record) -> Option<Found> {
        let (opening, pieces) = record.of(game.last);
        let opening = self.openings.get(opening as usize)?.clone();
        let (last, before) = pieces.split_last()?;
        let now = before.iter().fold(opening.first, |now, done: &Done| done.played(&now));
        let locked: Locked = now.lock(unpacked(last.placement), last.frames.into(), 0);
        let reached = self.goal.is_reached(locked.score(), locked.progress());
        let moves = pieces.iter().map(|done| done.as_move()).collect();
        reached.then(|| Found::new(opening, moves, now.frame + locked.frames_to_score()))
    }
}

/// Everything that the searches have in common.
struct Search<'a> {
    remake: &'a Remake<'a>,
    parts: &'a Parts<'a>,
    graph: &'a Graph,
    race: Race<'a>,
    /// Where the second run may end.
    second_ends: Ends,
    /// What comes after it.
    rest: Rest<'a>,
    /// The movie's own game after each of its clears. It takes part in each run, from each of its clears there on, and in the tower after the
    /// burst.
    own: Games,
}

impl Search<'_> {
    /// The fastest game of all searches.
    fn all(&self, record: &mut Record, shown: &mut impl FnMut(Progress)) -> Option<Found> {
        let begun = self.towers(record)?;
        let more_clears = if self.remake.parts.same_clears { &[0][..] } else { &MORE_CLEARS };
        let of = more_clears.len() + SPAWN_COUNTS;
        let mut needles = Games::new();
        for (done, &more) in more_clears.iter().enumerate() {
            shown(Progress::Parts { done, of, frame: None });
            needles.extend(self.up_to_needles(more, &begun, record).into_iter().flatten());
        }
        needles.extend(self.own_needle());
        sort(&mut needles);
        let games = self.up(needles, straightened, record)?;
        log::debug!("{} games with first cycles after the burst", games.len());
        let mut best: Option<Found> = None;
        for (done, count) in self.counts().into_iter().enumerate() {
            let frame = best.as_ref().map(|best| best.frame);
            shown(Progress::Parts { done: more_clears.len() + done, of, frame });
            let known = record.len();
            if let Some(found) = self.to_goal(count as u8, &games, record)
                && frame.is_none_or(|frame| found.frame < frame)
            {
                best = Some(found);
            }
            record.truncate(known);
        }
        best
    }

    /// The spawn counts modulo 8 at the end of the second run, the one with the fastest end first: at the end an I may have to come after an
    /// I, and few of them allow it.
    fn counts(&self) -> [usize; SPAWN_COUNTS] {
        let fewest =
            |count: usize| self.second_ends.values().map(|end| end.frames[count]).fold(f32::INFINITY, f32::min);
        let mut counts = std::array::from_fn(|count| count);
        counts.sort_by(|&a, &b| fewest(a).total_cmp(&fewest(b)));
        counts
    }

    /// The games with the needle of the second tower, when the first run has `more` clears than the game's own. They count less for each
    /// clear that they are ahead of it.
    fn up_to_needles(&self, more: i8, begun: &Games, record: &mut Record) -> Option<Games> {
        let clears = self.parts.clears[0].checked_add_signed(more)?;
        let holes = &self.parts.first_holes;
        let ends = end_at(self.graph, &Above::of_rows(&[]), holes)?;
        let begun = after_clears(&self.own, 1..=clears).chain(begun.iter().copied()).collect();
        let mut games = self.run(&begun, ends.clone(), holes, clears, record)?;
        let fastest = games.first()?.1.now.generator.spawn_count;
        for later in 1..=MORE_PIECES {
            let count = fastest.wrapping_add(later) % SPAWN_COUNTS as u8;
            games.extend(self.run(&begun, with_count(&ends, count), holes, clears, record).into_iter().flatten());
        }
        sort(&mut games);
        let ahead = CELL * CLEARED * f32::from(more);
        let needles = self.burst(games, GROUPS as u8, record)?;
        if let Some((frame, _)) = needles.iter().min_by(|a, b| a.0.total_cmp(&b.0)) {
            log::debug!("{} games with a needle, the first in frame {frame}", needles.len());
        }
        Some(needles.into_iter().map(|(key, game)| (key - ahead, game)).collect())
    }

    /// The fastest game with this spawn count, modulo 8, at the end of the second run.
    fn to_goal(&self, count: u8, games: &Games, record: &mut Record) -> Option<Found> {
        let Parts { last_holes, clears, before_second, .. } = self.parts;
        let games = after_clears(&self.own, *before_second..=clears[1]).chain(games.iter().copied()).collect();
        let games = self.run(&games, with_count(&self.second_ends, count), last_holes, clears[1], record)?;
        let games = self.rest.run(&self.race, &games, record)?;
        self.remake.found(games.first()?.1, record)
    }

    /// Games with the first tower and up to three clears, for which cycles go on.
    fn towers(&self, record: &mut Record) -> Option<Games> {
        let Race { luck, threads, .. } = self.race;
        let openings = self.remake.openings;
        let first = openings.first()?.first;
        let course = self.needles(first, 0, TOWER_PIECES)?;
        let left = course.left(luck, first.generator.spawn_count, threads);
        let games = (0..).zip(openings).map(|(number, opening)| Runner {
            now: opening.first,
            at: 0,
            last: Last::Opening(number),
        });
        let towers = self.race.run(&course, &left, &[games.collect()], true, record)?;
        self.up(towers, |page| *page, record)
    }

    /// Games with a burst of the ready rows, four at a time, and a needle that carries the tower after it: between the tetrises of the
    /// burst pieces are placed on one another.
    fn burst(&self, games: Games, groups: u8, record: &mut Record) -> Option<Games> {
        let mut needles = Games::new();
        for games in by_count(games.into_iter().map(|it| it.1)).into_values() {
            for games in by_page(games, self.race.beginning()).into_iter().take(BURSTS) {
                if let Some(course) = self.needles(games[0].now, groups, BURST_PIECES) {
                    needles.extend(self.race.through(&course, games.into_iter(), |_| Some(0), record)?);
                }
            }
        }
        Some(needles)
    }

    /// The ways to needles that are high enough when the ready rows, `groups` times four of them, are cleared. Without any the
    /// first tower of a game begins, and an I may come after an I.
    fn needles(&self, first: Spawned, groups: u8, most_pieces: usize) -> Option<Course> {
        let is_first = groups == 0;
        let lacks = |page: &Page| lacks(page, if is_first { 0 } else { ready_rows(page) });
        let key = |page: &Page, frames: f32, _: f32| frames + lacks(page);
        let end = |page: &Page, clears: u8| (clears == groups && carries_a_tower(page)).then(|| lacks(page));
        let Race { threads, stop, .. } = self.race;
        let beam = Beam {
            first,
            hangs: is_first,
            most_pieces,
            most_clears: groups.max(1),
            kept: TOWER_KEPT,
            key: &key,
            end: &end,
            repeats_i: is_first,
            threads,
            stop,
        };
        beam.course(&[(Built::first(first.page), 0.0)], TOWER_MORE)
    }

    /// The movie's own game after the burst, if it has a needle there.
    fn own_needle(&self) -> Option<(f32, Runner)> {
        let after_burst = self.parts.clears[0] + GROUPS as u8;
        let (frame, game) = after_clears(&self.own, after_burst..=after_burst).next()?;
        let page = &game.now.page;
        (ready_rows(page) == 0 && carries_a_tower(page)).then(|| (frame + lacks(page, 0), game))
    }

    /// From towers, those with the fewest frames first, to the first cycles. `seen` is how the values see a tower.
    fn up(&self, mut towers: Games, seen: impl Fn(&Page) -> Page, record: &mut Record) -> Option<Games> {
        let built = |game: &Runner| Built::first(seen(&game.now.page));
        let mut same: HashMap<(Built, u8), usize> = HashMap::new();
        towers.retain(|(_, game)| {
            let same = same.entry((built(game), game.now.generator.spawn_count)).or_default();
            *same += 1;
            *same <= (self.race.width / SAME_TOWER).max(1)
        });
        let (soonest, first) = towers.first().map(|it| (it.0, it.1.now))?;
        let mut starts: Vec<(Built, f32)> = Vec::new();
        let mut index: HashMap<Built, u32> = HashMap::new();
        for (key, game) in &towers {
            let number = starts.len();
            if number < TOWERS
                && let Entry::Vacant(new) = index.entry(built(game))
            {
                starts.push((*new.key(), key - soonest));
                new.insert(number as u32);
            }
        }
        let (graph, holes) = (self.graph, &self.parts.last_holes);
        let end = |page: &Page, clears: u8| {
            let top = Top::of(page).filter(|top| clears > 0 && holes.begin_with(&top.holes))?;
            let goes_on = graph.node(&top.above).is_some_and(|node| !graph.edges[node as usize].is_empty());
            goes_on.then(|| -CELL * (top.kept() as f32 + CLEARED * f32::from(clears)))
        };
        let key = |_: &Page, frames: f32, value: f32| frames - value;
        let Race { threads, stop, .. } = self.race;
        let beam = Beam {
            first,
            hangs: false,
            most_pieces: UP_PIECES,
            most_clears: UP_CLEARS,
            kept: UP_KEPT,
            key: &key,
            end: &end,
            repeats_i: true,
            threads,
            stop,
        };
        let course = beam.course(&starts, MORE)?;
        self.race.through(&course, towers.iter().map(|it| it.1), |game| index.get(&built(game)).copied(), record)
    }

    /// A run of cycles to one of these ends that comes after `clears` clears of the game.
    fn run(&self, games: &Games, ends: Ends, holes: &Holes, clears: u8, record: &mut Record) -> Option<Games> {
        let Race { luck, threads, .. } = self.race;
        // Spawn counts wrap at 256. In the earliest frame few pieces more have come than in any other game.
        let soonest = games.iter().map(|it| it.1.now).min_by_key(|now| now.frame)?;
        let any = soonest.generator.spawn_count.wrapping_sub(EARLIER);
        let after = |game: &Runner| game.now.generator.spawn_count.wrapping_sub(any);
        let least = games.iter().map(|(_, game)| after(game)).min()?;
        let spawn_count = any.wrapping_add(least);
        let run = Run {
            graph: self.graph,
            ends,
            holes,
            clears,
            spawn_count,
            memory: self.race.of_course,
            stop: self.race.stop,
        };
        let placed = |game: &Runner| {
            let place = run.place(&Top::of(&game.now.page)?, clears_of(&game.now))?;
            let at = usize::from(after(game) - least);
            (at <= run::MOST_PIECES).then_some((at, place, *game))
        };
        let mut of_count = [0; SPAWN_COUNTS];
        let is_among = |game: &&(f32, Runner)| {
            let known = &mut of_count[usize::from(game.1.now.generator.spawn_count) % SPAWN_COUNTS];
            *known += 1;
            *known <= self.race.beginning()
        };
        let placed: Vec<(usize, Place, Runner)> =
            games.iter().filter(is_among).filter_map(|it| placed(&it.1)).collect();
        let soonest = placed.iter().map(|it| it.2.now.frame).min()?;
        let entries: Vec<(usize, Place, f32)> =
            placed.iter().map(|&(at, place, game)| (at, place, (game.now.frame - soonest) as f32)).collect();
        let (course, index): (Course, Index) = run.course(&entries, MORE)?;
        let left = course.left(luck, spawn_count, threads);
        let mut entering = vec![Vec::new(); index.len()];
        for (at, place, game) in placed {
            entering[at].push(Runner { at: index[at][&place], ..game });
        }
        let games = self.race.run(&course, &left, &entering, false, record)?;
        let &(_, first) = games.first()?;
        let (frame, count) = (first.now.frame, first.now.generator.spawn_count % SPAWN_COUNTS as u8);
        log::debug!("{} games after {clears} clears, the first in frame {frame}, spawn count {count}", games.len());
        Some(games)
    }
}
