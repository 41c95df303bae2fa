//! What the bot costs: frames per second with and without it, and the time of a plan.
//!
//! `cargo bench -p maxout-benches --bench play` ends with the ratio of the two from one run, and the median and the
//! 99th percentile of the planning times in real games.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use criterion::{Criterion, Throughput};
use maxout_console::{Emulator, Rom};
use maxout_engine::bot::{Flow, FrameReport, FrameSink, Goal, Pilot, Run, SinkError};
use maxout_engine::console::Console;
use maxout_engine::game::Position;
use maxout_engine::gamepad::Buttons;
use maxout_engine::judge::handmade;
use maxout_engine::planner::{Falling, Input, Search, Settings};
use maxout_engine::ram::{Decoder, Phase, PlayState, RamMap};

/// Frames of one measurement: the menus and about 24 pieces.
const FRAMES: u64 = 2_500;

fn search(input: Input) -> Search {
    Search::new(
        handmade::by_name("birken-v2", None).expect("embedded weights"),
        Settings { input, ..Settings::default() },
    )
}

fn emulator() -> Emulator {
    Emulator::new(&Rom::cartridge()).expect("the cartridge runs")
}

/// Keeps the buttons of a run and the positions in which it planned.
#[derive(Default)]
struct Recorder {
    buttons: Vec<Buttons>,
    spawns: Vec<(Position, Falling)>,
    before: Option<PlayState>,
}

impl FrameSink for Recorder {
    fn frame(&mut self, report: &FrameReport<'_>) -> Result<Flow, SinkError> {
        self.buttons.push(report.buttons);
        let snapshot = report.snapshot;
        if self.before == Some(PlayState::Spawn)
            && snapshot.phase() == Phase::Falling
            && let (Some(position), Some(piece)) = (snapshot.position(), snapshot.falling_piece())
        {
            self.spawns.push((position, Falling { piece, held: report.buttons, control_frame: 0 }));
        }
        self.before = Some(snapshot.play_state);
        Ok(Flow::Continue)
    }
}

fn play(input: Input, start_level: u8, seed: u64, goal: Goal, sinks: &mut [&mut dyn FrameSink]) {
    let decoder = Decoder::new(&RamMap::tetris_ntsc()).expect("the embedded map");
    let pilot = Pilot::new(Box::new(search(input)), start_level, seed);
    Run::new(emulator(), decoder, pilot, goal).play(sinks, &AtomicBool::new(false)).expect("a game");
}

/// The same buttons without a bot.
fn replay(buttons: &[Buttons]) {
    let mut console = emulator();
    for &buttons in buttons {
        console.step(buttons).expect("a frame");
    }
}

fn time(work: impl FnOnce()) -> Duration {
    let start = Instant::now();
    work();
    start.elapsed()
}

/// Median and 99th percentile of planning every recorded spawn.
fn plan_times(input: Input, spawns: &[(Position, Falling)]) -> (Duration, Duration) {
    let search = search(input);
    let mut times: Vec<_> = spawns
        .iter()
        .map(|(position, falling)| time(|| drop(std::hint::black_box(search.plan(position, falling)))))
        .collect();
    times.sort_unstable();
    (times[times.len() / 2], times[times.len() * 99 / 100])
}

fn main() {
    let mut recorder = Recorder::default();
    play(Input::EvenFrames, 19, 1, Goal::Frames(FRAMES), &mut [&mut recorder]);

    let mut criterion = Criterion::default().sample_size(10).configure_from_args();
    let mut group = criterion.benchmark_group("frames");
    group.throughput(Throughput::Elements(FRAMES));
    group.bench_function("emulator alone", |b| b.iter(|| replay(&recorder.buttons)));
    group.bench_function("emulator with bot", |b| {
        b.iter(|| play(Input::EvenFrames, 19, 1, Goal::Frames(FRAMES), &mut []));
    });
    group.finish();
    criterion.final_summary();

    // Measured in turns, so that other load on the machine affects both equally.
    let mut ratios: Vec<f64> = (0..9)
        .map(|_| {
            let alone = time(|| replay(&recorder.buttons));
            let with_bot = time(|| play(Input::EvenFrames, 19, 1, Goal::Frames(FRAMES), &mut []));
            with_bot.as_secs_f64() / alone.as_secs_f64()
        })
        .collect();
    ratios.sort_unstable_by(f64::total_cmp);
    println!("frames with bot / alone: median {:.3}, from {:.3} to {:.3}", ratios[4], ratios[0], ratios[8]);

    for (input, level, frames) in [
        (Input::EvenFrames, 19, 12_000),
        (Input::EvenFrames, 0, 12_000),
        (Input::Gamepad, 19, 12_000),
        (Input::Gamepad, 0, 12_000),
    ] {
        let mut recorder = Recorder::default();
        play(input, level, 2, Goal::Frames(frames), &mut [&mut recorder]);
        let (median, p99) = plan_times(input, &recorder.spawns);
        println!(
            "plan, {} at level {level}: median {median:.1?}, 99th percentile {p99:.1?} (n {})",
            Settings { input, ..Settings::default() }.describe(),
            recorder.spawns.len()
        );
    }
}
