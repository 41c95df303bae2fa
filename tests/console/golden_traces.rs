//! The model and the cartridge against traces of the original console: every promised byte of
//! every frame, one test per trace.
//!
//! Each trace is played from power-on. When it enters something that is not modelled (the demo, an A-type
//! ending), the comparison stops until the first frame of the next game. There the model starts from
//! the RAM of that frame, and the cartridge goes on from its own state. The traces were recorded once
//! from the original game and contain no program code. They do not prove levels above 107 in play and
//! the bytes listed in `game::simulation::scope`.

use std::path::Path;

use maxout_console::{Emulator, Rom};
use maxout_engine::game::crash::{Crashes, Danger, Lock, PHASES, Verdict};
use maxout_engine::game::memory::PlayState;
use maxout_engine::game::memory::address::PLAY_STATE;
use maxout_engine::game::simulation::Simulation;
use maxout_engine::gamepad::Buttons;
use maxout_formats::replay::{Subject, verify};
use maxout_formats::trace::{TraceHeader, TraceReader, TraceRow};

use crate::skipped;

fn open(name: &str) -> TraceReader {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(format!("{name}.trace.zst"));
    TraceReader::open(&path).expect("the trace opens")
}

fn differences(simulation: &Simulation, row: &TraceRow, header: &TraceHeader) -> String {
    let ram = simulation.ram();
    let mut text = String::new();
    for (address, expected) in row.known_bytes() {
        if !simulation.promises(address) {
            continue;
        }
        let found = ram[usize::from(address)];
        if found != expected {
            let name = header.name(address).unwrap_or("");
            text += &format!(" ${address:03X} {name} {found:02X} instead of {expected:02X};");
        }
    }
    text
}

fn check(name: &str, subject: Subject<'_>, frames: u64, restarts: u32) {
    let mut reader = open(name);
    let length = reader.header().entry("frames").map(str::to_owned);
    let verification = verify(&mut reader, subject, |_| {}).expect("the trace is well-formed");
    eprintln!("{name}: {verification:?}");
    assert_eq!(verification.first_difference, None, "{name}");
    assert_eq!((verification.frames, verification.restarts), (frames, restarts), "frames compared, restarts");
    assert_eq!(length, Some((frames + verification.frames_out_of_scope).to_string()), "all rows were read");
    assert!(verification.bytes > 400 * frames, "a row tells more than 400 bytes");
}

fn check_model(name: &str, frames: u64, restarts: u32) {
    check(name, Subject::Model, frames, restarts);
}

fn check_cartridge(name: &str, frames: u64, restarts: u32) {
    let mut console = Emulator::new(&Rom::cartridge()).expect("the cartridge runs");
    check(name, Subject::Console(&mut console), frames, restarts);
}

/// Starts from every in-game sample of the trace and plays one frame.
fn check_single_frames(name: &str) {
    let mut reader = open(name);
    let header = reader.header().clone();
    let mut before: Option<Simulation> = None;
    let mut compared = 0;
    while let Some(row) = reader.next_row().expect("the row is well-formed") {
        if let Some(simulation) = &mut before {
            simulation.step(row.buttons);
            let differences = differences(simulation, row, &header);
            assert!(differences.is_empty() || simulation.out_of_scope().is_some(), "frame {}:{differences}", row.frame);
            compared += 1;
        }
        before = row.is_in_game().then(|| {
            let mut simulation = Simulation::from_ram(&row.ram).expect("a game runs");
            header.pokes_after(row.frame).for_each(|poke| simulation.poke(poke.address, poke.value));
            simulation
        });
    }
    eprintln!("{name}: {compared} frames started from samples");
    assert!(compared > 500);
}

/// Plays the trace's buttons with [`Simulation::step`], and again with [`Simulation::advance`], in runs
/// of equal frames cut at varying lengths.
fn check_bulk(mut reader: TraceReader, crashes: Crashes) {
    let header = reader.header().clone();
    let mut stepped = Simulation::power_on();
    stepped.set_crashes(crashes);
    let mut bulk = stepped.clone();
    let (mut run, mut limit, mut skipped) = ((Buttons::NONE, 0), 1, 0);
    while let Some(row) = reader.next_row().expect("the row is well-formed") {
        let pokes: Vec<_> = header.pokes_after(row.frame).collect();
        if row.buttons != run.0 || run.1 == limit {
            bulk.advance(run.0, run.1);
            assert!(bulk.ram() == stepped.ram(), "before frame {}", row.frame);
            limit = limit % 61 + 1;
            run = (row.buttons, 0);
            let mut skipping = stepped.clone();
            let frames = skipping.skip_entry_delay(row.buttons);
            let mut stepping = stepped.clone();
            (0..frames).for_each(|_| stepping.step(row.buttons));
            assert!(skipping.ram() == stepping.ram(), "{frames} frames of entry delay from frame {}", row.frame);
            let state = PlayState::from_byte(stepping.ram()[PLAY_STATE]);
            let waits = state.is_some_and(PlayState::is_entry_delay) && stepping.in_game() && !stepping.paused();
            assert!(!waits, "the entry delay from frame {} is not over", row.frame);
            skipped += frames;
        }
        stepped.step(row.buttons);
        run.1 += 1;
        if !pokes.is_empty() {
            bulk.advance(run.0, run.1);
            run.1 = 0;
            for poke in pokes {
                stepped.poke(poke.address, poke.value);
                bulk.poke(poke.address, poke.value);
            }
        }
    }
    bulk.advance(run.0, run.1);
    assert!(bulk.ram() == stepped.ram());
    assert!(skipped > 0);
}

macro_rules! golden {
    ($($test:ident, $name:literal, $frames:literal, $restarts:literal;)*) => {
        mod model_from_power_on {
            $(#[test] fn $test() { super::check_model($name, $frames, $restarts); })*
        }
        mod cartridge_from_power_on {
            $(
                #[test]
                #[ignore = "a whole trace on the emulator; .ci/run runs it"]
                fn $test() { super::check_cartridge($name, $frames, $restarts); }
            )*
        }
        mod model_in_bulk {
            $(#[test] fn $test() { super::check_bulk(super::open($name), super::Crashes::Off); })*
        }
        mod model_from_every_sample {
            $(#[test] fn $test() { super::check_single_frames($name); })*
        }
    };
}

golden! {
    d01, "d01_level0_idle_mash", 9000, 0;
    d02, "d02_level5_bot_soft", 9000, 0;
    d03, "d03_level9_tetris", 16000, 0;
    d04, "d04_level18_bot", 20000, 0;
    d05, "d05_level19_bot", 14000, 0;
    d06, "d06_level19_mash", 12000, 0;
    d07, "d07_level29_poke", 9000, 0;
    d08, "d08_btype", 12000, 0;
    d09, "d09_lines_and_score_limits", 9000, 0;
    d10, "d10_demo_and_menus", 4960, 1;
    d11, "d11_level15_chaos", 10000, 0;
    d12, "d12_pushdown_score", 9000, 0;
    d13, "d13_toprow", 6000, 0;
    d14, "d14_level19_taps", 6000, 0;
    d15, "d15_btype_height5", 8000, 0;
    d16, "d16_level18_to_29", 36000, 0;
    d17, "d17_top_rows", 4500, 0;
    d18, "d18_menus_random", 6000, 0;
}

/// A trace of slow frames beside the repository: it is long, or it was recorded later than the others.
fn beside(name: &str) -> Option<TraceReader> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/traces");
    let path = skipped::beside("traces of slow frames", &folder.join(format!("{name}.trace.zst")))?;
    Some(TraceReader::open(&path).expect("a trace"))
}

/// The model with slow frames: frames compared, frames after the freeze or in an ending, frames with several possibilities, and
/// those in which the trace has another than the model's own.
fn check_slow_frames(name: &str, expected: [u64; 4]) {
    let Some(mut reader) = beside(name) else { return };
    let found = verify(&mut reader, Subject::Model, |_| {}).expect("the trace is well-formed");
    eprintln!("{name}: {found:?}");
    assert_eq!(found.first_difference, None, "{name}");
    let counts = [found.frames, found.frames_out_of_scope, found.frames_with_possibilities, found.frames_otherwise];
    assert_eq!(counts, expected, "{name}");
}

#[test]
fn d21_slow_frames_are_the_models() {
    check_slow_frames("d21_slow_frames", [4_031, 1_969, 7, 0]);
}

#[test]
fn slow_frames_in_bulk() {
    if let Some(reader) = beside("d21_slow_frames") {
        check_bulk(reader, Crashes::On);
    }
}

/// Every lock of the game: where it was not safe, the frame that scores it, T, and the phases that crash. The
/// game went on at all of them but the last.
#[test]
#[ignore = "130,800 frames; .ci/run runs it"]
fn d20_is_told_its_crash_and_none_before() {
    let Some(mut reader) = beside("d20_level158_freeze") else { return };
    let (mut locks, mut unsafe_ones) = (0, Vec::new());
    while let Some(row) = reader.next_row().expect("the row is well-formed") {
        let Some(lock) = Lock::next(&row.ram).filter(|_| row.is_in_game()) else { continue };
        let verdict = Verdict::of(&lock);
        locks += 1;
        if !verdict.is_safe() {
            unsafe_ones.push((row.frame + 1, verdict.cycles, verdict.phases, verdict.margin));
            assert_eq!(verdict.danger, Some(Danger::Crash));
        }
    }
    eprintln!("{locks} locks, {unsafe_ones:?}");
    let (last, before) = unsafe_ones.split_last().expect("it froze");
    assert_eq!(*last, (130_553, 29_597, PHASES, 0), "the sample of the frame before the freeze");
    let expected = [
        (128_689, 29_274, 0, 8),
        (129_505, 29_410, 2, 0),
        (129_857, 29_410, 2, 0),
        (129_981, 29_364, 5, 0),
        (130_077, 29_364, 5, 0),
        (130_149, 29_410, 2, 0),
    ];
    assert_eq!((locks, before), (3_821, &expected[..]));
}

#[test]
#[ignore = "130,800 frames; .ci/run runs it"]
fn d20_slow_frames_are_the_models_up_to_the_freeze() {
    check_slow_frames("d20_level158_freeze", [130_554, 246, 81, 10]);
}
