//! A host of its own: steps a run frame by frame, looks at each frame, and goes back to a saved one.
//!
//! `cargo run --release --example step -p maxout-engine`

use std::error::Error;

use maxout_engine::bot::{Event, Goal, Pilot, Run};
use maxout_engine::console::Simulated;
use maxout_engine::judge;
use maxout_engine::planner::{Search, Settings};
use maxout_engine::ram::{Decoder, RamMap};

/// Implement [`Console`](maxout_engine::console::Console) for another emulator and put it here.
fn run() -> Result<Run<Simulated>, Box<dyn Error>> {
    let player = Search::new(judge::by_name("el-tetris", None)?, Settings::default());
    let decoder = Decoder::new(&RamMap::tetris_ntsc())?;
    Ok(Run::new(Simulated::power_on(), decoder, Pilot::new(Box::new(player), 18, 4), Goal::Pieces(5)))
}

/// Plays to the end of a run and gives the buttons of every frame.
fn play(run: &mut Run<Simulated>) -> Result<Vec<String>, Box<dyn Error>> {
    let mut buttons = Vec::new();
    loop {
        let report = run.frame()?;
        buttons.push(report.buttons.to_string());
        if report.events.contains(&Event::Lock) {
            println!("frame {}: a piece has locked\n{}", report.frame, report.snapshot.playfield);
        }
        if report.outcome.is_some() {
            return Ok(buttons);
        }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut first = run()?;
    while first.frames() < 1_000 {
        first.frame()?;
    }
    let saved = first.save()?;
    println!("saved in frame {}: {} bytes", first.frames(), saved.len());
    let rest = play(&mut first)?;

    let mut second = run()?;
    second.restore(&saved)?;
    println!("a second run goes on from there");
    if play(&mut second)? != rest {
        return Err("the same state plays the same buttons".into());
    }
    println!("{} frames with the same buttons", rest.len());
    Ok(())
}
