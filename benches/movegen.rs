//! Time of one move generation, with and without timelines, on many low and high stacks.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use maxout_engine::game::{Piece, Playfield};
use maxout_engine::gamepad::{PressStyle, TapRate};
use maxout_engine::movegen::{Start, generate, sweep};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

/// More cases than a branch predictor can remember.
const CASES: usize = 4096;

/// An uneven surface around a height in rows, with a well on the right and some holes.
fn stack(rng: &mut Xoshiro256PlusPlus, height: i8) -> Playfield {
    let mut playfield = Playfield::EMPTY;
    let mut top = 20 - height;
    for column in 0..9 {
        top = (top + rng.random_range(-1..=1)).clamp(18 - height, 22 - height);
        for row in top..20 {
            if row == top || rng.random_bool(0.98) {
                playfield.set(row, column);
            }
        }
    }
    playfield
}

fn search(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("movegen");
    for (stacks, height) in [("low", 4), ("high", 13)] {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let cases: Vec<(Playfield, Start)> =
            (0..CASES).map(|_| (stack(&mut rng, height), Start::spawn(Piece::ALL[rng.random_range(0..7)]))).collect();
        for (name, level, style) in [
            ("30 Hz level 19", 19, PressStyle::Taps(TapRate::FASTEST)),
            ("30 Hz level 29", 29, PressStyle::Taps(TapRate::FASTEST)),
            ("30 Hz level 18", 18, PressStyle::Taps(TapRate::FASTEST)),
            ("30 Hz level 0", 0, PressStyle::Taps(TapRate::FASTEST)),
            ("even-frames level 19", 19, PressStyle::EvenFrames),
            ("gamepad level 19", 19, PressStyle::Gamepad),
        ] {
            let mut turn = cases.iter().cycle();
            group.bench_function(format!("generate/{stacks}/{name}"), |bencher| {
                bencher.iter(|| {
                    let (playfield, start) = black_box(turn.next().expect("a cycle has no end"));
                    generate(playfield, start, level, style)
                });
            });
            group.bench_function(format!("sweep/{stacks}/{name}"), |bencher| {
                bencher.iter(|| {
                    let (playfield, start) = black_box(turn.next().expect("a cycle has no end"));
                    sweep(playfield, start, level, style)
                });
            });
            group.bench_function(format!("sweep and list/{stacks}/{name}"), |bencher| {
                bencher.iter(|| {
                    let (playfield, start) = black_box(turn.next().expect("a cycle has no end"));
                    sweep(playfield, start, level, style).iter().fold(0, |sum, placement| sum + i32::from(placement.x))
                });
            });
        }
    }
    group.finish();
}

criterion_group!(benches, search);
criterion_main!(benches);
