//! Filters in whole games on the model: the well stays open, the pile draws the picture.

use std::sync::atomic::AtomicBool;

use maxout_engine::bot::{Event, Finished, Flow, FrameReport, FrameSink, Goal, Pilot, Run, SinkError};
use maxout_engine::console::Simulated;
use maxout_engine::game::Playfield;
use maxout_engine::judge::handmade;
use maxout_engine::planner::filter::{Drawing, FilterChoice};
use maxout_engine::planner::{Input, Search, Settings};
use maxout_engine::ram::{Decoder, RamMap};
use maxout_formats::pattern;

/// Keeps the playfield at every spawn.
struct Spawns<F: FnMut(&Playfield)>(F);

impl<F: FnMut(&Playfield)> FrameSink for Spawns<F> {
    fn frame(&mut self, report: &FrameReport<'_>) -> Result<Flow, SinkError> {
        if report.events.contains(&Event::Planned) {
            self.0(&report.snapshot.playfield);
        }
        Ok(Flow::Continue)
    }
}

fn play(settings: Settings, evaluator: &str, seed: u64, goal: Goal, at_spawn: impl FnMut(&Playfield)) -> Finished {
    let console = Simulated::power_on();
    let decoder = Decoder::new(&RamMap::tetris_ntsc()).expect("the embedded map");
    let filter = settings.filter.as_ref().map(|filter| pattern::filter(filter).expect("a filter"));
    let search = Search::new(handmade::by_name(evaluator, None).expect("embedded weights"), settings).filtered(filter);
    let pilot = Pilot::new(Box::new(search), 18, seed);
    let stop = AtomicBool::new(false);
    let mut spawns = Spawns(at_spawn);
    Run::new(console, decoder, pilot, goal).play(&mut [&mut spawns], &stop).expect("the run goes on")
}

/// How many cells of the picture a pile has, and how many cells it has beside them.
fn compare(picture: &Drawing, pile: &Playfield) -> (u32, u32) {
    let rows = picture.cells().visible().iter().zip(pile.visible());
    rows.fold((0, 0), |(right, wrong), (wanted, found)| {
        (right + (wanted & found).count_ones(), wrong + (found & !wanted).count_ones())
    })
}

/// The best pile of a game that draws a picture: cells of the picture that it has, cells beside
/// them, and the pile.
fn draw(name: &str, input: Input, evaluator: &str, seed: u64) -> (u32, u32, Playfield, Drawing) {
    let path = format!("{}/../../config/patterns/{name}.png", env!("CARGO_MANIFEST_DIR"));
    let picture = pattern::drawing(&std::fs::read(&path).expect("a pattern")).expect("it can be drawn");
    let settings = Settings { input, filter: Some(FilterChoice::Pattern(path.into())), ..Settings::default() };
    let pieces = picture.cells().cell_count() / 4 + 10;
    let mut best = (0, 0, Playfield::EMPTY);
    let finished = play(settings, evaluator, seed, Goal::Pieces(pieces), |pile| {
        let (right, wrong) = compare(&picture, pile);
        if right + best.1 > best.0 + wrong {
            best = (right, wrong, *pile);
        }
    });
    assert_eq!(finished.tally.desyncs, 0);
    (best.0, best.1, best.2, picture)
}

/// Share of the pictures' cells that ten games draw, less the cells beside the picture.
fn drawn_share(name: &str, input: Input, evaluator: &str) -> f64 {
    let (mut drawn, mut wanted) = (0, 0);
    for seed in 1..=10 {
        let (right, wrong, pile, picture) = draw(name, input, evaluator, seed);
        if seed == 1 {
            println!("{pile}");
        }
        drawn += right - wrong;
        wanted += picture.cells().cell_count();
    }
    let share = f64::from(drawn) / f64::from(wanted);
    println!("{name}, {input:?}, {evaluator}: {drawn} of {wanted} cells, {:.1} %", 100.0 * share);
    share
}

#[test]
fn the_pile_draws_the_pictures() {
    for name in ["zigzag", "hill"] {
        for input in [Input::EvenFrames, Input::Gamepad, Input::Drag] {
            for evaluator in ["birken-v2", "el-tetris"] {
                let share = drawn_share(name, input, evaluator);
                assert!(share > 0.65, "{name}, {input:?}, {evaluator}: {share:.3}");
            }
        }
    }
}

/// Five games to 100 lines: number of spawns, of spawns with the rightmost column open, of tetrises.
fn well_games(input: Input, evaluator: &str, filter: Option<FilterChoice>) -> (u32, u32, u32) {
    let (mut spawns, mut open, mut tetrises) = (0, 0, 0);
    for seed in 1..=5 {
        let settings = Settings { input, filter: filter.clone(), ..Settings::default() };
        let finished = play(settings, evaluator, seed, Goal::Lines(100), |pile| {
            spawns += 1;
            open += u32::from(pile.visible().iter().all(|row| row >> 9 & 1 == 0));
        });
        assert_eq!(finished.tally.desyncs, 0);
        tetrises += finished.tally.clears[3];
    }
    println!("{input:?}, {evaluator}, {filter:?}: {spawns} spawns, {open} with an open well, {tetrises} tetrises");
    (spawns, open, tetrises)
}

#[test]
fn the_well_is_kept_for_tetrises() {
    for input in [Input::EvenFrames, Input::Drag] {
        for evaluator in ["birken-v2", "el-tetris"] {
            let (spawns, open, _) = well_games(input, evaluator, None);
            let (filtered_spawns, filtered_open, _) = well_games(input, evaluator, Some(FilterChoice::Well));
            let share = |open: u32, spawns: u32| f64::from(open) / f64::from(spawns);
            let (without, with) = (share(open, spawns), share(filtered_open, filtered_spawns));
            assert!(with > 1.2 * without, "{input:?}, {evaluator}: {with:.2} after {without:.2}");
        }
    }
    // el-tetris avoids wells even without a filter.
    let (_, _, tetrises) = well_games(Input::EvenFrames, "el-tetris", Some(FilterChoice::Well));
    assert!(tetrises >= 5, "{tetrises}");
}
