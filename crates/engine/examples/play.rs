//! Plays a game on the rules model and says how it went.
//!
//! `cargo run --release --example play -p maxout-engine`

use std::error::Error;
use std::sync::atomic::AtomicBool;

use maxout_engine::bot::{Goal, Pilot, Run};
use maxout_engine::console::Simulated;
use maxout_engine::judge;
use maxout_engine::planner::{Search, Settings};
use maxout_engine::ram::{Decoder, RamMap};

fn main() -> Result<(), Box<dyn Error>> {
    let player = Search::new(judge::by_name("learned", None)?, Settings::default());
    // Level 19, and seed 1: how long the pilot waits in the menus, and so which game it gets.
    let pilot = Pilot::new(Box::new(player), 19, 1);
    let decoder = Decoder::new(&RamMap::tetris_ntsc())?;
    let mut run = Run::new(Simulated::power_on(), decoder, pilot, Goal::Lines(40));

    let finished = run.play(&mut [], &AtomicBool::new(false))?;

    let (snapshot, tally) = (&finished.snapshot, &finished.tally);
    println!("{:?} after {} frames", finished.outcome, finished.frames);
    println!("score {}, level {}, lines {}", snapshot.score, snapshot.level, snapshot.lines);
    println!("{} pieces, clears of 1 to 4 rows {:?}, {} desyncs", tally.pieces, tally.clears, tally.desyncs);
    if tally.desyncs > 0 {
        return Err("on the rules model every promise of a plan is kept".into());
    }
    Ok(())
}
