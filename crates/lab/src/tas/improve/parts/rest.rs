//! After the second run: plain tetrises, and the last burst.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use maxout_engine::game::timing::frames_per_row;
use maxout_engine::game::{Piece, ROWS};
use maxout_engine::parallel;
use maxout_engine::tas::{Page, Spawned};

use super::course::{Course, Layer, MORE, Way};
use super::graph::{Above, Graph, hole_of};
use super::listed::Listed;
use super::plain::{Effort, Growing, Plain, Worth};
use super::race::{Games, Race, Record, Runner, by_count, by_page, clears_of, sort};
use super::run::{Ends, Holes, Place, Run};
use super::towers::{Beam, Built};
use crate::tas::improve::progress::Progress;
use crate::tas::improve::shape::Shape;
use crate::tas::improve::skeleton::Step;

/// The last burst has at most two pieces for each tetris, and this many more. Chosen by hand, as the next two.
const LAST_MORE: usize = 1;
/// Playfields that are kept after each piece of the last burst with as many clears. With 500 the fastest one is found, too; with more of
/// them there are more ways to get there.
pub(super) const LAST_KEPT: usize = 3000;
/// The same where only the frames of the last burst are asked for: with as few the fastest one is found, too.
const ENDS_KEPT: usize = 500;
/// Frames more than [`least`](crate::tas::improve::cycles::ends::least) that a plain tetris takes at most.
const PLAIN_MORE: f32 = 20.0;
/// Most playfields that last bursts are searched for: games differ by the holes of their ready rows.
const LAST_BURSTS: usize = 6;

/// A burst that reaches the goal.
#[derive(Debug)]
pub(super) struct LastBurst {
    /// Its first piece.
    pub from: usize,
    pub clears: u8,
}

/// What comes after the second run.
pub(super) struct Rest<'a> {
    pub tetrises: Tetrises<'a>,
    /// The game's own playfield at its beginning.
    pub page: Page,
    pub last: Option<&'a LastBurst>,
}

/// What comes after the second run, up to the last burst.
pub(super) enum Tetrises<'a> {
    /// The game's own cells.
    Own(Course),
    /// Plain tetrises.
    Plain { plain: &'a Plain, graph: Arc<Graph>, ends: Ends },
}

impl<'a> Tetrises<'a> {
    /// The game's own cells, filled in these ways.
    pub(super) fn own(shapes: &[Shape]) -> Tetrises<'a> {
        Tetrises::Own(course_of(shapes))
    }

    /// The plain tetrises that are worth listing, and what the last burst takes after them; `None` if it was stopped.
    pub(super) fn plain(
        plain: &'a Plain,
        steps: &[Step],
        last: &LastBurst,
        listed: &Listed,
        race: &Race<'_>,
        shown: &mut impl FnMut(Progress),
    ) -> Option<Tetrises<'a>> {
        let Race { luck, threads, stop, .. } = *race;
        let (spawned, last_spawned) = (steps[last.from - 1].spawned, steps[last.from].spawned);
        let growing = Growing { plain, spawned, known: &listed.ends_of_plain, effort: Effort::BUILT_IN, threads, stop };
        let Worth { tetrises, ends } = growing.worth(|tops, of| shown(Progress::Tops { tops, of }))?;
        let (level, of) = (spawned.progress.level, tetrises.len());
        let graph = Listed::graph(&listed.plain, (frames_per_row(level), tetrises), |tetrises| {
            Graph::of(level, PLAIN_MORE, tetrises, threads, stop, |cycles| shown(Progress::Cycles { cycles, of }))
        })?;
        let alone = Race { threads: 1, ..*race };
        let frames_of = |above: Above| {
            let first = Spawned { page: above.over_page(&last_spawned.page), ..last_spawned };
            let course = last_burst(&alone, first, last.clears, ENDS_KEPT)?;
            let of_count = |count: usize| {
                let by_piece = course.left(luck, count as u8, 1)[0][0];
                by_piece.into_iter().fold(f32::INFINITY, f32::min)
            };
            Some((graph.node(&above)?, std::array::from_fn(of_count)))
        };
        let ends: Vec<Above> = ends.into_iter().collect();
        let ends = parallel::map(threads, &mut (), || (), ends, |(), above| frames_of(above));
        let ends = ends.into_iter().flatten().collect();
        (!stop.load(Ordering::Relaxed)).then_some(Tetrises::Plain { plain, graph, ends })
    }
}

impl Rest<'_> {
    /// The games at its end. Games whose rows are not the game's own at its beginning, but for holes, are left out.
    pub(super) fn run(&self, race: &Race<'_>, games: &Games, record: &mut Record) -> Option<Games> {
        let games = games.iter().map(|it| it.1).filter(|game| are_alike(&game.now.page, &self.page));
        let games = match &self.tetrises {
            Tetrises::Own(course) => race.through(course, games, |_| Some(0), record)?,
            Tetrises::Plain { plain, graph, ends } => through_plain(race, plain, graph, ends, games, record)?,
        };
        let Some(last) = self.last else { return Some(games) };
        let mut all = Games::new();
        for games in by_page(&games, race.beginning()).into_iter().take(LAST_BURSTS) {
            if let Some(course) = last_burst(race, games[0].now, last.clears, LAST_KEPT) {
                all.extend(race.through(&course, games.into_iter(), |_| Some(0), record)?);
            }
        }
        sort(&mut all);
        Some(all)
    }
}

/// All these games through plain tetrises.
fn through_plain(
    race: &Race<'_>,
    plain: &Plain,
    graph: &Graph,
    ends: &Ends,
    games: impl Iterator<Item = Runner>,
    record: &mut Record,
) -> Option<Games> {
    let start = graph.node(&plain.first)?;
    let holes = Holes::exactly(&plain.holes);
    let mut all = Vec::new();
    for (spawn_count, games) in by_count(games) {
        let clears = clears_of(&games[0].now);
        let run = Run { graph, ends: ends.clone(), holes: &holes, clears: clears + plain.clears, spawn_count };
        let place = Place { node: start, clears, ready: holes.rows() as u8, hole: plain.holes.last().copied() };
        let Some((course, index)) = run.course(&[(0, place, 0.0)], MORE) else { continue };
        let left = course.left(race.luck, spawn_count, race.threads);
        let at = index[0][&place];
        let games: Vec<Runner> = games.into_iter().map(|game| Runner { at, ..game }).collect();
        all.extend(race.run(&course, &left, &[games], false, record)?);
    }
    sort(&mut all);
    Some(all)
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
