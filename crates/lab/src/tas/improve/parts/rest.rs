//! After the second run: plain tetrises, and the last burst.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use maxout_engine::game::timing::frames_per_row;
use maxout_engine::game::{Piece, ROWS};
use maxout_engine::parallel;
use maxout_engine::tas::{Page, Spawned};

use super::course::{Course, Layer, Way};
use super::graph::{Above, Graph, hole_of};
use super::plain::{Effort, Growing, Plain, Worth};
use super::race::{Race, Record, Runner, sort};
use super::run::{Ends, Holes, Place, Run};
use super::towers::{Beam, Built};
use super::{Games, LastBurst, Listed, MORE, Parts, Remake, Search, by_page, clears_of};
use crate::tas::improve::frames_left::LUCK;
use crate::tas::improve::progress::Progress;
use crate::tas::improve::shape::Shape;

/// The last burst has at most two pieces for each tetris, and this many more. Chosen by hand, as the next two.
const LAST_MORE: usize = 1;
/// Playfields that are kept after each piece of the last burst with as many clears. With 500 the fastest one is found, too; with more of
/// them there are more ways to get there.
pub(super) const LAST_KEPT: usize = 3000;
/// The same where only the frames of the last burst are asked for: with as few the fastest one is found, too.
const ENDS_KEPT: usize = 500;
/// Frames more than [`least`](super::cycles::ends::least) that a plain tetris takes at most.
const PLAIN_MORE: f32 = 20.0;
/// Most playfields that last bursts are searched for: games differ by the holes of their ready rows.
const LAST_BURSTS: usize = 6;

/// What comes after the second run, up to the last burst.
pub(super) enum Rest<'a> {
    /// The game's own cells.
    Own(Course),
    /// Plain tetrises.
    Plain { plain: &'a Plain, graph: Arc<Graph>, ends: Ends },
}

impl Remake<'_> {
    /// What comes after the second run; `None` if it was stopped.
    pub(super) fn rest<'b>(&self, parts: &'b Parts<'_>, shown: &mut impl FnMut(Progress)) -> Option<Rest<'b>> {
        if let (Some(plain), Some(last)) = (&parts.plain, &parts.last) {
            return self.plain(plain, last, shown);
        }
        let to = parts.last.as_ref().map_or(self.steps.len(), |last| last.from);
        (self.shapes)(parts.second.end..to, shown).map(|shapes| Rest::Own(course_of(&shapes)))
    }

    /// The plain tetrises that are worth listing, and what the last burst takes after them; `None` if it was stopped.
    fn plain<'b>(&self, plain: &'b Plain, last: &LastBurst, shown: &mut impl FnMut(Progress)) -> Option<Rest<'b>> {
        let (threads, stop, known) = (self.threads, self.stop, &self.listed.ends_of_plain);
        let (spawned, last_spawned) = (self.steps[last.from - 1].spawned, self.steps[last.from].spawned);
        let growing = Growing { plain, spawned, known, effort: Effort::BUILT_IN, threads, stop };
        let Worth { tetrises, ends } = growing.worth(|tops, of| shown(Progress::Tops { tops, of }))?;
        let (level, of) = (spawned.progress.level, tetrises.len());
        let graph = Listed::graph(&self.listed.plain, (frames_per_row(level), tetrises), |tetrises| {
            Graph::of(level, PLAIN_MORE, tetrises, threads, stop, |cycles| shown(Progress::Cycles { cycles, of }))
        })?;
        let race = Race { threads: 1, ..self.race() };
        let frames_of = |above: Above| {
            let first = Spawned { page: above.over_page(&last_spawned.page), ..last_spawned };
            let course = last_burst(&race, first, last.clears, ENDS_KEPT)?;
            let of_count = |count: usize| {
                let by_piece = course.left(LUCK, count as u8, 1)[0][0];
                by_piece.into_iter().fold(f32::INFINITY, f32::min)
            };
            Some((graph.node(&above)?, std::array::from_fn(of_count)))
        };
        let ends: Vec<Above> = ends.into_iter().collect();
        let ends = parallel::map(threads, &mut (), || (), ends, |(), above| frames_of(above));
        let ends = ends.into_iter().flatten().collect();
        (!stop.load(Ordering::Relaxed)).then_some(Rest::Plain { plain, graph, ends })
    }
}

impl Search<'_> {
    /// The game's own cells after the second run, and the last burst. Games whose rows are not the game's there, but for holes, are
    /// left out.
    pub(super) fn rest(&self, games: &Games, record: &mut Record) -> Option<Games> {
        let page = self.parts.steps.get(self.parts.second.end)?.spawned.page;
        let games = games.iter().map(|it| it.1).filter(|game| are_alike(&game.now.page, &page));
        let games = match &self.rest {
            Rest::Own(course) => self.through(course, games, |_| Some(0), record)?,
            Rest::Plain { plain, graph, ends } => self.plain(plain, graph, ends, games, record)?,
        };
        let Some(last) = &self.parts.last else { return Some(games) };
        let mut all = Games::new();
        for games in by_page(&games).into_iter().take(LAST_BURSTS) {
            if let Some(course) = last_burst(&self.race, games[0].now, last.clears, LAST_KEPT) {
                all.extend(self.through(&course, games.into_iter(), |_| Some(0), record)?);
            }
        }
        sort(&mut all);
        Some(all)
    }

    /// All these games through plain tetrises.
    fn plain(
        &self,
        plain: &Plain,
        graph: &Graph,
        ends: &Ends,
        games: impl Iterator<Item = Runner>,
        record: &mut Record,
    ) -> Option<Games> {
        let Race { luck, threads, .. } = self.race;
        let start = graph.node(&plain.first)?;
        let holes = Holes::exactly(&plain.holes);
        let mut by_count: BTreeMap<u8, Vec<Runner>> = BTreeMap::new();
        for game in games {
            by_count.entry(game.now.generator.spawn_count).or_default().push(game);
        }
        let mut all = Vec::new();
        for (spawn_count, games) in by_count {
            let clears = clears_of(&games[0].now);
            let run = Run { graph, ends: ends.clone(), holes: &holes, clears: clears + plain.clears, spawn_count };
            let place = Place { node: start, clears, ready: holes.rows() as u8, hole: plain.holes.last().copied() };
            let Some((course, index)) = run.course(&[(0, place, 0.0)], MORE) else { continue };
            let left = course.left(luck, spawn_count, threads);
            let at = index[0][&place];
            let games: Vec<Runner> = games.into_iter().map(|game| Runner { at, ..game }).collect();
            all.extend(self.race.run(&course, &left, &[games], false, record)?);
        }
        sort(&mut all);
        Some(all)
    }
}

/// The ways to clear all ready rows.
pub(super) fn last_burst(race: &Race<'_>, first: Spawned, clears: u8, kept: usize) -> Option<Course> {
    let key = |_: &Page, frames: f32, value: f32| frames - value;
    let end = |_: &Page, now: u8| (now == clears).then_some(0.0);
    let Race { threads, stop, .. } = *race;
    let beam = Beam {
        first,
        hangs: false,
        most_pieces: 2 * usize::from(clears) + LAST_MORE,
        most_clears: clears,
        kept,
        key: &key,
        end: &end,
        repeats_i: true,
        threads,
        stop,
    };
    beam.course(&[(Built::first(first.page), 0.0)], MORE)
}

/// Have two playfields the same rows, but for where rows with one hole have it?
fn are_alike(a: &Page, b: &Page) -> bool {
    let is_ready = |page: &Page, row: i8| hole_of(page.row(row)).is_some();
    (0..ROWS as i8).all(|row| a.row(row) == b.row(row) || (is_ready(a, row) && is_ready(b, row)))
}

/// Shapes one after another as a course.
pub(super) fn course_of(shapes: &[Shape]) -> Course {
    let mut course = Course::default();
    for layer in shapes.iter().flat_map(|shape| &shape.layers) {
        let ways = |node: u32| {
            let edges = Piece::ALL.into_iter().flat_map(move |piece| layer.edges(node, piece));
            edges.map(Way::of).collect()
        };
        let ways: Vec<Vec<Way>> = (0..layer.len() as u32).map(ways).collect();
        course.layers.push(Layer { ends: vec![None; ways.len()], ways });
    }
    course.layers.push(Layer { ways: vec![Vec::new()], ends: vec![Some(0.0)] });
    course
}
