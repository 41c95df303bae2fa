//! Time that each evaluator needs to judge a pair of placed pieces, on named playfields.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use maxout_engine::game::{Piece, Placement, Playfield};
use maxout_engine::judge::handmade::{self, Afterstate};

/// Even pile with an open well on the right, as in good play.
const READY: &str = "
    ####......
    ######.##.
    #########.
    #########.
    #########.
    #########.
    #########.
";

/// Holes and steps up to row 8.
const ROUGH: &str = "
    ##........
    ##.....##.
    ###...###.
    #.##.####.
    ####.####.
    ##.######.
    #########.
    ######.##.
    .#####.##.
    ###.#####.
    #########.
    ####.####.
";

/// Filled up to the top row, so that the flood fill has to run.
const HIGH: &str = "
    #.........
    ##.......#
    ##......##
    ##......##
    ###.....##
    ###....###
    ####...###
    ####.#.###
    #######.##
    #.########
    ####.#####
    #########.
    #########.
    ##.######.
    ##.######.
    #########.
    ####.####.
    #########.
    #########.
    #########.
";

fn judge_a_pair(criterion: &mut Criterion) {
    for (playfield, drawing, y) in [("ready", READY, 12), ("rough", ROUGH, 8), ("high", HIGH, 4)] {
        let before = Playfield::drawn(drawing);
        // An O in columns 4 and 5, an I upright in the well.
        let first = Afterstate::of(&before, Placement { orientation: Piece::O.spawn(), x: 5, y });
        let upright = Placement { orientation: Piece::I.spawn().clockwise(), x: 9, y: 18 };
        let chain = [first, Afterstate::of(&first.playfield, upright)];
        for &name in handmade::NAMES {
            let evaluator = handmade::by_name(name, None).expect("the published weights are well-formed");
            criterion.bench_function(&format!("judge a pair/{name}/{playfield}"), |bencher| {
                bencher.iter(|| evaluator.judge(black_box(&chain)));
            });
        }
    }
}

criterion_group!(benches, judge_a_pair);
criterion_main!(benches);
