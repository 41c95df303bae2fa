//! A restored run plays on as the saved one did, byte for byte: on the model and on the cartridge,
//! from a menu, from the middle of a piece, of a clear and of an entry delay, and after a desync.

use maxout_console::{Emulator, Rom};
use maxout_engine::bot::{Event, FrameReport, Goal, Pilot, Run, SAVED_RUN, Tally};
use maxout_engine::console::{Console, Error, Simulated};
use maxout_engine::gamepad::Buttons;
use maxout_engine::judge::handmade;
use maxout_engine::planner::{Input, Plan, Search, Settings};
use maxout_engine::ram::{Decoder, GameMode, Phase, PlayState, RamMap};

/// Frames of a game; the last save is well before.
const FRAMES: u64 = 3_000;
/// Where a saved run begins after its head and its checksum.
const BODY: usize = SAVED_RUN.len() + 4;
/// Bytes of its own state that the emulator does not bring back: one, found in menus. The game plays
/// on the same, and at its end all bytes are the same again.
const OF_THE_EMULATOR: usize = 1;
/// `frameCounter`, lower byte.
const FRAME_COUNTER: usize = 0xB1;

/// Loses every press of a direction in the last of 4 frames. What it does depends on nothing but
/// RAM, so it has no state of its own to be saved.
struct Lossy<C>(C);

impl<C: Console> Console for Lossy<C> {
    maxout_engine::pass_on!(self.0, but step);

    fn step(&mut self, buttons: Buttons) -> Result<(), Error> {
        let is_lost = self.ram()[FRAME_COUNTER] % 4 == 3 && buttons.intersects(Buttons::LEFT | Buttons::RIGHT);
        let in_menu = self.ram()[0xC0] != 4;
        self.0.step(if is_lost && !in_menu { Buttons::NONE } else { buttons })
    }
}

fn run<C: Console>(console: C, settings: &Settings) -> Run<C> {
    let decoder = Decoder::new(&RamMap::tetris_ntsc()).expect("the embedded map");
    let search = Search::new(handmade::by_name("el-tetris", None).expect("embedded weights"), settings.clone());
    Run::new(console, decoder, Pilot::new(Box::new(search), 19, 1), Goal::Topout)
}

/// Everything that a frame shows.
#[derive(Debug, PartialEq)]
struct Shown {
    frame: u64,
    buttons: Buttons,
    pokes: Vec<(u16, u8)>,
    polled: bool,
    events: Vec<Event>,
    tally: Tally,
    plan: Option<Plan>,
    ram: u32,
}

/// Plays one frame; gives what it shows, and the moment that it is, if it is one to be saved.
fn play<C: Console>(run: &mut Run<C>) -> (Shown, Option<&'static str>) {
    let report = run.frame().expect("a frame");
    let moment = moment(&report);
    let FrameReport { frame, buttons, polled, .. } = report;
    let (pokes, events, plan) = (report.pokes.to_vec(), report.events.to_vec(), report.plan.cloned());
    let tally = *report.tally;
    let ram = crc32fast::hash(run.console().ram());
    (Shown { frame, buttons, pokes, polled, events, tally, plan, ram }, moment)
}

fn moment(report: &FrameReport<'_>) -> Option<&'static str> {
    let snapshot = report.snapshot;
    if report.events.iter().any(|event| matches!(event, Event::Desync(_))) {
        return Some("desync");
    }
    match snapshot.phase() {
        Phase::Menu(GameMode::Title) => Some("title"),
        Phase::Menu(GameMode::LevelMenu) => Some("level menu"),
        Phase::Falling if report.plan.is_some() && snapshot.y > 3 => Some("mid-piece"),
        Phase::EntryDelay if snapshot.play_state == PlayState::ClearAnimation => Some("clear animation"),
        Phase::EntryDelay if snapshot.play_state == PlayState::Spawn => Some("entry delay"),
        _ => None,
    }
}

/// Plays a game, saves it once in each moment, and plays on from there on a new console. A run that
/// is saved again as soon as it is restored may differ in `most_differ` bytes.
fn plays_on<C: Console>(power_on: impl Fn() -> C, settings: &Settings, moments: &[&str], most_differ: usize) {
    let mut original = run(power_on(), settings);
    let mut game = Vec::new();
    let mut saves: Vec<(&str, usize, Vec<u8>)> = Vec::new();
    while original.frames() < FRAMES {
        let (shown, moment) = play(&mut original);
        game.push(shown);
        if let Some(moment) = moment
            && !saves.iter().any(|(saved, ..)| *saved == moment)
        {
            saves.push((moment, game.len(), original.save().expect("saved")));
        }
    }
    let mut found: Vec<&str> = saves.iter().map(|(moment, ..)| *moment).collect();
    found.sort_unstable();
    assert_eq!(found, moments);
    let end = original.save().expect("saved");
    for (moment, at, saved) in saves {
        assert!(at + 500 < game.len(), "{moment}: the rest of the game is long enough");
        let mut restored = run(power_on(), settings);
        restored.restore(&saved).expect("restored");
        let again = restored.save().expect("saved");
        assert_eq!(again.len(), saved.len());
        let differ = (BODY..saved.len()).filter(|&at| saved[at] != again[at]).count();
        assert!(differ <= most_differ, "{moment}: {differ} bytes differ");
        for expected in &game[at..] {
            assert_eq!(play(&mut restored).0, *expected, "{moment}");
        }
        assert!(restored.save().expect("saved") == end, "{moment}: the same end");
    }
}

const HONEST: [&str; 5] = ["clear animation", "entry delay", "level menu", "mid-piece", "title"];
const WITH_DESYNCS: [&str; 6] = ["clear animation", "desync", "entry delay", "level menu", "mid-piece", "title"];

fn cartridge() -> Emulator {
    Emulator::new(&Rom::cartridge()).expect("the cartridge runs")
}

#[test]
fn on_the_model() {
    plays_on(Simulated::power_on, &Settings::default(), &HONEST, 0);
    plays_on(|| Lossy(Simulated::power_on()), &Settings::default(), &WITH_DESYNCS, 0);
    let reacting = Settings { reaction_frames: 18, ..Settings::default() };
    plays_on(Simulated::power_on, &reacting, &HONEST, 0);
    let dragged = Settings { input: Input::Drag, ..Settings::default() };
    plays_on(Simulated::power_on, &dragged, &HONEST, 0);
}

#[test]
#[ignore = "3,000 frames on the emulator, saved and restored again and again; .ci/run runs it"]
fn on_the_cartridge() {
    plays_on(cartridge, &Settings::default(), &HONEST, OF_THE_EMULATOR);
}

#[test]
#[ignore = "3,000 frames on the emulator, saved and restored again and again; .ci/run runs it"]
fn on_a_cartridge_that_loses_presses() {
    plays_on(|| Lossy(cartridge()), &Settings::default(), &WITH_DESYNCS, OF_THE_EMULATOR);
}

#[test]
fn a_run_on_one_console_does_not_go_on_on_another() {
    let saved = run(Simulated::power_on(), &Settings::default()).save().expect("saved");
    let mut other = run(cartridge(), &Settings::default());
    let before = other.save().expect("saved");
    let error = other.restore(&saved).expect_err("another console").to_string();
    assert!(error.contains("expected a state of the same console"), "{error}");
    assert!(other.save().expect("saved") == before);
}

#[test]
fn cut_or_changed_bytes_of_the_emulator_are_refused() {
    let mut one = run(cartridge(), &Settings::default());
    for _ in 0..20 {
        one.frame().expect("a frame");
    }
    let saved = one.save().expect("saved");
    let mut other = run(cartridge(), &Settings::default());
    let before = other.save().expect("saved");
    for at in (0..saved.len()).step_by(97) {
        assert!(other.restore(&saved[..at]).is_err(), "{at} bytes");
        let mut changed = saved.clone();
        changed[at] ^= 0x10;
        assert!(other.restore(&changed).is_err(), "byte {at}");
    }
    assert!(other.save().expect("saved") == before);
}
