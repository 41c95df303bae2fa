//! A page that is made while a run goes on is, byte for byte, the page that is made of its log.

use std::fs;
use std::path::Path;

use maxout_engine::bot::{FrameReport, FrameSink, Tally};
use maxout_engine::console::{Console, Reset, Simulated};
use maxout_engine::gamepad::Buttons;
use maxout_engine::ram::{Decoder, Phase, RamMap, RamSnapshot};
use maxout_formats::frame_log::{LogOptions, LogReader, LogShape};
use maxout_formats::report::{ReportWriter, first_row, report_log};
use maxout_formats::{Format, PlayedStep, Provenance, RunWriter};

/// Presses Start in menus, and in a game the other buttons in a mixed-up order.
fn press(frame: u64, phase: Phase) -> Buttons {
    match phase {
        Phase::Menu(_) if frame % 30 < 2 => Buttons::START,
        Phase::Menu(_) => Buttons::NONE,
        _ => {
            let mixed = (frame / 4).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 56;
            let buttons = [Buttons::LEFT, Buttons::RIGHT, Buttons::A, Buttons::DOWN, Buttons::DOWN];
            buttons[mixed as usize % buttons.len()]
        }
    }
}

/// Plays until this many frames have gone by; calls `step` for every frame, and for a reset and a
/// power cycle on the way.
fn play(frames: u64, mut step: impl FnMut(&PlayedStep<'_>)) -> RamSnapshot {
    let decoder = Decoder::new(&RamMap::tetris_ntsc()).expect("the built-in map decodes");
    let mut console = Simulated::power_on();
    let mut phase = decoder.decode(console.ram()).expect("RAM of the game").phase();
    for frame in 0..frames {
        if frame == frames / 4 {
            console.reset(Reset::Button);
            step(&PlayedStep::Reset);
        } else if frame == frames / 3 {
            console.reset(Reset::Power);
            step(&PlayedStep::PowerCycle);
        }
        let buttons = press(frame, phase);
        console.step(buttons).expect("the rules model goes on");
        let snapshot = decoder.decode(console.ram()).expect("RAM of the game");
        phase = snapshot.phase();
        let writes: &[(u16, u8)] = if frame % 1000 == 999 { &[(0x700, 0)] } else { &[] };
        step(&PlayedStep::Frame { buttons, polled: console.polled(), writes, snapshot: &snapshot });
    }
    decoder.decode(console.ram()).expect("RAM of the game")
}

/// The page of a log.
fn page_of_log(log: &Path, page: &Path, provenance: &Provenance) -> String {
    let mut reader = LogReader::open(log, LogShape::Csv).expect("a log");
    let mut report = ReportWriter::create(page, provenance).expect("a page");
    let first = first_row(&mut reader).expect("a row");
    report_log(first, &mut reader, &mut report).expect("a whole log");
    fs::read_to_string(page).expect("text")
}

#[test]
fn a_page_made_live_equals_the_page_made_of_the_log() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = |name: &str| folder.path().join(name);
    let provenance = Provenance::default().with("player", "nobody");
    let options = LogOptions { cells: false, cheats: true };
    let mut log = RunWriter::create(&place("game.csv"), Format::Csv.into(), &provenance, options).expect("a log");
    let mut stepped = ReportWriter::create(&place("stepped.html"), &provenance).expect("a page");
    let mut whole_pages = 0;
    play(20_000, |step| {
        log.take(step).expect("written");
        stepped.step(step).expect("written");
        if let PlayedStep::Frame { .. } = step {
            whole_pages += 1;
        }
    });
    log.finish().expect("written");
    let unfinished = fs::read_to_string(place("stepped.html")).expect("text");
    // A browser needs no more than whole lines.
    assert!(unfinished.ends_with("}\n") && !unfinished.contains("</html>"));
    stepped.finish().expect("written");
    let stepped = fs::read_to_string(place("stepped.html")).expect("text");
    let later = page_of_log(&place("game.csv"), &place("later.html"), &provenance);
    assert!(stepped == later);
    for kind in ["{\"game\":", "{\"placement\":", "\"reset\"", "\"power\"", "\"topout\""] {
        assert!(later.contains(kind), "the run has {kind}");
    }
    assert!(later.matches("{\"placement\":").count() > 20 && whole_pages == 20_000);
}

#[test]
fn a_page_of_frame_reports_equals_the_page_of_the_log_that_they_wrote() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = |name: &str| folder.path().join(name);
    let provenance = Provenance::default();
    let mut log =
        RunWriter::create(&place("game.csv"), Format::Csv.into(), &provenance, LogOptions::default()).expect("a log");
    let mut live = ReportWriter::create(&place("live.html"), &provenance).expect("a page");
    let tally = Tally::default();
    let mut frame = 0;
    // Without the reset and the power cycle, which a run of the bot does not have.
    play(6_000, |step| {
        let PlayedStep::Frame { buttons, polled, snapshot, .. } = *step else { return };
        let report = FrameReport {
            frame,
            reset: None,
            buttons,
            pokes: &[],
            polled,
            snapshot,
            plan: None,
            events: &[],
            tally: &tally,
            games: &[],
            thought: None,
            picture: None,
            failure: None,
            outcome: None,
        };
        log.frame(&report).expect("written");
        live.frame(&report).expect("written");
        frame += 1;
    });
    log.finish().expect("written");
    live.finish().expect("written");
    let live = fs::read_to_string(place("live.html")).expect("text");
    assert!(live == page_of_log(&place("game.csv"), &place("later.html"), &provenance));
    assert!(live.contains("{\"placement\":"));
}
