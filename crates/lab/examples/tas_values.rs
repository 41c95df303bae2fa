//! Learns what playfields are worth to a tool-assisted game, and prints how fast its games become.
//!
//! ```text
//! cargo run --release -p maxout-lab --example tas_values -- LEVEL STEPS SEED OUT [MOVIE.fm2...]
//! ```
//!
//! The pieces fall as at LEVEL. After STEPS pieces it ends; the table is written to OUT each time that a line is
//! printed. Recorded tool-assisted games to 999,999 points serve as examples. The same arguments give the same table.

use std::env;
use std::error::Error;
use std::fs;
use std::time::Instant;

use maxout_engine::game::timing::frames_per_row;
use maxout_formats::fm2::{Movie, one_game};
use maxout_lab::tas::learn::{Learning, Lesson, Step, example};
use maxout_lab::tas::values::Values;

/// Steps from one line to the next.
const LINE: u64 = 500_000;
/// Tetrises of an examination: those of 999,999 points from level 18.
const TETRISES: f32 = 42.0;

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = env::args().skip(1).collect();
    let [level, steps, seed, out, movies @ ..] = &words[..] else {
        return Err("expected LEVEL STEPS SEED OUT [MOVIE.fm2...]".into());
    };
    let lesson = Lesson { level: level.parse()?, seed: seed.parse()?, ..Lesson::default() };
    let steps: u64 = steps.parse()?;
    let examples = movies.iter().map(|path| read(path)).collect::<Result<Vec<_>, _>>()?;
    let mut learning = Learning::new(lesson, Values::first(frames_per_row(lesson.level)), &examples);
    let begun = Instant::now();
    let mut next = LINE.min(steps);
    while learning.steps() < steps {
        learning.game();
        if learning.steps() >= next {
            next += LINE;
            fs::write(out, learning.values().to_bytes())?;
            let (games, alone) = (learning.recent(), learning.examination(TETRISES));
            println!(
                "{} steps, {:.0} s: {:.1} frames a tetris; from an empty playfield {:.1} tetrises with {} pieces in {:.0} frames",
                learning.steps(),
                begun.elapsed().as_secs_f64(),
                games.frames / games.tetrises,
                alone.tetrises,
                alone.pieces,
                alone.frames,
            );
        }
    }
    Ok(())
}

fn read(path: &str) -> Result<Vec<Step>, Box<dyn Error>> {
    let movie = Movie::open(path)?;
    let game = example(&one_game(movie.steps())?, "score:999999".parse()?);
    Ok(game.map_err(|error| format!("{path}: {error}"))?)
}
