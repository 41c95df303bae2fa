//! An evaluator of your own against a published one, on the same games.
//!
//! `cargo run --release --example evaluator -p maxout-engine`

use std::error::Error;
use std::sync::atomic::AtomicBool;

use maxout_engine::bot::{Finished, Goal, Pilot, Run};
use maxout_engine::console::Simulated;
use maxout_engine::game::{Playfield, ROWS, WIDTH};
use maxout_engine::judge::handmade::{self, Afterstate, Evaluator, Verdict};
use maxout_engine::planner::{Search, Settings};
use maxout_engine::ram::{Decoder, RamMap};

/// Dislikes holes and high cells, and nothing else.
struct LowAndWhole;

/// Rows from the floor up to the highest full cell of a column, and the empty cells below that one.
fn column(playfield: &Playfield, x: usize) -> (usize, usize) {
    let is_full = |row: usize| playfield.row(row as i8) >> x & 1 == 1;
    let top = (0..ROWS).find(|&row| is_full(row)).unwrap_or(ROWS);
    (ROWS - top, (top..ROWS).filter(|&row| !is_full(row)).count())
}

impl Evaluator for LowAndWhole {
    fn name(&self) -> &'static str {
        "low-and-whole"
    }

    /// Judges the falling piece and the next one together.
    fn plies(&self) -> usize {
        2
    }

    fn judge(&self, chain: &[Afterstate]) -> Verdict {
        let Some(last) = chain.last() else { return Verdict::of_value(f64::NEG_INFINITY) };
        let cost = (0..WIDTH).map(|x| {
            let (height, holes) = column(&last.playfield, x);
            (height * height + 40 * holes) as f64
        });
        Verdict::of_value(-cost.sum::<f64>())
    }
}

fn play(evaluator: Box<dyn Evaluator>, seed: u64) -> Result<Finished, Box<dyn Error>> {
    let pilot = Pilot::new(Box::new(Search::new(evaluator, Settings::default())), 18, seed);
    let decoder = Decoder::new(&RamMap::tetris_ntsc())?;
    let mut run = Run::new(Simulated::power_on(), decoder, pilot, Goal::Lines(30));
    Ok(run.play(&mut [], &AtomicBool::new(false))?)
}

fn main() -> Result<(), Box<dyn Error>> {
    println!("to 30 lines from level 18");
    for seed in 1..=3 {
        let ours = play(Box::new(LowAndWhole), seed)?;
        let published = play(handmade::by_name("el-tetris", None)?, seed)?;
        println!(
            "seed {seed}: low-and-whole {} points and {} lines, el-tetris {} points and {} lines",
            ours.snapshot.score, ours.snapshot.lines, published.snapshot.score, published.snapshot.lines
        );
    }
    Ok(())
}
