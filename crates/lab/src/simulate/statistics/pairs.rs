//! Two players on the same games: which one is better?

use serde::Serialize;

use super::arithmetic::{self, Interval};
use crate::simulate::game::GameResult;

/// Games that both players played, compared pair by pair in points without pushdown.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Pairs {
    /// How many pairs.
    pub games: u64,
    /// Mean points of A.
    pub mean_a: Option<f64>,
    /// Mean points of B.
    pub mean_b: Option<f64>,
    /// Mean of A's points minus B's.
    pub mean_difference: Option<f64>,
    /// Student's interval of that mean; none of a single pair.
    pub mean_difference_95: Option<Interval>,
    /// Median of A's points minus B's.
    pub median_difference: Option<f64>,
    /// Games in which A has more points.
    pub wins_a: u64,
    /// Games in which B has more points.
    pub wins_b: u64,
    /// Games with equal points.
    pub ties: u64,
    /// Games of A with 999,999 points before level 29.
    pub maxouts_a: u64,
    /// The same of B.
    pub maxouts_b: u64,
    /// A's share of such games minus B's, -1 to 1.
    pub maxout_share_difference: Option<f64>,
    /// Its interval for paired shares (Agresti and Min).
    pub maxout_share_difference_95: Option<Interval>,
    /// Who is better.
    pub verdict: Winner,
}

/// Which player is better, by the interval of the mean difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Winner {
    /// A: the whole interval lies above 0.
    #[serde(rename = "a-better")]
    A,
    /// B: the whole interval lies below 0.
    #[serde(rename = "b-better")]
    B,
    /// Neither: the interval contains 0.
    NoDifference,
    /// There are fewer than two pairs.
    TooFewGames,
}

impl Pairs {
    /// Compares the pairs: A's and B's results of the same games.
    pub fn of<'a>(pairs: impl IntoIterator<Item = (&'a GameResult, &'a GameResult)>) -> Pairs {
        let (mut a, mut b, mut differences) = (Vec::new(), Vec::new(), Vec::new());
        let (mut maxouts_a, mut maxouts_b, mut only_a, mut only_b) = (0, 0, 0, 0);
        for (one, other) in pairs {
            a.push(one.points as f64);
            b.push(other.points as f64);
            differences.push(one.points as f64 - other.points as f64);
            let ([has_a, _], [has_b, _]) = (one.maxout_before_29(), other.maxout_before_29());
            maxouts_a += u64::from(has_a);
            maxouts_b += u64::from(has_b);
            only_a += u64::from(has_a && !has_b);
            only_b += u64::from(has_b && !has_a);
        }
        let games = differences.len() as u64;
        let mean_difference_95 = arithmetic::mean_interval(&differences);
        let count = |wanted: fn(f64) -> bool| differences.iter().filter(|&&points| wanted(points)).count() as u64;
        let (wins_a, wins_b) = (count(|points| points > 0.0), count(|points| points < 0.0));
        let mut sorted = differences.clone();
        sorted.sort_by(f64::total_cmp);
        Pairs {
            games,
            mean_a: arithmetic::mean(&a),
            mean_b: arithmetic::mean(&b),
            mean_difference: arithmetic::mean(&differences),
            mean_difference_95,
            median_difference: arithmetic::percentile(&sorted, 0.5),
            wins_a,
            wins_b,
            ties: games - wins_a - wins_b,
            maxouts_a,
            maxouts_b,
            maxout_share_difference: (games > 0).then(|| (only_a as f64 - only_b as f64) / games as f64),
            maxout_share_difference_95: arithmetic::paired_share_interval(only_a, only_b, games),
            verdict: match mean_difference_95 {
                None => Winner::TooFewGames,
                Some(Interval { low, .. }) if low > 0.0 => Winner::A,
                Some(Interval { high, .. }) if high < 0.0 => Winner::B,
                Some(_) => Winner::NoDifference,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn games(points: &[u64]) -> Vec<GameResult> {
        (0..)
            .zip(points)
            .map(|(game, &points)| GameResult { points, points_by_29: points, ..GameResult::new(game) })
            .collect()
    }

    fn compare(a: &[u64], b: &[u64]) -> Pairs {
        Pairs::of(games(a).iter().zip(&games(b)))
    }

    #[test]
    fn pairs_are_compared_game_by_game() {
        // Differences 10, 20, 0, 30: mean 15, squares 25 + 25 + 225 + 225 = 500, over 3 and 4.
        let pairs = compare(&[110, 220, 300, 430], &[100, 200, 300, 400]);
        assert_eq!((pairs.mean_a, pairs.mean_b), (Some(265.0), Some(250.0)));
        assert_eq!((pairs.mean_difference, pairs.median_difference), (Some(15.0), Some(15.0)));
        assert_eq!((pairs.wins_a, pairs.wins_b, pairs.ties), (3, 0, 1));
        let interval = pairs.mean_difference_95.expect("four pairs");
        let reach = 3.182446 * (500.0f64 / 3.0 / 4.0).sqrt();
        assert!((interval.high - 15.0 - reach).abs() < 1e-6, "{interval:?}");
        assert_eq!(pairs.verdict, Winner::NoDifference);
    }

    #[test]
    fn the_interval_decides_and_one_game_decides_nothing() {
        let (high, low) = ([500, 610, 720, 830], [400, 500, 600, 700]);
        assert_eq!(compare(&high, &low).verdict, Winner::A);
        assert_eq!(compare(&low, &high).verdict, Winner::B);
        assert_eq!(compare(&low, &low).verdict, Winner::NoDifference);
        assert_eq!(compare(&[9], &[1]).verdict, Winner::TooFewGames);
        assert_eq!(compare(&[], &[]).verdict, Winner::TooFewGames);
    }

    #[test]
    fn maxouts_are_compared_by_the_games_that_only_one_has() {
        let pairs = compare(&[999_999, 1_000_000, 999_998, 5], &[1, 999_999, 2, 3]);
        assert_eq!((pairs.maxouts_a, pairs.maxouts_b), (2, 1));
        assert_eq!(pairs.maxout_share_difference, Some(0.25));
    }
}
