//! After the second run: plain tetrises, and the last burst.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use maxout_engine::game::timing::frames_per_row;
use maxout_engine::game::{Piece, ROWS};
use maxout_engine::parallel;
use maxout_engine::tas::{Page, Spawned};

use super::course::{Course, Layer, MORE, Way};
use super::graph::{Above, Graph, hole_of};
use super::lists::Lists;
use super::plain::{Effort, Growing, Plain, Worth};
use super::race::{Games, Race, Record, Runner, by_count, by_page, clears_of, sort};
use super::run::{End, Ends, Holes, Noted, Place, Run, SPAWN_COUNTS, Top, end_at};
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
const PLAIN_MORE: u8 = 20;
/// Most playfields that last bursts are searched for: games differ by the holes of their ready rows.
const LAST_BURSTS: usize = 12;

/// A burst that reaches the goal.
#[derive(Debug)]
pub(super) struct LastBurst {
    /// Its first piece.
    pub from: usize,
    pub clears: u8,
}

/// What comes after the second run.
pub(super) struct Rest<'a> {
    pub tetrises: Tetrises,
    /// The game's own playfield at its beginning.
    pub page: Page,
    pub last: Option<&'a LastBurst>,
}

/// What comes after the second run, up to the last burst.
pub(super) enum Tetrises {
    /// The game's own cells.
    Own(Course),
    /// Plain tetrises, over any of these floors.
    Plain { graph: Arc<Graph>, floors: Vec<Floor> },
}

/// Ready rows under plain tetrises.
pub(super) struct Floor {
    pub plain: Plain,
    ends: Ends,
}

impl Tetrises {
    /// The game's own cells, filled in these ways.
    pub(super) fn own(shapes: &[Shape]) -> Tetrises {
        Tetrises::Own(course_of(shapes))
    }

    /// The plain tetrises that are worth listing, over each of these floors, and what the last burst takes after them; `None` if it was
    /// stopped.
    pub(super) fn plain(
        over_floors: &[Plain],
        steps: &[Step],
        last: &LastBurst,
        lists: &Lists,
        race: &Race<'_>,
        shown: &mut impl FnMut(Progress),
    ) -> Option<Tetrises> {
        let Race { luck, threads, stop, .. } = *race;
        let (spawned, last_spawned) = (steps[last.from - 1].spawned, steps[last.from].spawned);
        let (mut all, mut floors) = (BTreeSet::new(), Vec::new());
        for plain in over_floors {
            let (known, effort) = (&lists.kept().ends_of_plain, Effort::BUILT_IN);
            let growing = Growing { plain, spawned, known, effort, threads, stop };
            let Worth { tetrises, ends } = growing.worth(|tops, of| shown(Progress::Tops { tops, of }))?;
            all.extend(tetrises);
            floors.push((plain, ends));
        }
        let (level, of) = (spawned.progress.level, all.len());
        let graph = Lists::graph(&lists.plain, (frames_per_row(level), all), |tetrises| {
            Graph::of(level, PLAIN_MORE, tetrises, &lists.kept().ways, threads, stop, |cycles| {
                shown(Progress::Cycles { cycles, of })
            })
        })?;
        let alone = Race { threads: 1, ..*race };
        let end_of = |plain: &Plain, above: Above| {
            let page = above.over_rows(|row| plain.row(row));
            let course = last_burst(&alone, Spawned { page, ..last_spawned }, last.clears, ENDS_KEPT)?;
            let of_count = |count: usize| fewest_of(&course, luck, count as u8, 0, 1);
            let end = End { ready: plain.holes.len() as u8, frames: std::array::from_fn(of_count) };
            Some(((graph.node(&above)?, Noted::default()), end))
        };
        let with_ends = |(plain, ends): (&Plain, BTreeSet<Above>)| {
            let ends: Vec<Above> = ends.into_iter().collect();
            let ends = parallel::map(threads, &mut (), || (), ends, |(), above| end_of(plain, above));
            Floor { plain: plain.clone(), ends: ends.into_iter().flatten().collect() }
        };
        let floors = floors.into_iter().map(with_ends).collect();
        (!stop.load(Ordering::Relaxed)).then_some(Tetrises::Plain { graph, floors })
    }
}

impl Floor {
    /// All ways through the tetrises over this floor, and the number of the first playfield in the first layer. `clears`: those of the
    /// game so far.
    fn course(&self, graph: &Graph, clears: u8, spawn_count: u8, race: &Race<'_>) -> Option<(Course, u32)> {
        let Plain { first, holes, .. } = &self.plain;
        let holes = Holes::exactly(holes);
        let run = Run {
            graph,
            ends: self.ends.clone(),
            holes: &holes,
            clears: clears + self.plain.clears,
            spawn_count,
            memory: race.of_course,
            stop: race.stop,
        };
        let (ready, hole) = (holes.rows() as u8, Some(self.plain.hole()));
        let place = Place { node: graph.node(first)?, clears, ready, hole, noted: Noted::default() };
        let (course, index) = run.course(&[(0, place, 0.0)], MORE)?;
        Some((course, index[0][&place]))
    }

    /// The frames up to the goal from a game that begins the tetrises with each spawn count modulo 8.
    pub(super) fn frames(&self, graph: &Graph, race: &Race<'_>) -> [f32; SPAWN_COUNTS] {
        let Race { luck, threads, .. } = *race;
        std::array::from_fn(|count| {
            let course = self.course(graph, 0, count as u8, race);
            course.map_or(f32::INFINITY, |(course, at)| fewest_of(&course, luck, count as u8, at, threads))
        })
    }
}

/// The frames left from a playfield in the first layer of a course, with the best first piece.
fn fewest_of(course: &Course, luck: f32, spawn_count: u8, at: u32, threads: usize) -> f32 {
    let by_piece = course.left(luck, spawn_count, threads)[0][at as usize];
    by_piece.into_iter().fold(f32::INFINITY, f32::min)
}

impl Rest<'_> {
    /// Where the second run may end in this graph of its cycles: with the game's own top, over ready rows with holes like `last_holes`. `None`
    /// if no cycle leads there.
    pub(super) fn begins(&self, own: &Top, last_holes: &Holes, cycles: &Graph, race: &Race<'_>) -> Option<Ends> {
        let Top { above, holes } = own;
        let Tetrises::Plain { graph, floors } = &self.tetrises else { return end_at(cycles, above, last_holes) };
        let node = cycles.node(above)?;
        let begin = |floor: &Floor| {
            let under_it = &floor.plain.holes;
            let noted = last_holes.noted(&[under_it, &holes[under_it.len()..]].concat());
            ((node, noted), End { ready: holes.len() as u8, frames: floor.frames(graph, race) })
        };
        Some(floors.iter().map(begin).collect())
    }

    /// The games at its end. Games whose rows are not the game's own at its beginning, but for holes, are left out.
    pub(super) fn run(&self, race: &Race<'_>, games: &Games, record: &mut Record) -> Option<Games> {
        let games = games.iter().map(|it| it.1).filter(|game| are_alike(&game.now.page, &self.page));
        let games = match &self.tetrises {
            Tetrises::Own(course) => race.through(course, games, |_| Some(0), record)?,
            Tetrises::Plain { graph, floors } => {
                let games: Vec<Runner> = games.collect();
                let mut all = Games::new();
                for floor in floors {
                    all.extend(through_plain(race, graph, floor, &games, record)?);
                }
                sort(&mut all);
                all
            }
        };
        let Some(last) = self.last else { return Some(games) };
        let mut all = Games::new();
        for games in by_page(games.iter().map(|it| it.1), race.beginning()).into_iter().take(LAST_BURSTS) {
            if let Some(course) = last_burst(race, games[0].now, last.clears, LAST_KEPT) {
                all.extend(race.through(&course, games.into_iter(), |_| Some(0), record)?);
            }
        }
        sort(&mut all);
        Some(all)
    }
}

/// Those of these games that stand over this floor, through its plain tetrises.
fn through_plain(
    race: &Race<'_>,
    graph: &Graph,
    floor: &Floor,
    games: &[Runner],
    record: &mut Record,
) -> Option<Games> {
    let stands = |game: &&Runner| hole_of(game.now.page.row(floor.plain.first.floor)) == Some(floor.plain.hole());
    let mut all = Games::new();
    for (spawn_count, games) in by_count(games.iter().filter(stands).copied()) {
        let Some((course, at)) = floor.course(graph, clears_of(&games[0].now), spawn_count, race) else {
            continue;
        };
        let left = course.left(race.luck, spawn_count, race.threads);
        let games: Vec<Runner> = games.into_iter().map(|game| Runner { at, ..game }).collect();
        all.extend(race.run(&course, &left, &[games], false, record)?);
    }
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
