//! The numbers behind the pictures.

use crate::simulate::GameResult;
use maxout_engine::game::{ROWS, WIDTH};

/// Most corners of a survival curve: more than the chart has columns of pixels.
const CORNERS: usize = 1500;

/// The points of a player's games, sorted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Points(Vec<u64>);

impl Points {
    /// Those of `games`, without pushdown.
    pub fn of(games: &[GameResult]) -> Points {
        let mut points: Vec<u64> = games.iter().map(|game| game.points).collect();
        points.sort_unstable();
        Points(points)
    }

    /// How many games.
    pub fn games(&self) -> usize {
        self.0.len()
    }

    /// The most of a game.
    pub fn best(&self) -> u64 {
        self.0.last().copied().unwrap_or(0)
    }

    /// The mean of the games; 0 without one.
    pub fn mean(&self) -> f64 {
        self.0.iter().map(|points| *points as f64).sum::<f64>() / self.0.len().max(1) as f64
    }

    /// The middle game's, or the mean of the two in the middle; 0 without a game.
    pub fn median(&self) -> f64 {
        let at = |index: usize| self.0.get(index).map_or(0.0, |points| *points as f64);
        let count = self.0.len();
        if count.is_multiple_of(2) { (at((count / 2).max(1) - 1) + at(count / 2)) / 2.0 } else { at(count / 2) }
    }

    /// Percentage of the games with at least this many points; 0 without a game.
    pub fn share(&self, least: u64) -> f64 {
        let below = self.0.partition_point(|points| *points < least);
        100.0 * (self.0.len() - below) as f64 / self.0.len().max(1) as f64
    }

    /// Corners of the curve of [`share`](Points::share) over points, down to the best game's.
    pub fn survival(&self) -> Vec<(f64, f64)> {
        let mut values = self.0.clone();
        values.dedup();
        let every = values.len().div_ceil(CORNERS).max(1);
        let best = values.len().saturating_sub(1);
        let kept = values.iter().enumerate().filter(|(index, _)| index % every == 0 || *index == best);
        let mut corners = vec![];
        let mut from = 0.0;
        for (_, value) in kept {
            let share = self.share(*value);
            corners.extend([(from, share), (*value as f64, share)]);
            from = *value as f64;
        }
        corners
    }

    /// Percentage of the games in each of `bins` bins of `width` points; those beyond are in
    /// the last.
    pub fn histogram(&self, width: f64, bins: usize) -> Vec<f64> {
        let mut shares = vec![0.0; bins];
        for points in &self.0 {
            let bin = ((*points as f64 / width) as usize).min(bins.saturating_sub(1));
            if let Some(share) = shares.get_mut(bin) {
                *share += 100.0 / self.0.len() as f64;
            }
        }
        shares
    }

    /// Is the best game so far from the median that a logarithmic scale is better? Above five times
    /// the median, with at least 20 games: chosen by hand, not measured.
    pub fn is_long_tailed(&self) -> bool {
        self.games() >= 20 && self.best() as f64 > 5.0 * self.median()
    }
}

/// Percentage of the pieces that locked in each row, from the top; `None` without a lock.
pub fn lock_rows(games: &[GameResult]) -> Option<[f64; ROWS]> {
    let mut rows = [0u64; ROWS];
    for game in games {
        rows.iter_mut().zip(game.lock_rows).for_each(|(sum, count)| *sum += u64::from(count));
    }
    let all: u64 = rows.iter().sum();
    (all > 0).then(|| rows.map(|count| 100.0 * count as f64 / all as f64))
}

/// Percentage of the locked cells in each cell, rows from the top; `None` without one.
pub fn lock_cells(games: &[GameResult]) -> Option<[[f64; WIDTH]; ROWS]> {
    let mut cells = [[0u64; WIDTH]; ROWS];
    for game in games {
        let counts = game.lock_cells.iter().flatten();
        cells.iter_mut().flatten().zip(counts).for_each(|(sum, count)| *sum += u64::from(*count));
    }
    let all: u64 = cells.iter().flatten().sum();
    (all > 0).then(|| cells.map(|row| row.map(|count| 100.0 * count as f64 / all as f64)))
}

/// Pieces, and locks that left the playfield empty.
pub fn perfect_clears(games: &[GameResult]) -> (u64, u64) {
    let sum = |of: fn(&GameResult) -> u32| games.iter().map(|game| u64::from(of(game))).sum();
    (sum(|game| game.pieces), sum(|game| game.perfect_clears))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::sample::result;

    fn points(points: &[u64]) -> Points {
        Points::of(&points.iter().map(|points| result(*points)).collect::<Vec<_>>())
    }

    #[test]
    fn the_middle_and_the_mean_are_those_of_the_games() {
        let even = points(&[400, 100, 300, 200]);
        assert_eq!((even.median(), even.mean(), even.best(), even.games()), (250.0, 250.0, 400, 4));
        assert_eq!(points(&[5, 1, 9]).median(), 5.0);
        let none = points(&[]);
        assert_eq!((none.median(), none.mean(), none.best(), none.share(0)), (0.0, 0.0, 0, 0.0));
    }

    #[test]
    fn survival_steps_down_after_each_game() {
        let corners = points(&[100, 200, 200, 400]).survival();
        let expected = [(0.0, 100.0), (100.0, 100.0), (100.0, 75.0), (200.0, 75.0), (200.0, 25.0), (400.0, 25.0)];
        assert_eq!(corners, expected);
        assert_eq!(points(&[]).survival(), []);
        let many = points(&(0..100_000).collect::<Vec<_>>()).survival();
        assert!(many.len() <= 2 * CORNERS + 2 && many.last().unwrap().0 == 99_999.0);
    }

    #[test]
    fn a_histogram_sums_to_all_games() {
        assert_eq!(points(&[0, 99, 100, 5_000]).histogram(100.0, 3), [50.0, 25.0, 25.0]);
        assert_eq!(points(&[]).histogram(100.0, 2), [0.0, 0.0]);
    }

    #[test]
    fn without_locks_there_are_no_shares() {
        let mut game = result(100);
        (game.lock_rows, game.lock_cells) = Default::default();
        assert_eq!((lock_rows(&[game.clone()]), lock_cells(&[game])), (None, None));
    }
}
