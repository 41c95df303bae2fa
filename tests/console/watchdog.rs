//! The watchdog ends what does not go on, and nothing else: cartridges that crash or hang, the freeze of
//! the original, and against false alarms all recordings of the original and games of every kind.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use maxout_console::{Emulator, Rom};
use maxout_engine::bot::{Cause, Error as RunError, Finished, Flow, Goal, Outcome, Pilot, Run, Stuck, Watchdog};
use maxout_engine::console::{Console, Error, Reset, Simulated};
use maxout_engine::game::memory::address::{SCORE, START_LEVEL};
use maxout_engine::gamepad::Buttons;
use maxout_engine::judge::handmade;
use maxout_engine::planner::{Search, Settings};
use maxout_engine::ram::{Decoder, Phase, Ram, RamMap, RamSnapshot};
use maxout_formats::trace::TraceReader;

use crate::full_recordings::recording::Recording;
use crate::jams::Jam;
use crate::skipped;

fn decoder() -> Decoder {
    Decoder::new(&RamMap::tetris_ntsc()).expect("the built-in map decodes")
}

fn pilot(level: u8, seed: u64) -> Pilot {
    let evaluator = handmade::by_name("el-tetris", None).expect("a built-in evaluator");
    Pilot::new(Box::new(Search::new(evaluator, Settings::default())), level, seed)
}

/// The seed of the first thousand that is in the menus for the shortest time.
fn quick_seed() -> u64 {
    (0..1000).min_by_key(|&seed| pilot(19, seed).menu_frames()).expect("a seed")
}

fn finished(jam: Jam) -> Finished {
    let rom = Rom::from_bytes("jam.nes", jam.rom()).expect("a ROM");
    let console = Emulator::new(&rom).expect("it loads");
    let mut run = Run::new(console, decoder(), pilot(19, quick_seed()), Goal::Maxout);
    run.play(&mut [], &AtomicBool::new(false)).expect("no error")
}

fn stuck(finished: &Finished) -> Stuck {
    match finished.outcome {
        Outcome::Stuck(stuck) => stuck,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_program_that_crashes_is_ended_at_once() {
    let ended = finished(Jam::StopAtReset);
    assert_eq!((stuck(&ended), ended.frames), (Stuck { frame: 0, cause: Cause::Processor }, 1));

    let ended = finished(Jam::StopAtClear);
    assert_eq!((stuck(&ended).cause, ended.snapshot.completed_lines > 0), (Cause::Processor, true));
    assert!(ended.tally.pieces > 0 && ended.tally.lines() == 0, "{ended:?}");

    let ended = finished(Jam::LeakingStack);
    let Cause::Stack { pointer } = stuck(&ended).cause else { panic!("{ended:?}") };
    assert!((0x78..0x80).contains(&pointer), "two bytes a frame: {pointer:02X}");

    let ended = finished(Jam::ResetAfterLock);
    assert_eq!((stuck(&ended).cause, ended.tally.pieces), (Cause::LeftGame, 1));

    let ended = finished(Jam::BadValueAfterLock);
    let Stuck { frame, cause: Cause::Ram { address, found, .. } } = stuck(&ended) else { panic!("{ended:?}") };
    assert_eq!((usize::from(address), found, ended.frames, ended.tally.pieces), (START_LEVEL, 0xFF, frame, 1));
}

#[test]
fn a_game_whose_frame_counter_has_never_moved_is_ended_when_it_begins() {
    let ended = finished(Jam::StillCounter);
    assert_eq!(stuck(&ended).cause, Cause::FrameCounter { frames: ended.frames - 1 });
    assert_eq!((ended.snapshot.phase(), ended.tally.pieces), (Phase::Falling, 0));
}

#[test]
#[ignore = "a minute of frames on the emulator each; .ci/run runs it"]
fn a_program_that_starts_no_game_is_ended_after_a_minute() {
    for (jam, counts) in [(Jam::LoopAtReset, false), (Jam::LoopInInterrupt, false), (Jam::LoopInTitle, true)] {
        let ended = finished(jam);
        let menus = pilot(19, quick_seed()).menu_frames().expect("a bot");
        let cause = if counts { Cause::NoGame { frames: menus + 3601 } } else { Cause::FrameCounter { frames: 3600 } };
        assert_eq!((stuck(&ended).cause, ended.tally.pieces), (cause, 0), "{jam:?}");
    }
}

#[test]
#[ignore = "40 seconds of frames on the emulator each; .ci/run runs it"]
fn a_game_in_which_no_piece_locks_is_ended() {
    for jam in [Jam::LoopAfterLock, Jam::NoSpawn, Jam::PauseAfterLock] {
        let ended = finished(jam);
        assert_eq!((stuck(&ended).cause, ended.tally.pieces), (Cause::NoLock { frames: 2444 }, 1), "{jam:?}");
    }
}

/// Feeds frames to the watchdog of somebody who may wait as long as they like, and to a pilot that looks
/// for jumps of the console's state.
struct Fed {
    decoder: Decoder,
    watchdog: Watchdog,
    pilot: Pilot,
}

impl Fed {
    fn new() -> Fed {
        Fed { decoder: decoder(), watchdog: Watchdog::new(&decoder()), pilot: Pilot::onlooker() }
    }

    fn frame(&mut self, ram: &Ram) -> Option<Stuck> {
        let snapshot = self.decoder.decode(ram).expect("possible values");
        assert!(!self.pilot.sees_jump(&snapshot), "{snapshot:?}");
        self.pilot.observe(0, snapshot.clone()).expect("it has no player");
        self.watchdog.observe(&snapshot, None, None)
    }
}

fn golden() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let entries = std::fs::read_dir(folder).expect("the traces").map(|entry| entry.expect("an entry").path());
    entries.filter(|path| path.extension().is_some_and(|extension| extension == "zst")).collect()
}

#[test]
fn no_recording_of_the_original_gives_an_alarm() {
    let mut frames = 0;
    for path in golden() {
        let (mut fed, mut reader) = (Fed::new(), TraceReader::open(&path).expect("a trace"));
        while let Some(row) = reader.next_row().expect("a row") {
            assert_eq!(fed.frame(&row.ram), None, "{}", path.display());
            frames += 1;
        }
    }
    for name in ["d08_btype", "d10_demo_and_menus", "d13_toprow", "d18_menus_random"] {
        let mut fed = Fed::new();
        for row in Recording::open(name).rows {
            assert_eq!(fed.frame(&row.ram), None, "{name}");
            frames += 1;
        }
    }
    assert_eq!(frames, 204_500 + 17_100);
}

fn shared_trace(name: &str) -> Option<TraceReader> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/traces");
    let path = skipped::beside("traces of slow frames", &folder.join(format!("{name}.trace.zst")))?;
    Some(TraceReader::open(&path).expect("a trace"))
}

/// A console that shows what it is given, whatever is pressed.
struct Recorded {
    ram: Box<Ram>,
}

impl Console for Recorded {
    fn name(&self) -> &'static str {
        "recorded"
    }

    fn step(&mut self, _: Buttons) -> Result<(), Error> {
        Ok(())
    }

    fn reset(&mut self, _: Reset) {}

    fn polled(&self) -> bool {
        true
    }

    fn ram(&self) -> &Ram {
        &self.ram
    }

    fn poke(&mut self, _: u16, _: u8) {}
}

/// The original game freezes in frame 130,554: its generator and its frame counter stand, and a stray
/// write leaves $93 in the start level. Each of the two is seen without the other, and both are told to be the
/// crash of the lock that was being scored.
#[test]
#[ignore = "130,000 frames of a trace, twice; .ci/run runs it"]
fn the_freeze_of_the_original_at_level_158_is_seen() {
    for (keeps_start_level, frame) in [(false, 130_554), (true, 130_554 + 120)] {
        let Some(mut reader) = shared_trace("d20_level158_freeze") else { return };
        let console = Recorded { ram: Box::new([0; 0x800]) };
        let mut run = Run::new(console, decoder(), Pilot::onlooker(), Goal::Topout);
        let ended = loop {
            let row = reader.next_row().expect("a row").expect("it ends before the recording");
            let shown = &mut run.console_mut().ram;
            let start_level = shown[START_LEVEL];
            shown.copy_from_slice(&row.ram);
            if keeps_start_level && shown[START_LEVEL] > 19 {
                shown[START_LEVEL] = start_level;
            }
            match run.frame() {
                Ok(report) => {
                    if let Some(finished) = report.finish(Flow::Continue).expect("no player fails") {
                        break finished;
                    }
                }
                Err(RunError::Crashed { so_far, .. }) => break *so_far,
                Err(error) => panic!("{error}"),
            }
        };
        let cause = Cause::Crash { level: 158, lines: 1_520, cycles: 29_597 };
        let frames = if keeps_start_level { frame + 1 } else { frame };
        assert_eq!((stuck(&ended), ended.frames), (Stuck { frame, cause }, frames));
        assert_eq!((ended.snapshot.level, ended.snapshot.lines), (158, 1520));
    }
}

#[test]
fn slow_frames_of_the_original_give_no_alarm() {
    let Some(mut reader) = shared_trace("d21_slow_frames") else { return };
    let mut fed = Fed::new();
    while let Some(row) = reader.next_row().expect("a row") {
        assert_eq!(fed.frame(&row.ram), None);
    }
}

#[test]
fn games_of_the_bot_give_no_alarm() {
    let goals = [Goal::Pieces(15), Goal::Lines(4), Goal::Frames(6_000)];
    for seed in 0..200 {
        let (level, goal) = ((seed % 20) as u8, goals[seed as usize % 3]);
        let mut run = Run::new(Simulated::power_on(), decoder(), pilot(level, seed), goal);
        let ended = run.play(&mut [], &AtomicBool::new(false)).expect("a game");
        assert!(!matches!(ended.outcome, Outcome::Stuck(_)), "seed {seed}: {ended:?}");
    }
}

/// Plays level 0 with these buttons in every frame of the game until the topout; the longest time without
/// a lock.
fn longest_wait(held: Buttons) -> u64 {
    let (decoder, mut pilot) = (decoder(), pilot(0, quick_seed()));
    let (mut console, mut watchdog) = (Simulated::power_on(), Watchdog::new(&decoder));
    let menus = pilot.menu_frames();
    let (mut pieces, mut since, mut longest) = (0, 0, 0);
    for frame in 0.. {
        let before: Option<RamSnapshot> = (frame > 0).then(|| decoder.decode(console.ram()).expect("possible"));
        let phase = before.as_ref().map(RamSnapshot::phase);
        let in_menus = matches!(phase, None | Some(Phase::Menu(_)));
        let buttons = pilot.buttons();
        console.step(if in_menus { buttons } else { held }).expect("a frame");
        let snapshot = decoder.decode(console.ram()).expect("possible values");
        assert_eq!(watchdog.observe(&snapshot, None, menus), None, "frame {frame}");
        let phase = snapshot.phase();
        pilot.observe(frame, snapshot).expect("it plays");
        let in_game = matches!(phase, Phase::Falling | Phase::EntryDelay);
        since = if in_game && pilot.tally().pieces == pieces { since + 1 } else { 0 };
        (pieces, longest) = (pilot.tally().pieces, longest.max(since));
        if phase == Phase::Topout {
            return longest;
        }
    }
    unreachable!("the game tops out");
}

#[test]
fn the_longest_wait_for_a_lock_that_the_rules_allow_gives_no_alarm() {
    let usual = longest_wait(Buttons::NONE);
    assert!((960..=1094).contains(&usual), "the first piece hangs for 96 frames, and then drops every 48: {usual}");
    let half = longest_wait(Buttons::LEFT | Buttons::RIGHT | Buttons::DOWN);
    assert!((1800..=2 * 1094).contains(&half), "19 or 20 drops, twice as long: {half}");
}

#[test]
fn a_pause_and_a_topout_may_last_for_whoever_is_not_a_bot() {
    let (decoder, mut pilot) = (decoder(), pilot(19, quick_seed()));
    let (mut console, mut fed) = (Simulated::power_on(), Fed::new());
    let mut bot = Watchdog::new(&decoder);
    let menus = pilot.menu_frames();
    let mut alarm = None;
    for frame in 0..40_000_u64 {
        let in_game = pilot.tally().pieces == 2;
        let buttons = pilot.buttons();
        // Start pauses, and nothing is pressed after it.
        let pressed = if in_game { Buttons::START } else { buttons };
        console.step(pressed).expect("a frame");
        let snapshot = decoder.decode(console.ram()).expect("possible values");
        assert_eq!(fed.frame(console.ram()), None, "frame {frame}");
        alarm = alarm.or(bot.observe(&snapshot, None, menus));
        pilot.observe(frame, snapshot).expect("it plays");
    }
    let paused = decoder.decode(console.ram()).expect("possible values");
    assert_eq!((paused.phase(), paused.score > 0 || console.ram()[SCORE] == 0), (Phase::Paused, true));
    assert!(matches!(alarm, Some(Stuck { cause: Cause::NoLock { .. }, .. })), "{alarm:?}");
}

#[test]
fn a_saved_run_remembers_how_long_it_has_waited() {
    let rom = Rom::from_bytes("jam.nes", Jam::StillCounter.rom()).expect("a ROM");
    let new = || {
        let console = Emulator::new(&rom).expect("it loads");
        Run::new(console, decoder(), pilot(19, quick_seed()), Goal::Maxout)
    };
    let mut run = new();
    let mut saved = Vec::new();
    let outcome = loop {
        if run.frames() == 200 {
            saved = run.save().expect("saved");
        }
        if let Some(outcome) = run.frame().expect("a frame").outcome {
            break outcome;
        }
    };
    let mut other = new();
    other.restore(&saved).expect("restored");
    assert_eq!(other.play(&mut [], &AtomicBool::new(false)).expect("no error").outcome, outcome);
}
