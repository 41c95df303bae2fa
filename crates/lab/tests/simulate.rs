//! Simulated games against games of the pilot, and runs of many games against runs of one.

use std::sync::atomic::AtomicBool;

use maxout_engine::bot::{Event, Flow, FrameReport, FrameSink, Goal, Pilot, Run, SinkError};
use maxout_engine::console::{Console, Simulated};
use maxout_engine::game::crash::Crashes;
use maxout_engine::game::memory::address::{LEVEL_NUMBER, LINES};
use maxout_engine::game::randomizer::Randomizer;
use maxout_engine::game::simulation::Simulation;
use maxout_engine::game::{Ruleset, level};
use maxout_engine::judge::handmade;
use maxout_engine::planner::{self, Input, Player, PlayerError, Search};
use maxout_engine::ram::{Decoder, RamMap};
use maxout_lab::simulate::{self, Ending, Error, GameResult, Job, PieceSource, play_game, play_on, run};

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
        assert_eq!(result.points + result.pushdown, u64::from(result.score), "{input:?}");
    }
}

/// A game from level 18 that has cleared so many lines, its playfield empty.
fn game_at(lines: u16, seed: u16) -> Simulation {
    let mut simulation = Simulation::new_game(18, Randomizer::SEED.clocked_times(seed));
    simulation.poke(LEVEL_NUMBER as u16, level::level_after(18, lines));
    simulation.poke(LINES as u16, (lines % 100 / 10 * 16 + lines % 10) as u8);
    simulation.poke(LINES as u16 + 1, (lines / 100) as u8);
    simulation
}

fn play_ksx2(planner: &planner::Settings, until: &str, from: Simulation) -> Result<GameResult, Error> {
    let settings = simulate::Settings {
        rules: Ruleset::Ksx2,
        start_level: 18,
        until: until.parse().expect("an end"),
        ..simulate::Settings::default()
    };
    play_on(&mut search("el-tetris", planner.clone()), &settings, from, &GO_ON).map(|played| played.result)
}

#[test]
fn at_two_rows_a_frame_every_plan_is_what_the_model_does() {
    let styles = [
        (Input::EvenFrames, "30"),
        (Input::Gamepad, "30"),
        (Input::Drag, "30"),
        (Input::Teleport, "30"),
        (Input::Taps, "30"),
        (Input::Taps, "20"),
        (Input::Taps, "12"),
        (Input::Taps, "X.X.."),
    ];
    for ((input, tap_rate), reaction_frames) in styles.into_iter().flat_map(|style| [(style, 0), (style, 5)]) {
        if input.cheat().is_some() && reaction_frames > 0 {
            continue;
        }
        let tap_rate = tap_rate.parse().expect("a tap rate");
        let planner =
            planner::Settings { input, tap_rate, reaction_frames, rules: Ruleset::Ksx2, ..Default::default() };
        let pieces: u32 =
            (0..10).map(|seed| play_ksx2(&planner, "pieces:40", game_at(330, seed)).expect("no desync").pieces).sum();
        assert!(pieces > 60, "{input:?} {tap_rate}: {pieces} pieces");
        // A player that plans by the rules of the original is caught.
        let planner = planner::Settings { rules: Ruleset::Original, ..planner };
        let caught = (0..10)
            .any(|seed| matches!(play_ksx2(&planner, "pieces:40", game_at(330, seed)), Err(Error::Desync { .. })));
        assert_eq!(caught, input.cheat().is_none(), "{input:?} {tap_rate}");
    }
}

#[test]
fn what_a_game_had_at_level_39_is_kept_where_that_level_is_faster() {
    let planner = planner::Settings { rules: Ruleset::Ksx2, ..Default::default() };
    let game = play_ksx2(&planner, "lines:16", game_at(320, 1)).expect("no desync");
    let by_39 = game.by_39.expect("kept by these rules");
    assert!(game.level == 39 && by_39.reached && game.reached_29);
    assert!(by_39.points > 0 && by_39.points < game.points, "{by_39:?} of {}", game.points);
    let before = play_ksx2(&planner, "lines:6", game_at(320, 1)).expect("no desync");
    let by_39 = before.by_39.expect("kept by these rules");
    assert_eq!((by_39.points, by_39.pushdown, by_39.reached), (before.points, before.pushdown, false));
    let settings = simulate::Settings { until: "pieces:9".parse().expect("an end"), ..Default::default() };
    let mut player = search("el-tetris", Default::default());
    let original = play_on(&mut player, &settings, game_at(320, 1), &GO_ON).expect("no desync").result;
    assert_eq!(original.by_39, None);
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
    // The player at level 29 lives on past level 155, where the original crashes.
    let (off, on) = (Some(Crashes::Off), None);
    for (until, start_level, crashes) in
        [("lines:30", 19, on), ("topout", 29, off), ("topout", 29, on), ("score:5000", 0, on), ("level:1", 0, on)]
    {
        let until = until.parse().expect("an end");
        let settings = simulate::Settings { until, start_level, crashes, ..simulate::Settings::default() };
        let result = play_game(&mut player, &settings, 1, &GO_ON).expect("a game").result;
        endings.push(result.ending);
        assert_eq!(result.lock_rows.iter().sum::<u32>(), result.pieces);
        let cells: u32 = result.lock_cells.iter().flatten().sum();
        assert!(cells <= 4 * result.pieces && cells + 40 >= 4 * result.pieces);
        assert_eq!(result.lines, (1..).zip(result.clears).map(|(rows, count)| rows * count).sum::<u32>());
    }
    assert_eq!(endings, [Ending::Goal, Ending::Topout, Ending::Crash, Ending::Goal, Ending::Goal]);
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
