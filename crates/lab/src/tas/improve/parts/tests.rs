//! The graph of cycles against a slow search, runs and races against the real game.

mod cut;
mod kept;

use std::collections::BTreeSet;
use std::sync::LazyLock;

use maxout_engine::game::Piece;
use maxout_engine::gamepad::Buttons;
use maxout_engine::seed::split_mix;
use maxout_engine::tas::Reach;
use maxout_formats::fm2::{Movie, one_game};

use super::course::{Left, Way};
use super::graph::{Above, Cycle, Filled, Fillers, Filling, KnownWays, MOST_MORE, Sunk};
use super::plain::{Effort, Growing, KnownEnds, Worth};
use super::rest::{LAST_KEPT, course_of, last_burst};
use super::run::End;
use super::*;
use crate::tas::Goal;
use crate::tas::beam::packed;
use crate::tas::improve::cycles::ends::least;
use crate::tas::improve::cycles::top;
use crate::tas::improve::cycles::upper::Upper;
use crate::tas::improve::frames_left::FramesLeft;
use crate::tas::improve::{self, Improvement, Improving, SearchOfParts, Stretches};
use crate::tas::path::MOST_FALL;

const GOAL: Goal = Goal::Score(999_999);
const PARTS: SearchOfParts = SearchOfParts { columns: None, same_clears: false, memory: u64::MAX };
const IMPROVING: Improving =
    Improving { goal: GOAL, shape: 3, parts: Some(PARTS), width: 60, ..improve::tests::IMPROVING };

/// The buttons of the fastest movie that this project has.
static MOVIE: LazyLock<Vec<Buttons>> = LazyLock::new(|| {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/movies/fastest-999999.fm2");
    let movie = Movie::open(path).expect("a movie");
    one_game(movie.steps()).expect("one game")
});

fn improvement() -> Improvement {
    Improvement::of(&MOVIE, IMPROVING).expect("a game to the goal")
}

/// A full row but for the hole.
const fn ready(hole: usize) -> u16 {
    0x3ff & !(1 << hole)
}

/// Follows every piece in every order: all ways from `from` to the target with this number of pieces, with any cells above row 0.
fn slow(filling: &Filling<'_>, pieces: u32, from: Upper, so_far: &mut Vec<Filled>, ways: &mut Vec<Vec<Filled>>) {
    let page = Above { cells: from, ..filling.start }.page();
    for piece in Piece::ALL {
        Reach::stopping().landings(&page, piece, filling.gravity, false, MOST_FALL, |landing| {
            let Some(cells) = Upper::of_placement(landing.placement) else { return };
            let to = from.with(cells);
            let left = filling.target.without(to).count();
            if !to.without(Upper::ABOVE).lies_within(filling.target)
                || left.div_ceil(4) >= pieces
                || to.is_closed() && pieces > 1
            {
                return;
            }
            let delay = maxout_engine::game::EntryDelay::after(landing.placement.y, 0, 0).to_spawn;
            let frames = (landing.frames + delay + if pieces == 1 { 17 } else { 0 }) as u8;
            so_far.push(Filled { from, piece, placement: packed(landing.placement), frames, to });
            if pieces == 1 {
                ways.push(so_far.clone());
            } else {
                slow(filling, pieces - 1, to, so_far, ways);
            }
            so_far.pop();
        });
    }
}

/// These cells and those of the steps' pieces.
fn filled_by(cells: Upper, steps: &[Step]) -> Upper {
    let of_step = |step: &Step| Upper::of_placement(step.placement).expect("the upper rows");
    steps.iter().map(of_step).fold(cells, Upper::with)
}

/// The pieces of all ways to fill five pieces' cells, which are those of the slow search; the fastest way is, too.
fn compared_with_a_slow_search(filling: &Filling<'_>) -> usize {
    let fillers = Fillers::new(filling.gravity);
    let mut fast = filling.ways(&mut Reach::stopping(), &fillers);
    let mut ways = Vec::new();
    slow(filling, 5, filling.start.cells, &mut Vec::new(), &mut ways);
    let frames = |way: &Vec<Filled>| way.iter().map(|it| f32::from(it.frames)).sum::<f32>();
    let fewest = ways.iter().map(frames).fold(f32::INFINITY, f32::min) - 17.0;
    let is_whole = filling.target.without(filling.start.cells).count() == 20;
    assert_eq!(filling.fewest(&mut Reach::stopping(), &fillers), is_whole.then_some(fewest));
    ways.retain(|way| frames(way) <= least(5) + f32::from(MOST_MORE));
    let mut slow: Vec<Filled> = ways.concat();
    let order = |it: &Filled| (it.from, it.placement);
    slow.sort_by_key(order);
    slow.dedup();
    fast.sort_by_key(order);
    assert_eq!(fast, slow);
    slow.len()
}

#[test]
fn a_cycle_is_filled_by_the_pieces_that_a_slow_search_finds() {
    let stop = AtomicBool::new(false);
    let improvement = improvement();
    let parts = Parts::of(&improvement.skeleton.steps, None).expect("parts");
    let cycles = parts.steps[..parts.second.start].split_inclusive(|step| step.rows > 0).skip(2);
    let mut all = 0;
    // The last five pieces of each of some cycles.
    for cycle in cycles.take(5) {
        let Some(top) = Top::of(&cycle[0].spawned.page) else { continue };
        let cells = |steps: &[Step]| filled_by(top.above.cells, steps);
        let start = Above { cells: cells(&cycle[..cycle.len() - 5]), ..top.above };
        let target = cells(cycle).without(Upper::ABOVE);
        let filling = Filling { start, target, gravity: 3, more: MOST_MORE, stop: &stop };
        all += compared_with_a_slow_search(&filling);
    }
    assert!(all > 100, "{all} pieces");
}

#[test]
fn a_clear_leaves_what_was_above_the_floor_and_sinks_ready_rows() {
    let top = Above::of_rows(&[0b00_1111_0000]);
    for holes in [vec![], vec![9], vec![3, 3], vec![9, 3], vec![9, 5, 5]] {
        let sunk = Sunk::of(holes.iter().copied());
        let floor = 4 + holes.len() as i8;
        assert_eq!(Above::after_clear(top.before(sunk), floor), sunk.map(|sunk| (top, sunk)));
    }
    let two_holes = top.before(None).with(Upper::in_row(ready(9), 4)).with(Upper::in_row(ready(3), 5));
    assert_eq!(Above::after_clear(two_holes, 6), Sunk::of([3, 9]).map(|sunk| (top, sunk)));
    assert_eq!(Sunk::of([9; 4]), None);
}

#[test]
fn a_row_of_a_top_sinks_with_a_new_one_whose_hole_is_in_another_column() {
    // As the cycle that ends with the 22nd clear of TASVideos' movie 4853M.
    let row = 0x3ff & !(1 << 3 | 1 << 9);
    let sunk = Sunk::of([9, 1]).expect("two rows");
    let over = |hole: usize, rows: &[u16]| (hole, top::Top::over(hole, rows).expect("a top"));
    assert_eq!(tops::after(9, &[ready(1), ready(9)]), Some((over(1, &[]), sunk)));
    assert_eq!(tops::after(9, &[row, ready(1)]), Some((over(1, &[row]), Sunk::of([1]).expect("a row"))));
    assert_eq!(tops::after(9, &[row, row, row]), None, "three rows are no top");
    assert_eq!(tops::after(9, &[0, ready(1)]), None, "an empty row is none");

    let (start, bare) = (Above::of_rows(&[row]), Above::of_rows(&[]));
    let cycles = BTreeSet::from([(start, bare.before(Some(sunk)))]);
    let graph = graph_of(&cycles, &AtomicBool::new(false));
    let clears: Vec<Sunk> = graph.edges.iter().flatten().filter_map(|edge| edge.clears).collect();
    assert!(!clears.is_empty() && clears.iter().all(|it| *it == sunk), "{clears:?}");
}

#[test]
fn a_cycle_leaves_a_row_over_two_others_that_sink_with_their_holes_in_another_column() {
    // As the cycle that ends with the 32nd clear of TASVideos' movie 4853M: over column 9 both rows sink with their hole in column 7.
    let [row, then] = [0x3ff & !(1 << 7 | 1 << 9), 0x3ff & !(1 << 5 | 1 << 7)];
    let from = (9, top::Top::over(9, &[row, row]).expect("a top"));
    let end = ((7, top::Top::over(7, &[then]).expect("a top")), Sunk::of([7, 7]).expect("two rows"));
    let spawned = improvement().skeleton.steps[0].spawned;
    let ends = tops::ends(&mut Reach::stopping(), spawned, &from);
    let frames = ends.iter().find(|it| it.0 == end).map(|it| it.1).expect("an end");
    assert!((least(10)..=276.0).contains(&frames), "{frames} frames; the movie has 276");
}

/// A way through a course by chance, from the first playfield on: its placements.
fn a_way(course: &Course, number: u64) -> Vec<u16> {
    let (mut at, mut dice, mut way) = (0, number, Vec::new());
    for layer in &course.layers {
        let ways = &layer.ways[at as usize];
        if layer.ends[at as usize].is_some() {
            break;
        }
        dice = split_mix(dice);
        let next = ways[dice as usize % ways.len()];
        way.push(next.placement);
        at = next.to;
    }
    way
}

/// The ways of these cycles at level 18.
fn graph_of(cycles: &BTreeSet<Cycle>, stop: &AtomicBool) -> Graph {
    let graph = Graph::of(18, MOST_MORE, cycles, &KnownWays::default(), 2, stop, |_| ());
    graph.expect("nothing stops it")
}

/// A bare floor, and the cycles from it to it that sink a row with its hole in column 9 or 5.
fn two_columns(stop: &AtomicBool) -> (Above, Graph) {
    let bare = Above::of_rows(&[]);
    let cycle = |hole| (bare, bare.before(Sunk::of([hole])));
    (bare, graph_of(&BTreeSet::from([cycle(9), cycle(5)]), stop))
}

#[test]
#[ignore = "a search of ten seconds and more; .ci/run runs it"]
fn every_way_through_a_run_ends_with_its_top_over_holes_in_two_columns() {
    let stop = AtomicBool::new(false);
    let (bare, graph) = two_columns(&stop);
    // Four ready rows with their hole in column 9; two more, in columns 9 and 5.
    let begin = Page::from_cells(|cell| (40..80).contains(&cell) && cell % 10 != 9);
    let start = Top::of(&begin).expect("ready rows");
    let end = Top { above: bare, holes: vec![9, 9, 9, 9, 9, 5] };
    let holes = Holes::exactly(&end.holes);
    let all = end_at(&graph, &bare, &holes).expect("a node");
    let ends = |count: Option<u8>| count.map_or_else(|| all.clone(), |count| with_count(&all, count));
    let run = Run {
        graph: &graph,
        ends: ends(Some(4)),
        holes: &holes,
        clears: 2,
        spawn_count: 0,
        memory: u64::MAX,
        stop: &stop,
    };
    let place = run.place(&start, 0).expect("a place");
    assert_eq!(run.place(&Top { holes: vec![9, 5], ..start.clone() }, 0), None, "other holes below");
    let other = Run { ends: ends(Some(3)), ..run };
    assert!(other.course(&[(0, place, 0.0)], 30.0).is_none(), "20 pieces are 4 modulo 8");
    let run = Run { ends: ends(None), ..other };
    assert!(
        Run { ends: ends(None), clears: 3, ..run }.course(&[(0, place, 0.0)], 30.0).is_none(),
        "no two cycles fill three clears"
    );
    let same_twice = Holes::in_fours(&[1 << 9, 1 << 9 | 1 << 5]);
    assert_eq!(run.place(&end, 0).map(|it| it.hole), Some(Some(5)));
    assert_eq!(Run { ends: ends(None), holes: &same_twice, ..run }.place(&end, 0), None, "column 9 twice");
    let (course, index) = run.course(&[(0, place, 0.0)], 30.0).expect("a way");
    assert_eq!(index[0][&place], 0);
    let mut others = BTreeSet::new();
    for way in (0..200).map(|number| a_way(&course, number)) {
        let (mut page, mut clears) = (begin, 0);
        let mut reached = true;
        for &placement in &way {
            let placement = unpacked(placement);
            let mut found = false;
            let piece = placement.orientation.piece();
            Reach::stopping().landings(&page, piece, 3, false, MOST_FALL, |it| found |= it.placement == placement);
            reached &= found;
            clears += usize::from(page.lock(placement) > 0);
        }
        assert_eq!((way.len(), clears), (20, 2));
        assert_eq!(Top::of(&page).as_ref(), Some(&end));
        others.insert((way, reached));
    }
    // Only the floor with its hole is not the full floor of the graph: nearly all pieces get to their places.
    let reached = others.iter().filter(|it| it.1).count();
    assert!(others.len() > 50 && 10 * reached > 9 * others.len(), "{reached} of {}", others.len());
}

#[test]
fn four_rows_have_their_holes_in_one_column_and_the_next_four_in_another() {
    let holes = Holes::in_fours(&[1 << 9, 1 << 3 | 1 << 9]).then(&[7, 5]);
    assert_eq!(holes.rows(), 10);
    let all = [9, 9, 9, 9, 3, 3, 3, 3, 7, 5];
    assert!((0..=all.len()).all(|rows| holes.begin_with(&all[..rows])));
    for others in [&[3][..], &[9, 9, 3], &[9, 9, 9, 9, 9], &[9, 9, 9, 9, 3, 9], &[9, 9, 9, 9, 3, 3, 3, 3, 5]] {
        assert!(!holes.begin_with(others), "{others:?}");
    }
    assert!(!holes.begin_with(&[&all[..], &[5]].concat()), "more rows");
    assert!(Holes::exactly(&all).begin_with(&all[..6]) && !Holes::exactly(&all).begin_with(&all[1..6]));
}

#[test]
#[ignore = "a search of ten seconds and more; .ci/run runs it"]
fn bounds_leave_out_no_way_that_is_fast_enough() {
    let stop = AtomicBool::new(false);
    let (bare, graph) = two_columns(&stop);
    let begin = Top { above: bare, holes: vec![3, 3, 3, 3] };
    let holes = Holes::exactly(&begin.holes).then_noted(1 << 9 | 1 << 5, 2).then(&[9, 5]);
    let node = graph.node(&bare).expect("a node");
    // The end over column 5 counts more, but only with some spawn counts.
    let end = |hole: u8, frames| {
        let ready = [&begin.holes[..], &[hole, hole, 9, 5]].concat();
        ((node, holes.noted(&ready)), End { ready: 8, frames })
    };
    let frames = std::array::from_fn(|count| if count % 2 == 0 { 3.5 } else { 0.0 });
    let ends = Ends::from([end(9, [0.5; SPAWN_COUNTS]), end(5, frames)]);
    let run = Run { graph: &graph, ends, holes: &holes, clears: 4, spawn_count: 3, memory: u64::MAX, stop: &stop };
    let place = run.place(&begin, 0).expect("a place");
    let later = run.place(&Top { holes: [&begin.holes[..], &[9]].concat(), ..begin.clone() }, 1).expect("a place");
    let entries = [(0, place, 2.0), (10, later, 240.0)];
    let all = run.course(&entries, f32::INFINITY).expect("a way");
    for more in [0.0, 5.0, 30.0, 60.0] {
        let (course, index) = run.course(&entries, more).expect("a way");
        let numbered: Vec<_> = entries.iter().map(|&(at, place, later)| (at, all.1[at][&place], later)).collect();
        let pruned = all.0.clone().pruned(&numbered, more).expect("a way");
        let ways = |course: &Course| course.layers.iter().flat_map(|it| &it.ways).map(Vec::len).sum::<usize>();
        assert!(ways(&course) > 8 && ways(&course) == ways(&pruned), "{more}: {} {}", ways(&course), ways(&pruned));
        assert_eq!(ways_through(&course), ways_through(&pruned));
        let most = all.0.layers.iter().map(|it| it.ways.len()).max();
        assert!(course.layers.iter().all(|it| Some(it.ways.len()) <= most));
        assert_eq!(index[0][&place], 0);
    }
    // With less memory the slowest ways are left out, and the fastest stay as long as they have room.
    let ways = |course: &Course| course.layers.iter().flat_map(|it| &it.ways).map(Vec::len).sum::<usize>();
    let with = |memory| {
        let (course, index) = Run { ends: run.ends.clone(), memory, ..run }.course(&entries, 60.0)?;
        let numbered: Vec<_> = entries.iter().map(|&(at, place, later)| (at, index[at][&place], later)).collect();
        Some((ways(&course), course.best(&numbered)))
    };
    let (all, best) = with(u64::MAX).expect("a way");
    let found: Vec<_> = (10..30).map(|power| with(1 << power)).collect();
    assert!(found.iter().flatten().all(|&(ways, fastest)| ways <= all && fastest == best), "{found:?}");
    assert!(found.iter().flatten().any(|&(ways, _)| ways < all), "{found:?}");
    assert_eq!((found[0], found.last()), (None, Some(&Some((all, best)))));
}

#[test]
#[ignore = "a search of ten seconds and more; .ci/run runs it"]
fn what_an_end_counts_depends_on_the_columns_that_are_noted() {
    let stop = AtomicBool::new(false);
    let (bare, graph) = two_columns(&stop);
    let begin = Top { above: bare, holes: vec![3, 3, 3, 3] };
    let then = |hole: u8| [&begin.holes[..], &[hole; 2]].concat();
    let holes = Holes::exactly(&begin.holes).then_noted(1 << 9 | 1 << 5, 2);
    assert!(holes.begin_with(&then(9)) && holes.begin_with(&then(5)) && !holes.begin_with(&then(3)));
    assert!(!holes.begin_with(&[3, 3, 3, 3, 9, 5]), "both rows have their hole in the same column");
    let node = graph.node(&bare).expect("a node");
    let end =
        |hole: u8, counts: f32| ((node, holes.noted(&then(hole))), End { ready: 6, frames: [counts; SPAWN_COUNTS] });
    let course = |ends: Ends| {
        let run = Run { graph: &graph, ends, holes: &holes, clears: 2, spawn_count: 0, memory: u64::MAX, stop: &stop };
        let place = run.place(&begin, 0).expect("a place");
        run.course(&[(0, place, 0.0)], f32::INFINITY).expect("a way").0
    };
    for hole in [9, 5] {
        let holes = Holes::exactly(&then(hole));
        let ends = end_at(&graph, &bare, &holes).expect("a node");
        let run = Run { graph: &graph, ends, holes: &holes, clears: 2, spawn_count: 0, memory: u64::MAX, stop: &stop };
        let place = run.place(&begin, 0).expect("a place");
        let exactly = run.course(&[(0, place, 0.0)], f32::INFINITY).expect("a way").0;
        let noted = course(Ends::from([end(hole, 0.0), end(14 - hole, f32::INFINITY)]));
        assert!(ways_through(&exactly) > 100.0 && ways_through(&exactly) == ways_through(&noted));
        // An end that counts 1,000 frames more is never the best one.
        let either = course(Ends::from([end(hole, 0.0), end(14 - hole, 1000.0)]));
        assert_eq!(either.fewest()[0][0], exactly.fewest()[0][0]);
        assert!(ways_through(&either) > ways_through(&exactly));
    }
}

/// The ways from the first playfield of a course to its ends.
fn ways_through(course: &Course) -> f64 {
    let mut then: Vec<f64> = Vec::new();
    for layer in course.layers.iter().rev() {
        let onwards = |ways: &Vec<Way>| ways.iter().map(|way| then[way.to as usize]).sum::<f64>();
        let ends = layer.ends.iter().map(|end| f64::from(u8::from(end.is_some())));
        then = layer.ways.iter().zip(ends).map(|(ways, end)| end + onwards(ways)).collect();
    }
    then[0]
}

#[test]
#[ignore = "a search of ten seconds and more; .ci/run runs it"]
fn a_run_to_holes_in_either_of_two_columns_has_the_ways_to_both_and_no_others() {
    let stop = AtomicBool::new(false);
    let (bare, graph) = two_columns(&stop);
    let begin = Top { above: bare, holes: vec![3, 3, 3, 3] };
    let ways = |holes: &Holes| {
        let ends = end_at(&graph, &bare, holes).expect("a node");
        let run = Run { graph: &graph, ends, holes, clears: 4, spawn_count: 0, memory: u64::MAX, stop: &stop };
        let place = run.place(&begin, 0).expect("a place");
        ways_through(&run.course(&[(0, place, 0.0)], f32::INFINITY).expect("a way").0)
    };
    let exactly = [9, 5].map(|hole| ways(&Holes::exactly(&[[3; 4], [hole; 4]].concat())));
    assert!(exactly.iter().all(|&ways| ways > 1000.0), "{exactly:?}");
    let either = ways(&Holes::in_fours(&[1 << 3, 1 << 9 | 1 << 5]));
    let sum = exactly[0] + exactly[1];
    assert!((either - sum).abs() < 1e-9 * sum, "{either} against {sum}");
}

#[test]
fn a_course_counts_the_frames_left_as_a_shape_does_and_a_race_finds_the_same_game() {
    let stop = AtomicBool::new(false);
    let goal = Goal::Score(20_000);
    let improving = Improving { goal, ..IMPROVING };
    let improvement = Improvement::of(&MOVIE, improving).expect("a game to the goal");
    let pieces = 0..improvement.pieces();
    let shapes = improvement.short_shapes(pieces, 0, 2, &stop, &mut |_| ()).expect("ways").expect("nothing stops it");
    let course = course_of(&shapes);
    let first = improvement.skeleton.opening.first;
    let count = first.generator.spawn_count;
    let left: Left = course.left(LUCK, count, 2);
    let by_shapes = FramesLeft::of(&shapes, LUCK, count).by_pieces(0, 0, &shapes[0].layers[0]);
    for (ours, theirs) in course.by_pieces(&left, LUCK, 0, 0).iter().flatten().zip(by_shapes[0].iter().flatten()) {
        assert!(ours == theirs || (ours - theirs).abs() < 0.1, "{ours} against {theirs}");
    }
    let by_threads = [1, 3].map(|threads| {
        let openings = &improvement.openings();
        let (steps, lists) = (&improvement.skeleton.steps, &Lists::default());
        let width = improving.width;
        let remake = Remake {
            steps,
            openings,
            others: &[],
            shapes: &|_, _| None,
            parts: PARTS,
            goal,
            width,
            lists,
            threads,
            stop: &stop,
        };
        let race = remake.race();
        let begin = |(number, opening): (u32, &maxout_engine::tas::Opening)| Runner {
            now: opening.first,
            at: 0,
            last: Last::Opening(number),
        };
        let mut record = Record::default();
        let games = (0..).zip(openings).map(begin).collect();
        let ended = race.run(&course, &left, &[games], true, &mut record).expect("nothing stops it");
        remake.found(ended[0].1, &record).expect("it reaches the goal")
    });
    assert_eq!(by_threads[0], by_threads[1]);
    by_threads[0].play(goal).expect("the rules model agrees");
    let searched = improvement.search(Stretches::Short { shift: 0 }, 2, &stop, |_| ()).expect("a way through");
    assert_eq!(by_threads[0].frame, searched.expect("nothing stops it").frame);
}

#[test]
fn a_needle_becomes_straight_below_its_highest_row_and_nothing_else_changes() {
    let needle = [(5, 0b11_0000), (6, 0b01_0000), (7, 0b11_0000), (8, 0b10_0000)];
    let page = Page::from_cells(|cell| {
        let (row, column) = (cell / 10, cell % 10);
        let cells = needle.iter().find(|it| it.0 == row).map_or(if row > 8 { 0b100_0000 } else { 0 }, |it| it.1);
        cell >= 230 && cell % 4 == 0 || row < 20 && cells >> column & 1 == 1
    });
    let straight = straightened(&page);
    let expected = |row: i8| if row > 5 { 0b01_0000 } else { page.row(row) };
    (-2..ROWS as i8).for_each(|row| assert_eq!(straight.row(row), expected(row), "row {row}"));
    assert_eq!(straightened(&straight), straight);
    assert_eq!(straightened(&Page::EMPTY), Page::EMPTY);
}

#[test]
fn no_i_comes_after_an_i_where_that_is_not_wanted() {
    let stop = AtomicBool::new(false);
    let first = improvement().skeleton.opening.first;
    let page = Page::from_cells(|cell| (120..200).contains(&cell) && cell % 10 != if cell < 160 { 3 } else { 9 });
    let key = |_: &Page, frames: f32, _: f32| frames;
    let end = |_: &Page, clears: u8| (clears == 2).then_some(0.0);
    let follow = [true, false].map(|repeats_i| {
        let beam = Beam {
            first,
            hangs: false,
            most_pieces: 3,
            most_clears: 2,
            kept: 300,
            key: &key,
            end: &end,
            repeats_i,
            threads: 2,
            stop: &stop,
        };
        let course = beam.course(&[(Built::first(page), 0.0)], 60.0).expect("two tetrises in three pieces");
        let (mut clears, mut twice) = (0, 0);
        for (layer, then) in course.layers.iter().zip(&course.layers[1..]) {
            for way in layer.ways.iter().flatten() {
                clears += usize::from(way.clears);
                let after = &then.ways[way.to as usize];
                twice += after.iter().filter(|next| (way.piece, next.piece) == (Piece::I, Piece::I)).count();
            }
        }
        assert!(clears > 10, "{clears} clears");
        twice
    });
    assert!(follow[0] > 0 && follow[1] == 0, "{follow:?}");
}

#[test]
fn the_last_burst_with_chosen_pieces_takes_no_more_frames_than_the_pieces_of_the_movie() {
    let improvement = improvement();
    let steps = &improvement.skeleton.steps;
    let parts = Parts::of(steps, None).expect("parts");
    let last = parts.last.as_ref().expect("a last burst");
    assert_eq!(steps[last.from - 1].rows, 4);
    let clears = steps[last.from..].iter().filter(|step| step.rows > 0).count();
    assert_eq!(clears, usize::from(last.clears));
    // From the last clear but one on. The goal comes before the piece after it would spawn: 35 frames after the lock at most, not 23.
    let clears: Vec<usize> = (0..steps.len()).filter(|&index| steps[index].rows > 0).collect();
    let first = steps[clears[clears.len() - 2] + 1].spawned;
    let own = improvement.frame() - first.frame + 12;
    let stop = AtomicBool::new(false);
    let race = Race { luck: LUCK, width: 60, of_course: u64::MAX, threads: 2, stop: &stop };
    let course = last_burst(&race, first, 1, LAST_KEPT).expect("a way");
    let fewest = course.fewest()[0][0];
    assert!(fewest > 17.0 && fewest <= own as f32, "{fewest} against {own}");
}

/// The plain tetrises of the movie, and its pieces there.
fn plain_of(improvement: &Improvement) -> (Plain, &[Step]) {
    let parts = Parts::of(&improvement.skeleton.steps, None).expect("parts");
    let last = parts.last.expect("a last burst");
    let own = parts.floors.iter().find(|plain| !plain.own.is_empty()).expect("plain tetrises").clone();
    (own, &parts.steps[parts.second.end..last.from])
}

#[test]
fn plain_tetrises_leave_what_the_movie_has_after_them() {
    let improvement = improvement();
    let (plain, steps) = plain_of(&improvement);
    assert!(plain.clears >= 5 && plain.holes.len() >= 12, "{plain:?}");
    let mut above = Some(plain.first);
    for step in steps {
        let cells = Upper::of_placement(step.placement).expect("the upper rows");
        let before = above.map(|above| Above { cells: above.cells.with(cells), ..above });
        above = before.and_then(|it| if step.rows > 0 { Some(Above::after(it.cells, it.floor)?.0) } else { Some(it) });
        assert_eq!(above, Some(Above::over(&step.page, plain.first.floor)));
    }
    let cycle = Above::of_rows(&[]).before(None);
    assert_eq!(Above::after(cycle, 4), Above::after_clear(cycle, 4));
    let three = (1..4).fold(Upper::NONE, |cells, row| cells.with(Upper::in_row(0x3ff, row)));
    assert_eq!(Above::after(three, 6), None, "three full rows are no tetris");
}

#[test]
fn a_plain_tetris_is_filled_by_the_pieces_that_a_slow_search_finds() {
    let stop = AtomicBool::new(false);
    let improvement = improvement();
    let (plain, steps) = plain_of(&improvement);
    let mut start = plain.first;
    let mut all = 0;
    for tetris in steps.split_inclusive(|step| step.rows > 0) {
        let cells = |steps: &[Step]| filled_by(start.cells, steps);
        let (begin, target) = (Above { cells: cells(&tetris[..tetris.len() - 5]), ..start }, cells(tetris));
        let filling = Filling { start: begin, target, gravity: 2, more: MOST_MORE, stop: &stop };
        all += compared_with_a_slow_search(&filling);
        start = Above::after(target, start.floor).expect("a tetris").0;
    }
    assert!(all > 100, "{all} pieces");
}

#[test]
fn the_tetrises_worth_listing_lead_from_the_first_playfield_to_an_end() {
    let stop = AtomicBool::new(false);
    let improvement = improvement();
    let (plain, steps) = plain_of(&improvement);
    let worth = |threads| {
        let effort = Effort { playfields: 100, growths: 1, most_new: 4, most_ends: 8, most_tetrises: 60 };
        let known = &KnownEnds::default();
        let growing = Growing { plain: &plain, spawned: steps[0].spawned, known, effort, threads, stop: &stop };
        growing.worth(|_, _| ()).expect("nothing stops it")
    };
    let Worth { tetrises, ends } = worth(2);
    let own: Vec<_> = plain.own.iter().map(|&(from, (target, _))| (from, target)).collect();
    assert!(own.iter().all(|tetris| tetrises.contains(tetris)), "the game's own tetrises are among them");
    assert!(ends.contains(&plain.own[plain.own.len() - 1].1.1));
    let others: Vec<_> = tetrises.iter().filter(|tetris| !own.contains(tetris)).copied().collect();
    assert!(others.len() >= 20, "{} others", others.len());
    // After each number of clears: what a way from the first playfield leads to, and what leads to an end.
    let then = |(from, target): &(Above, Upper)| Above::after(*target, from.floor).expect("a tetris").0;
    let mut to = vec![BTreeSet::from([plain.first])];
    for before in 0..usize::from(plain.clears) {
        to.push(tetrises.iter().filter(|it| to[before].contains(&it.0)).map(then).collect());
    }
    let mut back = ends;
    let mut on_a_way = BTreeSet::new();
    for to in to[..to.len() - 1].iter().rev() {
        let now: Vec<_> =
            tetrises.iter().filter(|it| to.contains(&it.0) && back.contains(&then(it))).copied().collect();
        back = now.iter().map(|it| it.0).collect();
        on_a_way.extend(now);
    }
    assert_eq!(on_a_way, tetrises);
    assert_eq!(worth(1).tetrises, tetrises);
    // Each can be filled, and as fast as the beam says: within 24 frames of the usual ones.
    for (start, target) in others.into_iter().step_by(8) {
        let filling = Filling { start, target, gravity: 2, more: MOST_MORE, stop: &stop };
        let fewest = filling.fewest(&mut Reach::stopping(), &Fillers::new(2)).expect("a way");
        let pieces = target.without(start.cells).count() as usize / 4;
        assert!(fewest + 17.0 <= least(pieces) + 24.0, "{fewest} frames of {pieces} pieces");
    }
}
