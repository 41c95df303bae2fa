//! What watching costs: frames per second with each view at the highest speed, as a share of those of
//! a run without a view.
//!
//! `cargo bench -p maxout-benches --bench views` prints one line for each view. All views play the same game in turns,
//! so that other load on the machine affects all equally. The terminals are in memory; a real
//! terminal also needs time to draw, but in its own process.

use std::io;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use maxout_console::{Emulator, Rom, WallClock};
use maxout_engine::bot::{FrameSink, Goal, Pilot, Run};
use maxout_engine::judge::handmade;
use maxout_engine::planner::{Search, Settings};
use maxout_engine::ram::{Decoder, RamMap};
use maxout_screen::{ColourMode, ProgressLines, Showing, Speed, TerminalView, ViewOptions};
use ratatui::backend::CrosstermBackend;
use ratatui::layout::Rect;
use ratatui::{Terminal, TerminalOptions, Viewport};

/// Frames of one measurement: the menus and about 24 pieces.
const FRAMES: u64 = 2_500;
/// Number of measurements of each view.
const ROUNDS: usize = 5;

type Make = fn() -> Option<Box<dyn FrameSink>>;

const VIEWS: [(&str, Make); 6] = [
    ("headless", || None),
    ("progress lines", || Some(Box::new(ProgressLines::new(io::sink(), Box::new(WallClock::start()))))),
    ("panels, 80x24", || Some(terminal(Showing::Panels, 80, 24))),
    ("panels, 140x45", || Some(terminal(Showing::Panels, 140, 45))),
    ("screen, 80x24", || Some(terminal(Showing::Screen, 80, 24))),
    ("screen, 140x45", || Some(terminal(Showing::Screen, 140, 45))),
];

/// The terminal view in 24-bit colours; its output is discarded.
fn terminal(showing: Showing, width: u16, height: u16) -> Box<dyn FrameSink> {
    let options = TerminalOptions { viewport: Viewport::Fixed(Rect::new(0, 0, width, height)) };
    let terminal = Terminal::with_options(CrosstermBackend::new(io::sink()), options).expect("a terminal in memory");
    let (opening, clock) =
        (ViewOptions { pace: Speed::Max.into(), showing, ..ViewOptions::default() }, Box::new(WallClock::start()));
    let view = TerminalView::on(terminal, Box::new(|| Ok(None)), opening, ColourMode::True, clock);
    Box::new(view.expect("a thread"))
}

/// Frames per second of a game with this view.
fn rate(make: Make) -> f64 {
    let decoder = Decoder::new(&RamMap::tetris_ntsc()).expect("the embedded map");
    let search = Search::new(handmade::by_name("birken-v2", None).expect("embedded weights"), Settings::default());
    let pilot = Pilot::new(Box::new(search), 19, 1);
    let console = Emulator::new(&Rom::cartridge()).expect("the cartridge runs");
    let mut view = make();
    let mut sinks: Vec<&mut dyn FrameSink> = Vec::new();
    if let Some(view) = &mut view {
        sinks.push(&mut **view);
    }
    let stop = AtomicBool::new(false);
    let begin = Instant::now();
    Run::new(console, decoder, pilot, Goal::Frames(FRAMES)).play(&mut sinks, &stop).expect("a game");
    FRAMES as f64 / begin.elapsed().as_secs_f64()
}

fn main() {
    // `cargo test` runs benches, too, but then nothing is measured.
    if std::env::args().any(|argument| argument == "--test") {
        return;
    }
    let rounds: Vec<Vec<f64>> = (1..=ROUNDS)
        .map(|round| {
            let rates: Vec<f64> = VIEWS.iter().map(|(_, make)| rate(*make)).collect();
            eprintln!("round {round} of {ROUNDS}: {rates:.0?} frames/s");
            rates
        })
        .collect();
    for (index, (name, _)) in VIEWS.iter().enumerate() {
        let sorted = |value: &dyn Fn(&Vec<f64>) -> f64| {
            let mut values: Vec<f64> = rounds.iter().map(value).collect();
            values.sort_unstable_by(f64::total_cmp);
            values
        };
        let rates = sorted(&|round| round[index]);
        let ratios = sorted(&|round| round[index] / round[0]);
        println!(
            "{name:<15} {:>6.0} frames/s, {:.3} of headless (median of {ROUNDS}, from {:.3} to {:.3})",
            rates[ROUNDS / 2],
            ratios[ROUNDS / 2],
            ratios[0],
            ratios[ROUNDS - 1]
        );
    }
}
