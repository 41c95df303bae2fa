//! Fits the numbers that turn the values of the learned player into expected points, and checks them.
//!
//! ```text
//! cargo run --release -p maxout-lab --example expected_points -- fit GAMES SEED [HZ...]
//! cargo run --release -p maxout-lab --example expected_points -- check POSITIONS GAMES SEED [MOVIE...]
//! ```
//!
//! `fit` plays GAMES games for each tap rate, half from level 18 and half from level 19, until 430 lines,
//! and prints the rows of `crates/engine/src/analysis/fits.rs`. `check` takes POSITIONS positions from
//! games of different players and of movies, states what is to be expected, plays GAMES games on from
//! each, judges each at five plies, and prints one CSV row for each position. Its seed must be another one
//! than that of the fit.

use std::collections::HashMap;
use std::env;
use std::error::Error;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::thread;

use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

use maxout_engine::analysis::{Analyst, Horizon, Prospect};
use maxout_engine::console::Simulated;
use maxout_engine::game::control::FallingPiece;
use maxout_engine::game::scoring::{Progress, clear_points};
use maxout_engine::game::{KILLSCREEN, Piece, Playfield, Position};
use maxout_engine::gamepad::{Buttons, TapRate};
use maxout_engine::judge::learned::{FINALE, Outlook, QuickNet};
use maxout_engine::judge::{self, Judge, REWARD_POINTS};
use maxout_engine::parallel;
use maxout_engine::planner::{Falling, Forecast, GeneratorOdds, Search, Settings, Sight, Think};
use maxout_engine::ram::{Decoder, RamMap};
use maxout_engine::seed;
use maxout_formats::FileFormat;
use maxout_formats::games::open_games;

/// Tap rates with 2, 3, 4, 5 and 6 frames from tap to tap.
const RATES: [u64; 5] = [30, 20, 15, 12, 10];

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = env::args().skip(1).collect();
    let number = |index: usize| words.get(index).and_then(|word| word.parse::<u64>().ok());
    match (words.first().map(String::as_str), number(1), number(2), number(3)) {
        (Some("fit"), Some(games), Some(seed), _) => {
            let rates: Vec<u64> = words[3..].iter().map(|word| word.parse()).collect::<Result<_, _>>()?;
            fit(games, seed, if rates.is_empty() { &RATES } else { &rates })
        }
        (Some("check"), Some(positions), Some(games), Some(seed)) => check(positions, games, seed, &words[4..]),
        _ => Err("expected fit GAMES SEED [HZ...], or check POSITIONS GAMES SEED [MOVIE...]".into()),
    }
}

fn net() -> Result<Arc<QuickNet>, Box<dyn Error>> {
    match judge::by_name("learned", None)? {
        Judge::Learned(net) => Ok(net),
        Judge::Handmade(_) => Err("the learned player has a net".into()),
    }
}

fn tap_rate(hz: u64) -> TapRate {
    TapRate::from_hz(hz).expect("a rate from 1 to 30")
}

fn settings(hz: u64) -> Settings {
    Settings { tap_rate: tap_rate(hz).into(), ..Settings::default() }
}

/// A piece of a game: the position, and what was won by all pieces before it.
struct Step {
    position: Position,
    /// The value of the plan, in rewards.
    worth: f64,
    won: u64,
}

/// A game and its points.
struct Game {
    steps: Vec<Step>,
    points: u64,
    is_topped_out: bool,
}

fn falling(piece: Piece) -> Falling {
    Falling { piece: FallingPiece::spawned(piece.spawn(), 0), held: Buttons::NONE, control_frame: 0 }
}

fn draw(before: Piece, random: &mut Xoshiro256PlusPlus) -> Piece {
    let mut rest: f32 = random.random();
    let odds = GeneratorOdds.odds(before);
    let drawn = Piece::ALL.into_iter().zip(odds).find(|&(_, odds)| {
        rest -= odds;
        rest < 0.0
    });
    drawn.map_or(Piece::I, |(piece, _)| piece)
}

fn points_of_a_reward(level: u8) -> f64 {
    f64::from(REWARD_POINTS) * (f64::from(level) + 1.0)
}

/// Plays from a position until `is_over` says so of a level and the lines since.
fn play(
    search: &Search,
    mut position: Position,
    random: &mut Xoshiro256PlusPlus,
    is_over: impl Fn(u8, u32) -> bool,
) -> Game {
    let mut progress = Progress::from_lines(position.level, position.lines);
    let mut game = Game { steps: Vec::new(), points: 0, is_topped_out: false };
    let mut lines = 0;
    while !is_over(position.level, lines) {
        let Some(plan) = search.plan(&position, &falling(position.piece)) else {
            game.is_topped_out = true;
            break;
        };
        let worth = plan.value / points_of_a_reward(position.level);
        game.steps.push(Step { position, worth, won: game.points });
        progress.count_a_type(plan.clears);
        lines += u32::from(plan.clears);
        game.points += u64::from(clear_points(plan.clears, progress.level));
        position = Position {
            playfield: plan.playfield,
            piece: position.next,
            next: draw(position.next, random),
            level: progress.level,
            lines: progress.lines(),
            score: 0,
        };
    }
    game
}

fn start(level: u8, random: &mut Xoshiro256PlusPlus) -> Position {
    let piece = Piece::ALL[random.random_range(0..Piece::ALL.len())];
    Position { playfield: Playfield::EMPTY, piece, next: draw(piece, random), level, lines: 0, score: 0 }
}

fn threads() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

fn fit(games: u64, seed: u64, rates: &[u64]) -> Result<(), Box<dyn Error>> {
    let net = net()?;
    for &hz in rates {
        let work = |(): &mut (), game: u64| {
            let mut random = Xoshiro256PlusPlus::seed_from_u64(seed::of_game(seed, game));
            let search = Search::new(Arc::clone(&net), settings(hz));
            let level = 18 + (game % 2) as u8;
            play(&search, start(level, &mut random), &mut random, |_, lines| lines >= 430)
        };
        let played = parallel::map(threads(), &mut (), || (), 0..games, work);
        print_fit(hz, &played);
    }
    Ok(())
}

/// A row of a regression: features and the value to be explained.
type Sample = ([f64; FEATURES], f64);

/// Numbers of a regression.
const FEATURES: usize = 4;

fn print_fit(hz: u64, games: &[Game]) {
    let frames = tap_rate(hz).frames();
    let mut far: Vec<(Position, f64, f64)> = Vec::new();
    let (mut near, mut late): (Vec<Sample>, Vec<Sample>) = (Vec::new(), Vec::new());
    for game in games {
        for (index, step) in game.steps.iter().enumerate() {
            let horizon = Horizon::of(&step.position);
            let lines = u32::from(step.position.lines);
            let end = game.steps[index..]
                .iter()
                .find(|later| horizon.is_reached(later.position.level, u32::from(later.position.lines) - lines));
            let end = match end {
                Some(end) => end.won,
                None if game.is_topped_out => game.points,
                // The game was ended before.
                None => continue,
            };
            let won = (end - step.won) as f64;
            match horizon {
                Horizon::Killscreen { lines } if lines <= FINALE as u16 => {
                    near.push(([1.0, step.worth - f64::from(Outlook::BONUS), 0.0, 0.0], won / points_of_a_reward(19)));
                }
                Horizon::Killscreen { .. } => far.push((step.position, step.worth, won)),
                Horizon::Lines(_) => {
                    let cells = f64::from(step.position.playfield.cell_count());
                    late.push(([1.0, step.worth, cells, 0.0], won / points_of_a_reward(step.position.level)));
                }
            }
        }
    }
    let mut best: Option<(f64, f64, [f64; FEATURES])> = None;
    for hazard in (0..400).map(|step| f64::from(step) * 0.00025) {
        let mut weights: HashMap<(u8, u16), f64> = HashMap::new();
        let samples: Vec<Sample> = far
            .iter()
            .map(|(position, worth, won)| {
                let here = points_of_a_reward(position.level);
                let weight = *weights
                    .entry((position.level, position.lines))
                    .or_insert_with(|| Horizon::of(position).weight(position, hazard));
                let cells = f64::from(position.playfield.cell_count());
                ([weight / 1e5, worth * here / 1e5, here / 1e5, cells * here / 1e5], won / 1e5)
            })
            .collect();
        let (numbers, error) = regression(&samples);
        if best.is_none_or(|(least, ..)| error < least) {
            best = Some((error, hazard, numbers));
        }
    }
    let Some((error, hazard, [gain, slope, constant, cell])) = best else { return };
    let ([finale, finale_slope, ..], near_error) = regression(&near);
    let ([late_value, late_slope, late_cell, _], late_error) = regression(&late);
    println!(
        "    Fit {{ frames: {frames}.0, gain: {gain:.4}, hazard: {hazard:.5}, slope: {slope:.4}, centre: {:.3}, cell: \
         {:.4}, finale: {finale:.3}, finale_slope: {finale_slope:.3}, late: {late_value:.2}, late_slope: \
         {late_slope:.3}, late_cell: {late_cell:.4} }},",
        -constant / slope,
        -cell / slope
    );
    let reached = games.iter().filter(|game| game.steps.iter().any(|step| step.position.level >= KILLSCREEN)).count();
    eprintln!(
        "{hz} Hz: {} games, {reached} reached level 29; positions {} {} {}; root mean square errors {:.0} points, {:.3} \
         and {:.3} rewards",
        games.len(),
        far.len(),
        near.len(),
        late.len(),
        1e5 * (error / far.len().max(1) as f64).sqrt(),
        (near_error / near.len().max(1) as f64).sqrt(),
        (late_error / late.len().max(1) as f64).sqrt(),
    );
}

/// Least squares: the numbers, and the sum of the squared errors. Features that are always 0 get 0.
fn regression(samples: &[Sample]) -> ([f64; FEATURES], f64) {
    let mut matrix = [[0.0; FEATURES + 1]; FEATURES];
    for (features, value) in samples {
        for row in 0..FEATURES {
            for column in 0..FEATURES {
                matrix[row][column] += features[row] * features[column];
            }
            matrix[row][FEATURES] += features[row] * value;
        }
    }
    for row in 0..FEATURES {
        if matrix[row][row].abs() < 1e-9 {
            matrix[row] = [0.0; FEATURES + 1];
            matrix[row][row] = 1.0;
        }
        let pivot = matrix[row][row];
        matrix[row].iter_mut().for_each(|number| *number /= pivot);
        let pivot_row = matrix[row];
        for (_, numbers) in matrix.iter_mut().enumerate().filter(|&(other, _)| other != row) {
            let factor = numbers[row];
            numbers.iter_mut().zip(pivot_row).for_each(|(number, pivot)| *number -= factor * pivot);
        }
    }
    let numbers = matrix.map(|row| row[FEATURES]);
    let error = |(features, value): &Sample| {
        let expected: f64 = features.iter().zip(numbers).map(|(feature, number)| feature * number).sum();
        (value - expected).powi(2)
    };
    (numbers, samples.iter().map(error).sum())
}

/// The players whose games give positions: name and tap rate.
const PLAYERS: [(&str, u64); 9] = [
    ("learned", 30),
    ("learned", 20),
    ("learned", 15),
    ("learned", 12),
    ("learned", 10),
    ("birken-v2", 30),
    ("birken-v2", 15),
    ("el-tetris", 30),
    ("el-tetris", 12),
];

/// What is found out about a position.
struct Row {
    position: Position,
    /// Expected points.
    stated: f64,
    /// Mean of the games that were played on, and its standard error.
    played: (f64, f64),
    /// Points by which the best placement is ahead of the second at three plies.
    gap: f64,
    /// Is it the best one at five plies, too?
    is_same: bool,
    /// What it is behind the best one at five plies.
    behind: f64,
}

fn check(positions: u64, games: u64, seed: u64, movies: &[String]) -> Result<(), Box<dyn Error>> {
    let net = net()?;
    let mut from_movies = Vec::new();
    for path in movies {
        let path = Path::new(path);
        let format = FileFormat::of_path(path).ok_or("expected a movie or a log by its name")?;
        let decoder = Decoder::new(&RamMap::tetris_ntsc())?;
        let recorded = open_games(path, format, &mut Simulated::power_on(), &decoder)?;
        from_movies.extend(recorded.games.into_iter().flat_map(|game| game.pieces).map(|piece| piece.position));
    }
    println!("player,tap_rate,level,lines,height,stated,played,error,gap,same,behind");
    let sources = PLAYERS.len() as u64 + u64::from(!from_movies.is_empty());
    let work = |(): &mut (), index: u64| {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed::of_game(seed, index));
        let (name, hz, position) = match PLAYERS.get((index % sources) as usize) {
            Some(&(name, hz)) => {
                let found = judge::by_name(name, None).expect("its own weights");
                let search = Search::new(found, settings(hz));
                let stop = random.random_range(0..700);
                let level = 18 + (index / sources % 2) as u8;
                let game = play(&search, start(level, &mut random), &mut random, |_, lines| lines >= 330);
                (name, hz, game.steps[stop % game.steps.len()].position)
            }
            None => ("movie", 30, from_movies[random.random_range(0..from_movies.len())]),
        };
        ControlFlow::<_, _>::Continue((name, hz, state_and_play(&net, hz, position, games, &mut random)))
    };
    let each = |(name, hz, row): (&str, u64, Option<Row>)| {
        let Some(Row { position, stated, played, gap, is_same, behind }) = row else { return };
        let Position { level, lines, playfield, .. } = position;
        let height = 20 - playfield.top();
        println!(
            "{name},{hz},{level},{lines},{height},{stated:.0},{:.0},{:.0},{gap:.0},{},{behind:.0}",
            played.0,
            played.1,
            u8::from(is_same)
        );
    };
    parallel::in_order(threads(), || (), 0..positions, work, each);
    Ok(())
}

fn state_and_play(
    net: &Arc<QuickNet>,
    hz: u64,
    position: Position,
    games: u64,
    random: &mut Xoshiro256PlusPlus,
) -> Option<Row> {
    let analyst = Analyst::new(Arc::clone(net), settings(hz));
    let judge = |analyst: &Analyst| analyst.judge(&position, &falling(position.piece), Sight::WithNext);
    let judged = judge(&analyst);
    let best = judged.first()?;
    let expectation = analyst.expectation();
    let search = analyst.search();
    let prospect = Prospect::of(&search, expectation, &position, best.placement, Sight::WithNext);
    let stated = prospect.points(expectation.points(&position, best.verdict.value));
    let gap = judged.get(1).map(|second| best.verdict.value - second.verdict.value);
    let deep = judge(&Analyst::new(Arc::clone(net), Settings { think: Some(Think::Plies(5)), ..settings(hz) }));
    let deep_best = deep.first()?;
    let again = deep.iter().find(|judged| judged.placement == best.placement)?;
    let horizon = Horizon::of(&position);
    let played: Vec<f64> = (0..games)
        .map(|_| play(&search, position, random, |level, lines| horizon.is_reached(level, lines)).points as f64)
        .collect();
    let mean = played.iter().sum::<f64>() / played.len() as f64;
    let squares: f64 = played.iter().map(|points| (points - mean).powi(2)).sum();
    let deviation = (squares / (played.len() as f64 - 1.0)).sqrt();
    Some(Row {
        position,
        stated,
        played: (mean, deviation / (played.len() as f64).sqrt()),
        gap: gap.map_or(f64::INFINITY, |gap| prospect.difference(expectation.difference(&position, gap))),
        is_same: deep_best.placement == best.placement,
        behind: prospect.difference(expectation.difference(&position, deep_best.verdict.value - again.verdict.value)),
    })
}
