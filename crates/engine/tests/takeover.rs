//! A person plays in between, the console's state jumps, and a game that is under way is taken over.

use maxout_engine::bot::{Event, Goal, Pilot, Run};
use maxout_engine::console::{Console, Error, Reset, Simulated};
use maxout_engine::gamepad::Buttons;
use maxout_engine::judge::handmade;
use maxout_engine::planner::{Search, Settings};
use maxout_engine::ram::{Decoder, GameMode, GameType, Phase, RamMap};

/// The rules model in the hands of somebody else, who may reset it, load a state, and press buttons.
struct Shared {
    console: Simulated,
    /// What the person presses in the next step.
    person: Option<Buttons>,
    pressed: Option<Buttons>,
}

impl Shared {
    fn power_on() -> Shared {
        Shared { console: Simulated::power_on(), person: None, pressed: None }
    }
}

impl Console for Shared {
    maxout_engine::pass_on!(self.console, but step, taken_over, is_shared);

    fn step(&mut self, buttons: Buttons) -> Result<(), Error> {
        self.pressed = self.person;
        self.console.step(self.person.unwrap_or(buttons))
    }

    fn taken_over(&self) -> Option<Buttons> {
        self.pressed
    }

    fn is_shared(&self) -> bool {
        true
    }
}

fn run<C: Console>(console: C, seed: u64) -> Run<C> {
    let decoder = Decoder::new(&RamMap::tetris_ntsc()).expect("the embedded map");
    let player = Search::new(handmade::by_name("el-tetris", None).expect("embedded weights"), Settings::default());
    Run::new(console, decoder, Pilot::new(Box::new(player), 9, seed), Goal::Topout)
}

/// Plays until this many pieces have locked; the events on the way.
fn play_to<C: Console>(run: &mut Run<C>, pieces: u32) -> Vec<Event> {
    let mut events = Vec::new();
    for _ in 0..20_000 {
        let report = run.frame().expect("a frame");
        events.extend_from_slice(report.events);
        assert_eq!(report.tally.desyncs, 0, "frame {}: {:?}", report.frame, report.events);
        assert_eq!(report.outcome, None);
        if report.tally.pieces == pieces {
            return events;
        }
    }
    panic!("no {pieces} pieces in 20,000 frames");
}

fn count(events: &[Event], wanted: &Event) -> usize {
    events.iter().filter(|event| *event == wanted).count()
}

#[test]
fn a_loaded_state_is_noticed_and_the_piece_is_planned_anew() {
    // The state is saved while a piece falls, in the clear or the delay, and in the menus.
    for wanted in [Phase::Falling, Phase::EntryDelay, Phase::Menu(maxout_engine::ram::GameMode::LevelMenu)] {
        let mut run = run(Shared::power_on(), 3);
        let mut state = None;
        while state.is_none() {
            let report = run.frame().expect("a frame");
            let has_waited = report.tally.pieces >= 5 || matches!(wanted, Phase::Menu(_));
            if report.snapshot.phase() == wanted && has_waited {
                state = Some(run.console().save_state().expect("it can be saved"));
            }
        }
        let events = play_to(&mut run, 12);
        assert_eq!(count(&events, &Event::Jump), 0, "before the state is loaded");
        for _ in 0..7 {
            run.frame().expect("a frame");
        }
        run.console_mut().restore_state(&state.expect("the phase was seen")).expect("its own state");
        let report = run.frame().expect("a frame");
        assert_eq!((report.events[0].clone(), report.tally.jumps), (Event::Jump, 1), "{wanted:?}");
        let is_planned = report.events.contains(&Event::Planned);
        assert_eq!(is_planned, wanted == Phase::Falling, "{wanted:?}: {:?}", report.events);
        // It plays on: a new game from the menus, else the old one.
        let events = play_to(&mut run, 20);
        assert_eq!(count(&events, &Event::Jump), 0);
        assert_eq!(count(&events, &Event::GameStart), usize::from(matches!(wanted, Phase::Menu(_))));
    }
}

/// A person who goes to the menu of B-type games leaves the cursor on the level or on the height.
#[test]
fn from_the_menu_of_b_type_games_it_goes_back_to_an_a_type_game() {
    for by_height in [false, true] {
        let mut run = run(Shared::power_on(), 2);
        let mut pressed = Buttons::NONE;
        loop {
            let report = run.frame_by_hand(pressed).expect("a frame");
            let snapshot = report.snapshot;
            let is_b_type = snapshot.game_type == GameType::B;
            let wanted = match snapshot.phase() {
                Phase::Menu(GameMode::LevelMenu) if !by_height || snapshot.selecting_height == 1 => break,
                Phase::Menu(GameMode::LevelMenu) => Buttons::A,
                Phase::Menu(GameMode::GameType) if !is_b_type => Buttons::RIGHT,
                _ => Buttons::START,
            };
            // A press counts only when it is new.
            pressed = if pressed.is_empty() { wanted } else { Buttons::NONE };
            assert!(report.frame < 3_000);
        }
        let events = play_to(&mut run, 3);
        assert_eq!(count(&events, &Event::GameStart), 1);
        let report = run.frame().expect("a frame");
        assert_eq!((report.snapshot.game_type, report.snapshot.start_level), (GameType::A, 9));
    }
}

#[test]
fn a_reset_leads_to_a_new_game() {
    // The first frames after the reset button leave RAM and its frame counter as they were.
    for (reset, phase) in [Reset::Button, Reset::Power]
        .into_iter()
        .flat_map(|reset| [Phase::Falling, Phase::EntryDelay].map(|phase| (reset, phase)))
    {
        let mut run = run(Shared::power_on(), 1);
        play_to(&mut run, 6);
        while run.frame().expect("a frame").snapshot.phase() != phase {}
        run.frame().expect("a frame");
        run.console_mut().reset(reset);
        let mut starts = 0;
        let tally = loop {
            let report = run.frame().expect("a frame");
            starts += count(report.events, &Event::GameStart);
            assert_eq!((report.outcome, report.tally.desyncs), (None, 0), "frame {}", report.frame);
            if starts == 1 && report.tally.pieces == 4 {
                break *report.tally;
            }
        };
        assert_eq!((tally.jumps, tally.by_hand), (1, 0));
    }
}

#[test]
fn a_rewind_is_one_jump_and_the_promises_of_the_past_are_not_checked() {
    let mut run = run(Shared::power_on(), 3);
    play_to(&mut run, 4);
    let mut states = Vec::new();
    for _ in 0..150 {
        states.push(run.console().save_state().expect("a state"));
        run.frame().expect("a frame");
    }
    let mut jumps = 0;
    // A host that rewinds steps back and shows one frame from there.
    for state in states.iter().rev().step_by(2) {
        run.console_mut().restore_state(state).expect("its own state");
        jumps += count(run.frame().expect("a frame").events, &Event::Jump);
    }
    let report = run.frame().expect("a frame");
    assert_eq!((jumps, report.tally.jumps, report.tally.desyncs), (75, 1, 0), "each in the log, and one in the count");
    let pieces = report.tally.pieces;
    play_to(&mut run, pieces + 8);
}

#[test]
fn a_state_loaded_in_the_frame_after_it_was_saved_is_noticed() {
    let mut run = run(Shared::power_on(), 3);
    play_to(&mut run, 4);
    while run.frame().expect("a frame").snapshot.phase() != Phase::Falling {}
    run.frame().expect("a frame");
    let state = run.console().save_state().expect("a state");
    run.frame().expect("a frame");
    run.console_mut().restore_state(&state).expect("its own state");
    let tally = *run.frame().expect("a frame").tally;
    assert_eq!((tally.jumps, tally.desyncs), (1, 0));
    play_to(&mut run, tally.pieces + 5);
}

#[test]
fn a_game_that_was_over_before_is_left_for_a_new_one() {
    // From the curtain, from the wait for Start behind it, and from the name entry or the ending.
    for (frames, ten_thousands) in [(0, 0), (60, 0), (200, 0), (250, 1), (0, 9), (1500, 9)] {
        let mut first = run(Simulated::power_on(), 6);
        play_to(&mut first, 2);
        for address in [0x55, 0x75] {
            first.console_mut().poke(address, ten_thousands);
        }
        while first.frame_by_hand(Buttons::NONE).expect("a frame").snapshot.phase() != Phase::Topout {}
        for frame in 0..frames {
            // One press, which leads from the curtain to the name entry.
            let buttons = if frame == 200 { Buttons::START } else { Buttons::NONE };
            let phase = first.frame_by_hand(buttons).expect("a frame").snapshot.phase();
            assert_eq!(phase, Phase::Topout, "{frames}");
        }
        let mut second = run(first.console_mut(), 6);
        let events = play_to(&mut second, 3);
        assert_eq!(count(&events, &Event::GameStart), 1, "{frames}");
    }
}

#[test]
fn desyncs_of_the_game_before_a_reset_are_not_forgotten() {
    let mut run = run(Shared::power_on(), 1);
    play_to(&mut run, 3);
    while run.frame().expect("a frame").snapshot.phase() != Phase::Falling {}
    // Somebody moves the piece.
    let x = run.console().ram()[0x60];
    run.console_mut().poke(0x40, if x > 4 { x - 1 } else { x + 1 });
    run.console_mut().poke(0x60, if x > 4 { x - 1 } else { x + 1 });
    run.frame().expect("a frame");
    run.console_mut().reset(Reset::Button);
    let desyncs = loop {
        let report = run.frame().expect("a frame");
        if report.events.contains(&Event::GameStart) {
            break report.tally.desyncs;
        }
    };
    assert_eq!(desyncs, 1);
}

/// What a person does: shifts, turns, drops, pauses and goes on.
fn person(frame: u32) -> Buttons {
    match frame % 40 {
        0..6 => Buttons::LEFT,
        8 | 20 => Buttons::A,
        24..34 => Buttons::DOWN,
        _ => Buttons::NONE,
    }
}

#[test]
fn a_person_takes_over_and_hands_back_in_any_frame() {
    for frames in [1, 2, 50, 61, 62, 63, 64, 65, 300] {
        for through_console in [true, false] {
            let mut run = run(Shared::power_on(), 2);
            play_to(&mut run, 4);
            for _ in 0..9 {
                run.frame().expect("a frame");
            }
            let mut events = Vec::new();
            for frame in 0..frames {
                let buttons = person(frame);
                let report = if through_console {
                    run.console_mut().person = Some(buttons);
                    run.frame().expect("a frame")
                } else {
                    run.frame_by_hand(buttons).expect("a frame")
                };
                assert_eq!((report.buttons, report.plan), (buttons, None), "what was pressed, and nobody plans");
                events.extend_from_slice(report.events);
            }
            assert_eq!((count(&events, &Event::TakenOver), count(&events, &Event::Planned)), (1, 0));
            run.console_mut().person = None;
            let report = run.frame().expect("a frame");
            assert_eq!(report.events[0], Event::HandedBack);
            assert_eq!(report.snapshot.phase() == Phase::Falling, report.events.contains(&Event::Planned));
            assert_eq!((report.tally.by_hand, report.tally.jumps, report.tally.desyncs), (frames.into(), 0, 0));
            let pieces = report.tally.pieces;
            play_to(&mut run, pieces + 10);
        }
    }
}

#[test]
fn a_game_that_a_person_paused_goes_on() {
    let mut run = run(Simulated::power_on(), 2);
    play_to(&mut run, 4);
    while run.frame().expect("a frame").snapshot.phase() != Phase::Falling {}
    run.frame_by_hand(Buttons::NONE).expect("a frame");
    let mut is_paused = false;
    for _ in 0..100 {
        is_paused = run.frame_by_hand(Buttons::START).expect("a frame").snapshot.phase() == Phase::Paused;
    }
    assert!(is_paused);
    play_to(&mut run, 12);
}

#[test]
fn a_game_under_way_is_taken_over_at_the_next_piece() {
    let mut first = run(Simulated::power_on(), 4);
    play_to(&mut first, 5);
    while first.frame().expect("a frame").snapshot.phase() != Phase::Falling {}
    let mut second = run(first.console_mut(), 4);
    let (mut pieces, mut planned_at) = (0, None);
    while pieces < 10 {
        let report = second.frame().expect("a frame");
        pieces = report.tally.pieces;
        if planned_at.is_none() && report.events.contains(&Event::Planned) {
            planned_at = Some(pieces);
        }
        assert!(planned_at.is_some() || report.buttons == Buttons::NONE);
        assert_eq!(report.tally.desyncs, 0);
    }
    assert_eq!(planned_at, Some(1), "the piece that fell already has locked");
}

#[test]
fn a_run_that_was_saved_in_the_hands_of_a_person_goes_on_alike() {
    let mut one = run(Simulated::power_on(), 5);
    play_to(&mut one, 3);
    for frame in 0..33 {
        one.frame_by_hand(person(frame)).expect("a frame");
    }
    let saved = one.save().expect("it can be saved");
    let mut other = run(Simulated::power_on(), 5);
    other.restore(&saved).expect("its own bytes");
    for _ in 0..2_000 {
        let expected = one.frame().expect("a frame");
        let found = other.frame().expect("a frame");
        assert_eq!((found.buttons, found.tally, found.events), (expected.buttons, expected.tally, expected.events));
    }
}
