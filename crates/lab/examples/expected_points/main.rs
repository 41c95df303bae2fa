//! Fits the numbers that turn the values of the learned player into expected points, and checks them.
//!
//! ```text
//! cargo run --release -p maxout-lab --example expected_points -- fit GAMES SEED [HZ...]
//! cargo run --release -p maxout-lab --example expected_points -- fit-losses GAMES SEED [HZ...]
//! cargo run --release -p maxout-lab --example expected_points -- check POSITIONS GAMES SEED [MOVIE...]
//! cargo run --release -p maxout-lab --example expected_points -- check-losses GAMES SEED [HZ...]
//! cargo run --release -p maxout-lab --example expected_points -- rank GAMES SEED [FIRST] >ROWS.csv
//! cargo run --release -p maxout-lab --example expected_points -- ranking ROWS.csv...
//! ```
//!
//! `fit` plays GAMES games for each tap rate, half from level 18 and half from level 19, until 430 lines,
//! and prints the rows of `crates/engine/src/analysis/fits.rs`. `fit-losses`, to be run
//! after it, prints the numbers of losses, from GAMES games of players that lose much.
//!
//! `check` takes POSITIONS positions from games of different players and of movies, states what is to be
//! expected, plays GAMES games on from each, judges each at five plies, and prints one CSV row for each
//! position. `check-losses` prints what such games lack at their ends and what losses are stated. `rank` grades GAMES games of each player of the table in
//! `docs/strength.md`, with the same pieces for all, and prints a row for each game; FIRST is the number of the first one (0),
//! so that several runs can share the games. `ranking` makes the table of such rows, of a run that was stopped, too. The seeds of checks must be others than those of fits.

mod check;
mod fit;
mod game;
mod losses;
mod rank;
mod ranking;

use std::env;
use std::error::Error;

/// Tap rates with 2, 3, 4, 5 and 6 frames from tap to tap.
const RATES: [u64; 5] = [30, 20, 15, 12, 10];

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = env::args().skip(1).collect();
    let number = |index: usize| words.get(index).and_then(|word| word.parse::<u64>().ok());
    let rates = || -> Result<Vec<u64>, Box<dyn Error>> {
        let rates: Vec<u64> = words[3..].iter().map(|word| word.parse()).collect::<Result<_, _>>()?;
        Ok(if rates.is_empty() { RATES.to_vec() } else { rates })
    };
    match (words.first().map(String::as_str), number(1), number(2), number(3)) {
        (Some("fit"), Some(games), Some(seed), _) => fit::fit(games, seed, &rates()?),
        (Some("fit-losses"), Some(games), Some(seed), _) => losses::fit(games, seed, &rates()?),
        (Some("check"), Some(positions), Some(games), Some(seed)) => check::check(positions, games, seed, &words[4..]),
        (Some("check-losses"), Some(games), Some(seed), _) => losses::check(games, seed, &rates()?),
        (Some("rank"), Some(games), Some(seed), first) => rank::rank(games, seed, first.unwrap_or(0)),
        (Some("ranking"), ..) if words.len() > 1 => ranking::ranking(&words[1..]),
        _ => {
            Err("expected fit, fit-losses or check-losses GAMES SEED [HZ...], check POSITIONS GAMES SEED [MOVIE...], \
                  \
                  rank GAMES SEED [FIRST], or ranking ROWS.csv..."
                .into())
        }
    }
}
