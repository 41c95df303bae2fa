//! Cells, ways and whole runs against slow searches; a run of three cycles is the example.

use maxout_engine::game::scoring::Progress as LinesAndLevel;
use maxout_engine::game::{Orientation, Placement};
use maxout_engine::seed::split_mix;
use maxout_engine::tas::{MenuChoice, Page, Pause, openings};

use super::*;
use crate::tas::improve::cells::Cells;
use crate::tas::improve::shape::Layer;
use crate::tas::path::MOST_FALL;

/// A playfield after a clear: two ready rows with their hole in column 9, and 17 rows below with a few cells.
const BEGIN: [u64; 4] = [0xf7fd_ff00_0000_0000, 0x4030_0401_0040_1e1f, 0x0803_0040_3004_0100, 0x0040_1004_01e0_c020];
/// Three cycles from there, of 9, 9 and 11 pieces: the id of each orientation, column and row.
const CYCLES: [(u8, i8, i8); 29] = [
    (17, 0, 2),
    (5, 2, 3),
    (2, 8, 2),
    (7, 8, 0),
    (2, 2, 1),
    (18, 3, 0),
    (3, 4, 2),
    (14, 7, 1),
    (6, 5, 1),
    (17, 0, 2),
    (5, 2, 3),
    (2, 8, 2),
    (7, 8, 0),
    (8, 2, 1),
    (15, 4, 2),
    (18, 3, 0),
    (14, 7, 1),
    (6, 5, 1),
    (13, 5, 4),
    (3, 7, 4),
    (17, 0, 2),
    (10, 2, 2),
    (10, 4, 2),
    (2, 8, 2),
    (7, 8, 0),
    (14, 7, 1),
    (5, 2, 1),
    (7, 3, 0),
    (6, 5, 1),
];
const HOLE: usize = 9;
/// So few cycles are listed in a moment.
const SMALL: Effort = Effort { playfields: 200, growths: 0, most_more: 5.0 };

fn placement((id, x, y): (u8, i8, i8)) -> Placement {
    Placement { orientation: Orientation::from_id(id).expect("an orientation"), x, y }
}

/// The run with a piece before it, since a run begins after a clear, and one after it, since no run ends with the goal.
fn steps() -> Vec<Step> {
    let mut now = openings(MenuChoice { level: 18, height: None }, 0).remove(0).first;
    let mut clear = Page::EMPTY;
    // Its last piece is the J of the cycles.
    (0..4).flat_map(|row| (0..10).map(move |column| (row, column))).for_each(|(row, column)| clear.occupy(row, column));
    let first =
        Step { spawned: now, placement: placement(CYCLES[28]), frames: 0, page: Page::from_words(BEGIN), rows: 4 };
    now.page = first.page;
    let mut steps = vec![first];
    for &numbers in &CYCLES {
        let placement = placement(numbers);
        now.piece = placement.orientation.piece();
        let locked = now.lock(placement, 10, 0);
        steps.push(Step { spawned: now, placement, frames: 0, page: *locked.page(), rows: locked.rows });
        now = locked.spawn(Pause::default());
    }
    let last = Step { spawned: now, placement: placement(CYCLES[0]), frames: 0, page: now.page, rows: 0 };
    steps.push(last);
    steps
}

fn listing<'a>(library: &'a Library, threads: usize, stop: &'a AtomicBool) -> Listing<'a> {
    Listing { effort: SMALL, library, threads, stop }
}

#[test]
fn a_run_goes_from_the_first_clear_over_ready_rows_to_the_last_one() {
    let mut steps = steps();
    assert_eq!(steps.iter().filter(|step| step.rows == 4).count(), 4);
    let run = Run { pieces: 1..30, hole: HOLE };
    assert_eq!(runs(&steps), std::slice::from_ref(&run));
    assert_eq!(runs(&steps[..30]), [], "it would end with the goal");
    // Two cycles are too few.
    assert_eq!(runs(&steps[10..]), []);
    let slower = LinesAndLevel { level: 28, ..steps[25].spawned.progress };
    steps[25].spawned.progress = slower;
    assert_eq!(runs(&steps), [], "the speed changes");
}

/// A few cells of the upper rows.
fn some_cells(number: u64) -> Upper {
    (0..3).fold(Upper::NONE, |cells, part| {
        let dice = split_mix(number * 3 + part);
        let row = |row: i8| Upper::in_row((dice >> (10 * (row + 1)) & 1023) as u16, row);
        (-1..5).map(row).fold(cells, |cells, row| if part == 0 { cells.with(row) } else { cells.without(row) })
    })
}

#[test]
fn sets_of_cells_are_what_slow_ones_are() {
    let (mut filled, mut open) = (0, 0);
    let pieces = placements();
    for number in 0..3000 {
        let piece = |part: u64| pieces[split_mix(3 * number + part) as usize % pieces.len()];
        // Three pieces, which may share cells, or any cells.
        let cells = if number % 2 == 0 { piece(0).with(piece(1)).with(piece(2)) } else { some_cells(number) };
        let others = some_cells(number + 10_000);
        let all = (-1..upper::END).flat_map(|row| (0..10).map(move |column| (row, column)));
        let holds = |set: Upper, (row, column): (i8, i8)| set.row(row) >> column & 1 == 1;
        let mut slow = Cells::NONE;
        all.clone().filter(|&cell| holds(cells, cell)).for_each(|cell| slow.add(cell));
        assert_eq!(cells.may_be_filled(), slow.may_be_filled(), "{cells:?}");
        filled += u32::from(cells.may_be_filled());

        // From column 5 of the rows -1 and 0 to all free cells beside one that was reached.
        let free: Vec<(i8, i8)> = all.filter(|&cell| !holds(cells, cell)).collect();
        let mut reached: Vec<(i8, i8)> = [(-1, 5), (0, 5)].into_iter().filter(|cell| free.contains(cell)).collect();
        let mut at = 0;
        while let Some(&(row, column)) = reached.get(at) {
            at += 1;
            let beside = [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)];
            let new = beside.into_iter().filter(|cell| free.contains(cell));
            new.for_each(|cell| {
                if !reached.contains(&cell) {
                    reached.push(cell)
                }
            });
        }
        let wanted = others.without(cells);
        let slow = free.iter().all(|cell| !holds(wanted, *cell) || reached.contains(cell));
        assert_eq!(cells.leaves_open(wanted), slow, "{cells:?} {wanted:?}");
        open += u32::from(slow);
    }
    assert!((300..2700).contains(&filled) && (300..2970).contains(&open), "{filled} {open}");
}

/// All ways from here to the end by any placement within the target: recursive, with the frames.
fn slow_ways(cycle: &Cycle<'_>, target: Upper, from: Upper, placed: &mut Vec<Placed>, found: &mut Vec<Vec<Placed>>) {
    let page = cycle.top.page_with(from);
    for piece in maxout_engine::game::Piece::ALL {
        let now = Spawned { page, piece, ..cycle.spawned };
        let mut all = Vec::new();
        Reach::stopping().landings(&page, piece, 3, false, MOST_FALL, |landing| all.push(landing));
        for landing in all {
            let Some(to) = Upper::of_placement(landing.placement).map(|cells| from.with(cells)) else { continue };
            let locked = now.lock(landing.placement, landing.frames, 0);
            let ends = locked.rows == 4 && to == target;
            if to.lies_within(target) && (ends || locked.rows == 0) {
                let edge = Edge::of(&locked, landing);
                placed.push(Placed { from, piece, edge, to: (!ends).then_some(to) });
                if ends {
                    found.push(placed.clone());
                } else {
                    slow_ways(cycle, target, to, placed, found);
                }
                placed.pop();
            }
        }
    }
}

#[test]
fn the_ways_of_a_cycle_are_those_of_a_slow_search() {
    let steps = steps();
    let own = Own::of(&steps, &Run { pieces: 1..30, hole: HOLE }).expect("a run");
    let (stop, placements) = (AtomicBool::new(false), placements());
    let mut all = 0;
    for (top, end, pieces) in &own.cycles {
        // The last four pieces of the cycle.
        let start = pieces[pieces.len() - 4].from;
        let cycle = Cycle { top, start, end, hole: HOLE, spawned: own.spawned, stop: &stop };
        let mut fast = cycle.ways(&mut Reach::stopping(), &placements);
        let target = top.before(&end.0).expect("a cycle").with(end.1);
        let mut found = Vec::new();
        slow_ways(&cycle, target, start, &mut Vec::new(), &mut found);
        let frames = |way: &Vec<Placed>| way.iter().map(|it| f32::from(it.edge.frames)).sum::<f32>();
        found.retain(|way| frames(way) <= least(4) + fill::MOST_MORE);
        let mut slow: Vec<Placed> = found.concat();
        let order = |it: &Placed| (it.from, it.edge.placement);
        fast.sort_by_key(order);
        slow.sort_by_key(order);
        slow.dedup();
        assert_eq!(fast, slow);
        all += slow.len();
    }
    assert!(all > 15, "{all} pieces");
}

/// A way through a shape, by chance: the playfield of each layer and the placement.
fn a_way(shape: &Shape, number: u64) -> Vec<Placement> {
    let mut node = 0;
    let mut dice = number;
    let of_layer = |layer: &Layer, node: &mut u32, dice: &mut u64| {
        let edges: Vec<&Edge> =
            maxout_engine::game::Piece::ALL.iter().flat_map(|&piece| layer.edges(*node, piece)).collect();
        *dice = split_mix(*dice);
        let edge = edges[*dice as usize % edges.len()];
        *node = edge.to;
        edge.placement
    };
    shape.layers.iter().map(|layer| of_layer(layer, &mut node, &mut dice)).collect()
}

/// Ways through a shape by the same dice for each shape.
fn ways(shape: &Shape) -> Vec<Vec<Placement>> {
    (0..300).map(|number| a_way(shape, number)).collect()
}

#[test]
#[ignore = "lists the cycles of a run twice; .ci/run runs it"]
fn a_run_has_the_same_ways_on_any_number_of_threads() {
    let steps = steps();
    let run = runs(&steps).remove(0);
    let stop = AtomicBool::new(false);
    let [one, two] = [1, 2].map(|threads| {
        let library = Library::default();
        ways(&listing(&library, threads, &stop).shape(&steps, &run, |_, _| ()).expect("a shape"))
    });
    assert_eq!(one, two);
}

#[test]
fn every_way_through_a_run_ends_with_its_last_playfield() {
    let steps = steps();
    let run = runs(&steps).remove(0);
    let stop = AtomicBool::new(false);
    let library = Library::default();
    let mut cycles = (0, 0);
    let shape = listing(&library, 2, &stop).shape(&steps, &run, |listed, of| cycles = (listed, of)).expect("a shape");
    assert!(cycles.0 == cycles.1 && cycles.1 > 2, "{cycles:?}");
    assert_eq!(shape.pieces(), 29);
    let again = listing(&library, 2, &stop).shape(&steps, &run, |_, _| ()).expect("a shape from the library");
    assert_eq!(ways(&again), ways(&shape));
    let own: Vec<Placement> = CYCLES.into_iter().map(placement).collect();
    let mut others = HashSet::new();
    let mut reach = Reach::stopping();
    for way in ways(&shape) {
        let mut page = Page::from_words(BEGIN);
        let mut clears = 0;
        for &placement in &way {
            let piece = placement.orientation.piece();
            let mut reached = false;
            reach.landings(&page, piece, 3, false, MOST_FALL, |landing| reached |= landing.placement == placement);
            assert!(reached, "{placement:?} on {page:?}");
            let rows = page.lock(placement);
            assert!(rows == 0 || rows == 4);
            clears += usize::from(rows > 0);
        }
        assert_eq!(clears, 3);
        // What lies above row 0 plays no part in the rows.
        let visible = |page: &Page| -> Vec<u16> { (0..20).map(|row| page.row(row)).collect() };
        assert_eq!(visible(&page), visible(&steps[29].page));
        others.insert(way);
    }
    assert!(others.len() > 20, "{} ways", others.len());
    // The game's own way is one of them.
    let mut nodes = vec![0];
    for (layer, placement) in shape.layers.iter().zip(&own) {
        let piece = placement.orientation.piece();
        let edges = nodes.iter().flat_map(|&node| layer.edges(node, piece));
        nodes = edges.filter(|edge| edge.placement == *placement).map(|edge| edge.to).collect();
    }
    assert!(!nodes.is_empty(), "the run's own placements are missing");

    stop.store(true, Ordering::Relaxed);
    assert!(listing(&Library::default(), 2, &stop).shape(&steps, &run, |_, _| ()).is_none());
}
