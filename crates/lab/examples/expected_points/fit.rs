//! The numbers of [`Fit`](maxout_engine::analysis::Fit), but for those of low values, from whole games.

use std::collections::HashMap;
use std::error::Error;
use std::sync::Arc;

use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;

use maxout_engine::analysis::Horizon;
use maxout_engine::game::{KILLSCREEN, Position};
use maxout_engine::judge::learned::{FINALE, Outlook};
use maxout_engine::planner::Search;
use maxout_engine::{parallel, seed};

use crate::game::{Game, net, play, points_of_a_reward, settings, start, tap_rate, threads};

pub(crate) fn fit(games: u64, seed: u64, rates: &[u64]) -> Result<(), Box<dyn Error>> {
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
const FEATURES: usize = 3;

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
                    near.push(([1.0, step.worth - f64::from(Outlook::BONUS), 0.0], won / points_of_a_reward(19)));
                }
                Horizon::Killscreen { .. } => far.push((step.position, step.worth, won)),
                Horizon::Lines(_) => {
                    let cells = f64::from(step.position.playfield.cell_count());
                    late.push(([1.0, step.worth, cells], won / points_of_a_reward(step.position.level)));
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
                // A value counts as it is, and a cell as a tenth of a line. Both were numbers of the regression before:
                // with 400 games each the slopes of two nets alike were 0.10 and 0.80.
                ([(weight - cells * here / 10.0) / 1e5, here / 1e5, 0.0], (won - worth * here) / 1e5)
            })
            .collect();
        let (numbers, error) = regression(&samples);
        if best.is_none_or(|(least, ..)| error < least) {
            best = Some((error, hazard, numbers));
        }
    }
    let Some((error, hazard, [gain, constant, ..])) = best else { return };
    let ([finale, finale_slope, ..], near_error) = regression(&near);
    let ([late_value, late_slope, late_cell], late_error) = regression(&late);
    println!(
        "    Fit {{ frames: {frames}.0, gain: {gain:.4}, hazard: {hazard:.5}, slope: 1.0, centre: {:.3}, cell: {:.4}, \
         finale: {finale:.3}, finale_slope: {finale_slope:.3}, late: {late_value:.2}, late_slope: \
         {late_slope:.3}, late_cell: {late_cell:.4} }},",
        -constant,
        gain / 10.0
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
