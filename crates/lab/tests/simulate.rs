//! Simulated games against games of the pilot, and runs of many games against runs of one.

use std::sync::atomic::AtomicBool;

use maxout_engine::bot::{Event, Flow, FrameReport, FrameSink, Goal, Pilot, Run, SinkError};
use maxout_engine::console::{Console, Simulated};
use maxout_engine::game::simulation::Simulation;
use maxout_engine::judge::handmade;
use maxout_engine::planner::{self, Input, Player, PlayerError, Search};
use maxout_engine::ram::{Decoder, RamMap};
use maxout_lab::simulate::{self, Ending, GameResult, Job, PieceSource, play_game, play_on, run};

static GO_ON: AtomicBool = AtomicBool::new(false);

fn search(evaluator: &str, planner: planner::Settings) -> Search {
    Search::new(handmade::by_name(evaluator, None).expect("built in"), planner)
}

/// Keeps the frame in which the game began.
#[derive(Default)]
struct Begin(Option<u64>);

impl FrameSink for Begin {
    fn frame(&mut self, report: &FrameReport<'_>) -> Result<Flow, SinkError> {
        if report.events.contains(&Event::GameStart) {
            self.0 = Some(report.frame);
        }
        Ok(Flow::Continue)
    }
}

#[test]
fn a_simulated_game_is_the_pilots_game() {
    let decoder = Decoder::new(&RamMap::tetris_ntsc()).expect("built in");
    for (input, seed) in [
        (Input::EvenFrames, 2),
        (Input::EvenFrames, 5),
        (Input::Taps, 6),
        (Input::Gamepad, 3),
        (Input::Drag, 4),
        (Input::Teleport, 4),
    ] {
        let planner = planner::Settings { input, ..planner::Settings::default() };
        let pilot = || Pilot::new(Box::new(search("el-tetris", planner.clone())), 19, seed);
        let mut begin = Begin::default();
        let run = |goal| Run::new(Simulated::power_on(), decoder.clone(), pilot(), goal);
        let finished = run(Goal::Pieces(151)).play(&mut [&mut begin], &GO_ON).expect("a game");

        let frames = begin.0.expect("the game began") + 1;
        let mut beginning = run(Goal::Frames(frames));
        beginning.play(&mut [], &GO_ON).expect("its beginning");
        let simulation = Simulation::from_ram(beginning.console().ram()).expect("a game under way");
        let settings =
            simulate::Settings { until: "pieces:150".parse().expect("an end"), ..simulate::Settings::default() };
        let mut player = search("el-tetris", planner.clone());
        let result = play_on(&mut player, &settings, simulation, &GO_ON).expect("the same game").result;
        // The pilot stops in the frame of a lock, before it is scored.
        assert_eq!(result.pieces + 1, finished.tally.pieces);
        assert_eq!(result.clears, finished.tally.clears, "{input:?}");
        assert_eq!(result.score, finished.snapshot.score, "{input:?}");
        // By a quirk of the game, pushdown points are lost now and then, points of clears never.
        let reported = result.points + result.pushdown;
        assert!((0..=20 * 150).contains(&(reported as i64 - i64::from(result.score))), "{reported} {}", result.score);
    }
}

fn games(settings: simulate::Settings, first: u64, games: u64, step: u64, threads: usize) -> Vec<GameResult> {
    let mut results = Vec::new();
    let player =
        || -> Result<Box<dyn Player>, PlayerError> { Ok(Box::new(search("el-tetris", planner::Settings::default()))) };
    let job = Job { settings, first, games, step, threads };
    run(&job, &player, &GO_ON, &mut |played| results.push(played.result)).expect("games");
    results
}

#[test]
fn threads_and_shards_change_no_game() {
    let settings = simulate::Settings { until: "pieces:60".parse().expect("an end"), ..simulate::Settings::default() };
    let whole = games(settings, 0, 24, 1, 1);
    assert_eq!(whole.iter().map(|result| result.game).collect::<Vec<_>>(), (0..24).collect::<Vec<_>>());
    assert_eq!(games(settings, 0, 24, 1, 5), whole);
    let mut shards = [games(settings, 0, 8, 3, 2), games(settings, 1, 8, 3, 2), games(settings, 2, 8, 3, 2)].concat();
    shards.sort_by_key(|result| result.game);
    assert_eq!(shards, whole);
    assert_ne!(games(simulate::Settings { seed: 2, ..settings }, 0, 24, 1, 2), whole);
}

#[test]
fn pieces_of_other_sources_are_played_as_dealt() {
    for (pieces, longest) in [(PieceSource::Uniform, 1..200), (PieceSource::Drought(40), 40..200)] {
        let settings = simulate::Settings {
            until: "pieces:200".parse().expect("an end"),
            pieces,
            ..simulate::Settings::default()
        };
        let mut player = search("birken-v2", planner::Settings::default());
        let result = play_game(&mut player, &settings, 0, &GO_ON).expect("a game").result;
        assert!(longest.contains(&result.longest_drought), "{pieces}: {}", result.longest_drought);
        assert!(result.pieces > 60, "{pieces}: {}", result.pieces);
    }
}

#[test]
fn goals_and_topouts_are_distinguished_and_counts_add_up() {
    let mut player = search("el-tetris", planner::Settings::default());
    let mut endings = Vec::new();
    for (until, start_level) in [("lines:30", 19), ("topout", 29), ("score:5000", 0), ("level:1", 0)] {
        let settings =
            simulate::Settings { until: until.parse().expect("an end"), start_level, ..simulate::Settings::default() };
        let result = play_game(&mut player, &settings, 1, &GO_ON).expect("a game").result;
        endings.push(result.ending);
        assert_eq!(result.lock_rows.iter().sum::<u32>(), result.pieces);
        let cells: u32 = result.lock_cells.iter().flatten().sum();
        assert!(cells <= 4 * result.pieces && cells + 40 >= 4 * result.pieces);
        assert_eq!(result.lines, (1..).zip(result.clears).map(|(rows, count)| rows * count).sum::<u32>());
    }
    assert_eq!(endings, [Ending::Goal, Ending::Topout, Ending::Goal, Ending::Goal]);
}

#[test]
fn a_stop_keeps_the_finished_games() {
    let settings = simulate::Settings { until: "pieces:30".parse().expect("an end"), ..simulate::Settings::default() };
    let stop = AtomicBool::new(false);
    let player =
        || -> Result<Box<dyn Player>, PlayerError> { Ok(Box::new(search("el-tetris", planner::Settings::default()))) };
    let job = Job { settings, first: 0, games: u64::MAX, step: 1, threads: 2 };
    let mut told = Vec::new();
    run(&job, &player, &stop, &mut |played| {
        told.push(played.result.game);
        stop.store(told.len() >= 5, std::sync::atomic::Ordering::Relaxed);
    })
    .expect("a stop is no failure");
    assert!(told.len() >= 5 && told.is_sorted(), "{told:?}");
}
