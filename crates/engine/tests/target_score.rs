//! Games on the model with an exact target score.

use std::sync::atomic::AtomicBool;

use maxout_engine::bot::{Goal, Outcome, Pilot, Run};
use maxout_engine::console::Simulated;
use maxout_engine::judge::handmade;
use maxout_engine::planner::{Input, Search, Settings};
use maxout_engine::ram::{Decoder, RamMap};

const SEEDS: u64 = 20;

/// How many of twenty games reach the score exactly.
fn hits(start_level: u8, input: Input, evaluator: &str, score: u32) -> usize {
    let decoder = Decoder::new(&RamMap::tetris_ntsc()).expect("the embedded map");
    let outcomes = (1..=SEEDS).map(|seed| {
        let settings = Settings { input, target_score: Some(score), ..Settings::default() };
        let search = Search::new(handmade::by_name(evaluator, None).expect("embedded weights"), settings);
        let pilot = Pilot::new(Box::new(search), start_level, seed);
        let stop = AtomicBool::new(false);
        let mut run = Run::new(Simulated::power_on(), decoder.clone(), pilot, Goal::Score(score));
        let finished = run.play(&mut [], &stop).expect("the run goes on");
        assert_eq!(finished.tally.desyncs, 0);
        assert_eq!(finished.outcome == Outcome::Goal, finished.snapshot.score == score);
        finished.outcome
    });
    let outcomes: Vec<_> = outcomes.collect();
    let count = |wanted| outcomes.iter().filter(|&&outcome| outcome == wanted).count();
    let hits = count(Outcome::Goal);
    let (over, top) = (count(Outcome::Overshoot), count(Outcome::Topout));
    println!("level {start_level}, {input:?}, {evaluator}, {score}: {hits} hits, {over} overshoots, {top} top-outs");
    hits
}

#[test]
fn most_games_reach_a_low_target_exactly() {
    let cases = [
        (5, Input::EvenFrames, "birken-v2", 4321),
        (5, Input::Gamepad, "el-tetris", 4321),
        (0, Input::EvenFrames, "el-tetris", 1999),
        (18, Input::EvenFrames, "birken-v2", 30_007),
        // Without pushdown points only sums of line points can be reached: 40, 100, 300, 1200 times 6.
        (5, Input::Teleport, "birken-v2", 4800),
    ];
    for (level, input, evaluator, score) in cases {
        let hits = hits(level, input, evaluator, score);
        assert!(hits >= 12, "{input:?}, {evaluator}, {score}: {hits} of {SEEDS}");
    }
}
