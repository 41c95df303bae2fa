//! Speed of the simulation on one core: frames a second, stepped and in bulk.
//!
//! Both play the same frames: the presses of a golden trace of level 19. Figures move by some
//! percent from run to run, and with what else the machine does.

use std::path::Path;

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use maxout::game::simulation::Simulation;
use maxout::gamepad::Buttons;
use maxout::record::trace::TraceReader;

const TRACE: &str = "tests/golden/d14_level19_taps.trace.zst";

/// The game at its first gameplay frame, and the buttons of the frames that follow.
fn recorded_game() -> (Simulation, Vec<Buttons>) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(TRACE);
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
    let (game, presses) = recorded_game();
    let runs = runs(&presses);
    let mut end = game.clone();
    presses.iter().for_each(|&buttons| end.step(buttons));
    assert!(end.in_game() && !end.topped_out(), "the benchmark measures play");

    let mut group = criterion.benchmark_group("simulation");
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
    criterion.bench_function("simulation/clone", |bencher| bencher.iter(|| game.clone()));
}

criterion_group!(benches, step);
criterion_main!(benches);
