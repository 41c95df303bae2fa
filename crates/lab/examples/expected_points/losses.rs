//! What losses are really worth: whatever a game lacks at its end, its placements lost.
//!
//! A game is cut where its position is no worse than the average one, whose points are known. From cut to cut,
//! the points that were to be expected at the first cut, less those that were won and those that are to be
//! expected at the second, are what the placements between lost, and bad luck, which is nothing on average.

use std::error::Error;
use std::sync::Arc;

use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;

use maxout_engine::analysis::{Estimate, Expectation, Fit, Prospect, Remains, Valued};
use maxout_engine::game::scoring::clear_points;
use maxout_engine::game::{Placement, Position};
use maxout_engine::judge;
use maxout_engine::planner::{Forecast, GeneratorOdds, Reach, Search, Sight};
use maxout_engine::{parallel, seed};

use crate::game::{falling, net, points_of_a_reward, settings, start, tap_rate, threads};

/// The players whose games are looked at: one that stacks for tetrises and makes holes, and some that clear
/// line by line.
const PLAYERS: [&str; 6] = ["birken-v2", "el-tetris", "birken-v2", "exhaustive-pair", "birken-v2", "birken-v1"];

/// Rounds of the fit. The numbers change in their third digit after ten.
const ROUNDS: u32 = 12;

/// A placement that is not the best one: what it is behind, in parts.
struct Behind {
    /// Points that do not depend on the numbers that are fitted.
    fixed: f64,
    /// Points of value above the average, and below it.
    value: [f64; 2],
    /// Points of value in all, by the search.
    search: f64,
    /// By the present numbers.
    stated: f64,
}

/// A game from cut to cut.
struct Part {
    player: &'static str,
    pieces: f64,
    /// Points that it lacks at its end.
    lacks: f64,
    behind: Vec<Behind>,
}

struct Sampler {
    search: Search,
    expectation: Expectation,
    hz: u64,
}

impl Sampler {
    fn game(&self, player: &'static str, seed: u64, game: u64) -> Vec<Part> {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed::of_game(seed, game));
        let search = Search::new(judge::by_name(player, None).expect("its own weights"), settings(self.hz));
        let mut position = start(18 + (game / 6 % 2) as u8, &mut random);
        let mut parts: Vec<Part> = Vec::new();
        let mut present: Option<Part> = None;
        loop {
            let plan = search.plan(&position, &falling(position.piece));
            let Some(plan) = plan else {
                // The end of the game: nothing is to be expected.
                parts.extend(present);
                break;
            };
            let Some(judged) = self.judged(&position, plan.placement) else { break };
            let [(_, best), (_, played)] = judged;
            let Some(remains) = self.expectation.remains(&position, best) else { break };
            if remains.beyond >= 0.0 {
                let expected = self.expectation.points(&position, best.value);
                parts.extend(present.take().map(|part| Part { lacks: part.lacks - expected, ..part }));
                present = Some(Part { player, pieces: 0.0, lacks: expected, behind: Vec::new() });
            }
            let after = position.after(plan.playfield, plan.clears);
            if let Some(part) = &mut present {
                part.pieces += 1.0;
                part.lacks -= f64::from(clear_points(plan.clears, after.level));
                part.behind.extend((best != played).then(|| self.behind(&position, judged)).flatten());
            }
            position = Position {
                piece: position.next,
                next: GeneratorOdds.draw(position.next, &mut random),
                score: 0,
                ..after
            };
        }
        parts
    }

    /// The best placement and the played one; `None` where the played one is not within reach.
    fn judged(&self, position: &Position, played: Placement) -> Option<[(Placement, Valued); 2]> {
        let (falling, settings) = (falling(position.piece), settings(self.hz));
        let reach = Reach::of(position, &falling, &[], &settings)?;
        let placements: Vec<Placement> = reach.reached().iter().map(|reached| reached.placement).collect();
        let values = self.search.values(position, &placements, Sight::WithNext, &GeneratorOdds)?;
        let judged = || placements.iter().zip(&values);
        let best = judged().reduce(|best, other| if other.1 > best.1 { other } else { best })?;
        let played = judged().find(|&(placement, _)| *placement == played)?;
        let valued = |(&placement, &value): (&Placement, &f64)| {
            let mut playfield = position.playfield;
            (placement, Valued { value, clears: playfield.lock(placement).count })
        };
        Some([valued(best), valued(played)])
    }

    fn behind(&self, position: &Position, [best, played]: [(Placement, Valued); 2]) -> Option<Behind> {
        let prospect = Prospect::of(&self.search, &self.expectation, position, best.0, Sight::WithNext);
        let [a, b] = [self.expectation.remains(position, best.1)?, self.expectation.remains(position, played.1)?];
        let here = points_of_a_reward(position.level);
        let points = |remains: &Remains| remains.points * (1.0 - Expectation::deadly(remains.beyond));
        let parts = [
            points(&a) - points(&b),
            here * (a.beyond.max(0.0) - b.beyond.max(0.0)),
            here * (a.beyond.min(0.0) - b.beyond.min(0.0)),
        ];
        let [fixed, above, below] = parts.map(|points| prospect.survival * points);
        let search = prospect.survival * (best.1.value - played.1.value);
        let stated = prospect.difference(self.expectation.loss(position, best.1, played.1));
        Some(Behind { fixed, value: [above, below], search, stated })
    }
}

impl Behind {
    /// What it lost, if the two slopes are these.
    fn loss(&self, slopes: [f64; 2]) -> f64 {
        let least = self.search * Expectation::LEAST * slopes[0].min(slopes[1]);
        (self.fixed + self.value[0] * slopes[0] + self.value[1] * slopes[1]).max(least).max(0.0)
    }
}

fn parts(games: u64, seed: u64, hz: u64) -> Result<Vec<Part>, Box<dyn Error>> {
    let net = net()?;
    let work = |(): &mut (), game: u64| {
        let (search, settings) = (Search::new(Arc::clone(&net), settings(hz)), settings(hz));
        let sampler = Sampler { search, expectation: Expectation::of(settings.style()), hz };
        sampler.game(PLAYERS[(game % 6) as usize], seed, game)
    };
    Ok(parallel::map(threads(), &mut (), || (), 0..games, work).into_iter().flatten().collect())
}

/// Prints the two slopes for each rate.
pub(crate) fn fit(games: u64, seed: u64, rates: &[u64]) -> Result<(), Box<dyn Error>> {
    for &hz in rates {
        let parts = parts(games, seed, hz)?;
        let Fit { loss_slope, low_loss_slope, .. } = *Expectation::of(settings(hz).style()).fit();
        let mut slopes = [loss_slope, low_loss_slope];
        for _ in 0..ROUNDS {
            slopes = better(&parts, slopes);
        }
        let [above, below] = slopes;
        println!("{} frames: loss_slope: {above:.3}, low_loss_slope: {below:.3}", tap_rate(hz).frames());
        print_sums(&parts, |behind| behind.loss(slopes));
    }
    Ok(())
}

/// Half the way from these slopes to the least squares solution over the parts, if the placements that lose
/// something remain the same.
fn better(parts: &[Part], slopes: [f64; 2]) -> [f64; 2] {
    let (mut matrix, mut right) = ([[1e-3, 0.0], [0.0, 1e-3]], [0.0, 0.0]);
    for part in parts {
        let (mut fixed, mut value) = (0.0, [0.0, 0.0]);
        for behind in part.behind.iter().filter(|behind| behind.loss(slopes) > 0.0) {
            fixed += behind.fixed;
            (0..2).for_each(|index| value[index] += behind.value[index]);
        }
        // The longer the part, the more luck is in it.
        let weight = 1.0 / (1.0 + part.pieces / 5.0);
        for row in 0..2 {
            right[row] += weight * value[row] * (part.lacks - fixed);
            (0..2).for_each(|column| matrix[row][column] += weight * value[row] * value[column]);
        }
    }
    let [[a, b], [c, d]] = matrix;
    let determinant = a * d - b * c;
    let solved = [(right[0] * d - b * right[1]) / determinant, (a * right[1] - c * right[0]) / determinant];
    [0, 1].map(|index| ((slopes[index] + solved[index]) / 2.0).max(0.0))
}

/// Prints for each player what its games lack a piece, and what is stated.
fn print_sums(parts: &[Part], loss: impl Fn(&Behind) -> f64) {
    let mut players = PLAYERS.to_vec();
    players.sort_unstable();
    players.dedup();
    for player in players {
        let own: Vec<&Part> = parts.iter().filter(|part| part.player == player).collect();
        let pieces = own.iter().map(|part| part.pieces).sum::<f64>() / own.len().max(1) as f64;
        let lacks: Vec<f64> = own.iter().map(|part| part.lacks / pieces).collect();
        let stated: Vec<f64> = own.iter().map(|part| part.behind.iter().map(&loss).sum::<f64>() / pieces).collect();
        let (Some(lacks), Some(stated)) = (Estimate::of_mean(&lacks), Estimate::of_mean(&stated)) else { continue };
        println!(
            "  {player}: {:.0} pieces lack {:.0} points each ({:.0} to {:.0}); stated {:.0}",
            pieces * own.len() as f64,
            lacks.value,
            lacks.low,
            lacks.high,
            stated.value
        );
    }
}

/// Prints what the games lack and what is stated by the present numbers.
pub(crate) fn check(games: u64, seed: u64, rates: &[u64]) -> Result<(), Box<dyn Error>> {
    for &hz in rates {
        println!("{} frames:", tap_rate(hz).frames());
        print_sums(&parts(games, seed, hz)?, |behind| behind.stated);
    }
    Ok(())
}
