//! The distribution of the points of many games, and shares of games.

use serde::Serialize;

use super::arithmetic::{self, Interval};
use super::distribution::Distribution;

/// The distribution of the games' points.
///
/// Percentiles are interpolated linearly between the two games at position p * (n - 1).
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Spread {
    /// Arithmetic mean.
    pub mean: f64,
    /// Student's interval of the mean; none of a single game.
    pub mean_95: Option<Interval>,
    /// Standard deviation of the sample, divided by n - 1; none of a single game.
    pub standard_deviation: Option<f64>,
    /// The worst game.
    pub min: f64,
    /// 1st percentile.
    pub p1: f64,
    /// 5th percentile.
    pub p5: f64,
    /// 10th percentile.
    pub p10: f64,
    /// 25th percentile.
    pub p25: f64,
    /// 50th percentile.
    pub median: f64,
    /// 75th percentile.
    pub p75: f64,
    /// 90th percentile.
    pub p90: f64,
    /// 99th percentile.
    pub p99: f64,
    /// The best game.
    pub max: f64,
    /// Mean of the best third of the games, their number rounded down, at least one.
    pub best_third: f64,
    /// Mean of the best 75 % of the games, their number rounded down, at least one.
    pub best_three_quarters: f64,
}

impl Spread {
    /// The distribution of these games' points; `None` without a game.
    pub(super) fn of(points: &Distribution) -> Option<Spread> {
        let percentile = |share| points.percentile(share, |value| value as f64);
        let best = |games: u64| points.mean_of_greatest(games.max(1));
        let mean = points.mean()?;
        let standard_deviation = points.standard_deviation();
        Some(Spread {
            mean,
            mean_95: standard_deviation.and_then(|deviation| arithmetic::interval(mean, deviation, points.count())),
            standard_deviation,
            min: points.least()? as f64,
            p1: percentile(0.01)?,
            p5: percentile(0.05)?,
            p10: percentile(0.10)?,
            p25: percentile(0.25)?,
            median: percentile(0.5)?,
            p75: percentile(0.75)?,
            p90: percentile(0.9)?,
            p99: percentile(0.99)?,
            max: points.greatest()? as f64,
            best_third: best(points.count() / 3)?,
            best_three_quarters: best(points.count() / 4 * 3 + points.count() % 4 * 3 / 4)?,
        })
    }
}

/// The share of the games with some property.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Share {
    /// The games that have it.
    pub games: u64,
    /// Their share of all, 0 to 1.
    pub share: f64,
    /// Wilson's interval of the share.
    pub wilson_95: Interval,
}

impl Share {
    /// The share of `games` in `of`; `None` without a game.
    pub(super) fn of(games: u64, of: u64) -> Option<Share> {
        Some(Share { games, share: games as f64 / of as f64, wilson_95: arithmetic::wilson(games, of)? })
    }
}

/// A pair of numbers, by whether the points of pushdowns count.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct ByPushdown<T> {
    /// Points of clears alone.
    pub without_pushdown: T,
    /// With those of pushdowns.
    pub with_pushdown: T,
}

impl<T> ByPushdown<T> {
    /// Both, made the same way.
    pub(super) fn map<U>(&self, make: impl Fn(&T) -> U) -> ByPushdown<U> {
        ByPushdown { without_pushdown: make(&self.without_pushdown), with_pushdown: make(&self.with_pushdown) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spread_of(points: &[u64]) -> Option<Spread> {
        let mut distribution = Distribution::default();
        points.iter().for_each(|&points| distribution.add(points));
        Spread::of(&distribution)
    }

    #[test]
    fn the_best_games_are_counted_down_to_whole_ones() {
        // Best third of 7 are 2, best 75 % are 5.
        let spread = spread_of(&[70, 10, 20, 60, 30, 50, 40]).expect("games");
        assert_eq!((spread.best_third, spread.best_three_quarters), (65.0, 50.0));
        assert_eq!((spread.min, spread.median, spread.max, spread.mean), (10.0, 40.0, 70.0, 40.0));
        assert_eq!((spread.p25, spread.p75), (25.0, 55.0));
    }

    #[test]
    fn one_game_is_its_own_percentiles_and_has_no_interval() {
        let spread = spread_of(&[5]).expect("a game");
        assert_eq!((spread.p1, spread.median, spread.p99, spread.best_third), (5.0, 5.0, 5.0, 5.0));
        assert_eq!((spread.mean_95, spread.standard_deviation), (None, None));
        assert_eq!(spread_of(&[]), None);
    }
}
