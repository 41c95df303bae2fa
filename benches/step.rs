//! Speed of the simulation on one core, in frames per second, stepped and in bulk, and of the
//! emulator in the same run.
//!
//! The frames are those of golden traces at levels 9 and 19. The figures vary by some percent from
//! run to run and with other load on the machine.

use std::path::Path;

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use maxout_console::{Emulator, Rom};
use maxout_engine::console::Console;
use maxout_engine::game::simulation::Simulation;
use maxout_engine::gamepad::Buttons;
use maxout_formats::trace::TraceReader;

/// What is played: a name for the figures and a trace without a topout.
const GAMES: [(&str, &str); 2] = [("level 9", "d03_level9_tetris"), ("level 19", "d14_level19_taps")];

/// The game at its first gameplay frame, and the buttons of the frames after it.
fn recorded_game(trace: &str) -> (Simulation, Vec<Buttons>) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../tests/golden/{trace}.trace.zst"));
    let mut reader = TraceReader::open(path).expect("the trace opens");
    let mut game = Simulation::power_on();
    let mut presses = Vec::new();
    while let Some(row) = reader.next_row().expect("the row is well-formed") {
        if game.in_game() {
            presses.push(row.buttons);
        } else {
            game.step(row.buttons);
        }
    }
    (game, presses)
}

/// The same buttons as runs of equal frames.
fn runs(presses: &[Buttons]) -> Vec<(Buttons, u32)> {
    presses.chunk_by(|left, right| left == right).map(|run| (run[0], run.len() as u32)).collect()
}

fn step(criterion: &mut Criterion) {
    for (name, trace) in GAMES {
        let (game, presses) = recorded_game(trace);
        let runs = runs(&presses);
        let mut end = game.clone();
        presses.iter().for_each(|&buttons| end.step(buttons));
        assert!(end.in_game() && !end.topped_out(), "the benchmark measures play");

        let mut group = criterion.benchmark_group(name);
        group.throughput(Throughput::Elements(presses.len() as u64));
        group.bench_function("step", |bencher| {
            bencher.iter_batched_ref(
                || game.clone(),
                |game| presses.iter().for_each(|&buttons| game.step(buttons)),
                BatchSize::SmallInput,
            );
        });
        group.bench_function("advance", |bencher| {
            bencher.iter_batched_ref(
                || game.clone(),
                |game| runs.iter().for_each(|&(buttons, frames)| game.advance(buttons, frames)),
                BatchSize::SmallInput,
            );
        });
        group.finish();
    }
    let game = Simulation::power_on();
    criterion.bench_function("clone", |bencher| bencher.iter(|| game.clone()));
}

/// The same kind of frames on the emulated console, for the ratio.
fn emulator(criterion: &mut Criterion) {
    const FRAMES: usize = 600;
    let (_, presses) = recorded_game(GAMES[1].1);
    let mut console = Emulator::new(&Rom::cartridge()).expect("the cartridge runs");
    let mut group = criterion.benchmark_group("emulator");
    group.throughput(Throughput::Elements(FRAMES as u64)).sample_size(10);
    group.bench_function("step", |bencher| {
        bencher.iter(|| presses[..FRAMES].iter().for_each(|&buttons| console.step(buttons).expect("a frame")));
    });
    group.finish();
}

criterion_group!(benches, step, emulator);
criterion_main!(benches);
