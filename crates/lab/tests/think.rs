//! The learned player in whole games, with a net made by a rule.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, LazyLock};

use maxout_engine::bot::{Event, Flow, FrameReport, FrameSink, Goal, Pilot, Run, SinkError};
use maxout_engine::console::Simulated;
use maxout_engine::game::control::FallingPiece;
use maxout_engine::game::{Piece, Placement, Playfield, Position};
use maxout_engine::gamepad::Buttons;
use maxout_engine::judge::learned::NetSet;
use maxout_engine::planner::filter::{Filter, Well};
use maxout_engine::planner::{Falling, Input, Search, Settings};
use maxout_engine::ram::{Decoder, RamMap};
use maxout_lab::simulate::{self, Ending, play_game};
use proptest::prelude::*;

static GO_ON: AtomicBool = AtomicBool::new(false);
static NET: LazyLock<Arc<NetSet>> = LazyLock::new(|| Arc::new(NetSet::by_rule()));

fn search(settings: Settings) -> Search {
    Search::new(Arc::clone(&NET), settings)
}

fn thinking(think: &str) -> Settings {
    Settings { think: Some(think.parse().expect("valid")), input: Input::Taps, ..Settings::default() }
}

/// Every lock is compared with its plan by the simulation.
#[test]
fn whole_games_lock_where_they_were_planned() {
    let settings = |until: &str, start_level| simulate::Settings {
        until: until.parse().expect("an end"),
        start_level,
        ..simulate::Settings::default()
    };
    let result = play_game(&mut search(thinking("fixed:2")), &settings("lines:230", 19), 1, &GO_ON).expect("a game");
    assert_eq!(result.result.ending, Ending::Goal, "{:?}", result.result);
    for input in [Input::EvenFrames, Input::Gamepad, Input::Taps, Input::Drag, Input::Teleport] {
        for (start_level, reaction_frames) in [(0, 0), (18, 0), (19, 0), (19, 13), (29, 0)] {
            if reaction_frames > 0 && input.cheat().is_some() {
                continue;
            }
            let mut player = search(Settings { input, reaction_frames, ..thinking("fixed:2") });
            let result = play_game(&mut player, &settings("pieces:40", start_level), 2, &GO_ON);
            let result = result.unwrap_or_else(|error| panic!("{input:?} at level {start_level}: {error}"));
            assert!(result.result.pieces > 10, "{input:?} at level {start_level}");
        }
    }
}

/// Which pieces go into the rightmost column?
#[derive(Default)]
struct IntoTheWell(Vec<Piece>);

impl FrameSink for IntoTheWell {
    fn frame(&mut self, report: &FrameReport<'_>) -> Result<Flow, SinkError> {
        if let Some(plan) = report.plan.filter(|_| report.events.contains(&Event::Planned)) {
            let Placement { orientation, x, .. } = plan.placement;
            if orientation.cells().iter().any(|&(_, dx)| x + dx == 9) {
                self.0.push(orientation.piece());
            }
        }
        Ok(Flow::Continue)
    }
}

#[test]
fn a_filter_overrules_the_net() {
    let decoder = Decoder::new(&RamMap::tetris_ntsc()).expect("built in");
    let into_the_well = |filter: Option<Arc<dyn Filter>>| {
        let pilot = Pilot::new(Box::new(search(thinking("fixed:2")).filtered(filter)), 19, 3);
        let mut seen = IntoTheWell::default();
        // Before the pile is so high that no other placement is reachable.
        let goal = Goal::Pieces(25);
        let mut run = Run::new(Simulated::power_on(), decoder.clone(), pilot, goal);
        run.play(&mut [&mut seen], &GO_ON).expect("a game");
        seen.0
    };
    let filtered = into_the_well(Some(Arc::new(Well)));
    assert!(filtered.iter().all(|&piece| piece == Piece::I), "{filtered:?}");
    let free = into_the_well(None);
    assert!(free.iter().any(|&piece| piece != Piece::I), "{free:?}");
}

#[test]
fn a_target_score_is_not_exceeded_whatever_the_net_prefers() {
    let decoder = Decoder::new(&RamMap::tetris_ntsc()).expect("built in");
    // A tetris is worth more than the target.
    let settings = Settings { target_score: Some(4321), ..thinking("fixed:2") };
    let pilot = Pilot::new(Box::new(search(settings)), 5, 2);
    let goal = Goal::Score(4321);
    let mut run = Run::new(Simulated::power_on(), decoder, pilot, goal);
    let finished = run.play(&mut [], &GO_ON).expect("a game");
    let score = finished.snapshot.score;
    assert!((1000..=4321).contains(&score) && finished.snapshot.lines > 3, "{score}");
}

#[derive(Default)]
struct Keep(Vec<Buttons>);

impl FrameSink for Keep {
    fn frame(&mut self, report: &FrameReport<'_>) -> Result<Flow, SinkError> {
        self.0.push(report.buttons);
        Ok(Flow::Continue)
    }
}

#[test]
fn the_same_seed_presses_the_same_buttons() {
    let decoder = Decoder::new(&RamMap::tetris_ntsc()).expect("built in");
    let buttons = |threads| {
        let mut kept = Keep::default();
        let settings = Settings { think_threads: threads, ..thinking("fixed:3") };
        let pilot = Pilot::new(Box::new(search(settings)), 19, 4);
        let goal = Goal::Pieces(40);
        let mut run = Run::new(Simulated::power_on(), decoder.clone(), pilot, goal);
        run.play(&mut [&mut kept], &GO_ON).expect("a game");
        kept.0
    };
    let once = buttons(None);
    assert!(once.len() > 1000);
    assert!(once == buttons(None), "twice");
    assert!(once == buttons(std::num::NonZeroU16::new(2)), "with threads");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    #[test]
    fn taps_at_30_hz_go_by_even_frames_at_two_frames_a_row(
        rows in prop::collection::vec(0_u16..0x3FF, 0..15),
        pieces in (0..7_usize, 0..7_usize),
        level in 19..=28_u8,
    ) {
        let mut playfield = Playfield::EMPTY;
        for (row, &bits) in (0..20).rev().zip(&rows) {
            playfield.set_row(row, bits);
        }
        let (piece, next) = (Piece::ALL[pieces.0], Piece::ALL[pieces.1]);
        let position = Position { playfield, piece, next, level, lines: 0, score: 0 };
        let piece = FallingPiece::spawned(piece.spawn(), 0);
        let falling = Falling { piece, held: Buttons::NONE, control_frame: 0 };
        if let Some(plan) = search(thinking("fixed:1")).plan(&position, &falling) {
            let mut held = Buttons::NONE;
            for (frame, &buttons) in plan.timeline.frames().iter().enumerate() {
                prop_assert!(buttons.newly_pressed(held).is_empty() || frame % 2 == 0, "{:?}", plan.timeline);
                held = buttons;
            }
        }
    }
}
