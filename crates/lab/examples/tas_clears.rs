//! Takes recorded tool-assisted games apart, clear by clear, and draws how many frames each of them took.
//!
//! ```text
//! cargo run --release -p maxout-lab --example tas_clears -- PICTURE.svg NAME=MOVIE.fm2...
//! ```
//!
//! Each line is a clear: its number, its rows, the level before it, pieces and frames since the clear before, and the
//! frames since the first piece. Then, from the top, the column (0 to 9) of the hole of each row that has only one. The movies
//! play one game to 999,999 points.

use std::env;
use std::error::Error;
use std::io::{self, Write};
use std::path::Path;

use maxout_engine::game::{FULL_ROW, ROWS};
use maxout_formats::fm2::{Movie, one_game};
use maxout_lab::plot;
use maxout_lab::tas::learn::example;

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = env::args().skip(1).collect();
    let [picture, movies @ ..] = &words[..] else { return Err("expected PICTURE.svg NAME=MOVIE.fm2...".into()) };
    plot::check(Path::new(picture))?;
    let (mut series, mut out) = (Vec::new(), io::stdout().lock());
    for word in movies {
        let (name, path) = word.split_once('=').ok_or_else(|| format!("expected NAME=MOVIE.fm2, found {word}"))?;
        writeln!(out, "{name}")?;
        series.push((name.to_owned(), clears(path, &mut out).map_err(|error| format!("{path}: {error}"))?));
    }
    let title = "Frames from one clear to the next, tool-assisted from level 18";
    Ok(plot::curve(Path::new(picture), title, "clear", "frames", &series)?)
}

/// Prints the clears of a movie; the number of each and its frames.
fn clears(path: &str, out: &mut impl Write) -> Result<Vec<(f64, f64)>, Box<dyn Error>> {
    let movie = Movie::open(path)?;
    let game = example(&one_game(movie.steps())?, "score:999999".parse()?)?;
    let mut found = Vec::new();
    let (mut pieces, mut frames, mut total) = (0, 0.0, 0.0);
    for step in &game {
        pieces += 1;
        frames += step.frames;
        total += step.frames;
        if step.rows > 0 {
            let holes = (0..ROWS as i8).map(|row| !step.page.row(row) & FULL_ROW);
            let ready: Vec<u32> =
                holes.filter(|hole| hole.is_power_of_two()).map(|hole| hole.trailing_zeros()).collect();
            let clear = found.len() + 1;
            writeln!(
                out,
                "{clear:3}: {} rows at level {}, {pieces:2} pieces, {frames:3} frames, {total:5} in all, ready {ready:?}",
                step.rows, step.level
            )?;
            found.push((clear as f64, f64::from(frames)));
            (pieces, frames) = (0, 0.0);
        }
    }
    Ok(found)
}
