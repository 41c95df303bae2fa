//! The numbers behind the pictures.

use crate::simulate::{Distribution, GameResult};
use maxout_engine::game::{ROWS, WIDTH};

/// Most corners of a survival curve: more than the chart has columns of pixels.
const CORNERS: usize = 1500;

/// What a picture needs of a player's games. It does not grow with their number beyond 7 MB.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DrawnGames {
    points: Distribution,
    lock_rows: [u64; ROWS],
    lock_cells: [[u64; WIDTH]; ROWS],
    pieces: u64,
    perfect_clears: u64,
}

impl DrawnGames {
    /// Adds a game.
    pub fn add(&mut self, game: &GameResult) {
        self.points.add(game.points);
        self.lock_rows.iter_mut().zip(game.lock_rows).for_each(|(sum, count)| *sum += u64::from(count));
        let counts = game.lock_cells.iter().flatten();
        self.lock_cells.iter_mut().flatten().zip(counts).for_each(|(sum, count)| *sum += u64::from(*count));
        self.pieces += u64::from(game.pieces);
        self.perfect_clears += u64::from(game.perfect_clears);
    }

    /// How many games.
    pub fn games(&self) -> u64 {
        self.points.count()
    }

    /// The most points of a game, without pushdown.
    pub fn best(&self) -> u64 {
        self.points.greatest().unwrap_or(0)
    }

    /// The mean points of the games; 0 without one.
    pub fn mean(&self) -> f64 {
        self.points.mean().unwrap_or(0.0)
    }

    /// The points of the middle game, or the mean of the two in the middle; 0 without a game.
    pub fn median(&self) -> f64 {
        self.points.percentile(0.5, |points| points as f64).unwrap_or(0.0)
    }

    /// Percentage of the games with at least this many points; 0 without a game.
    pub fn share(&self, least: u64) -> f64 {
        let enough = self.points.values().rev().take_while(|(points, _)| *points >= least);
        self.percentage(enough.map(|(_, games)| games).sum())
    }

    fn percentage(&self, games: u64) -> f64 {
        100.0 * games as f64 / self.games().max(1) as f64
    }

    /// Corners of the curve of [`share`](DrawnGames::share) over points, down to the best game's.
    pub fn survival(&self) -> Vec<(f64, f64)> {
        let count = self.points.values().count();
        let every = count.div_ceil(CORNERS).max(1);
        let mut corners = vec![];
        let mut from = 0.0;
        let mut left = self.games();
        for (index, (value, games)) in self.points.values().enumerate() {
            if index % every == 0 || index == count - 1 {
                let share = self.percentage(left);
                corners.extend([(from, share), (value as f64, share)]);
                from = value as f64;
            }
            left -= games;
        }
        corners
    }

    /// Percentage of the games in each of `bins` bins of `width` points; those beyond are in
    /// the last.
    pub fn histogram(&self, width: f64, bins: usize) -> Vec<f64> {
        let mut shares = vec![0.0; bins];
        for (points, games) in self.points.values() {
            let bin = ((points as f64 / width) as usize).min(bins.saturating_sub(1));
            if let Some(share) = shares.get_mut(bin) {
                *share += self.percentage(games);
            }
        }
        shares
    }

    /// Is the best game so far from the median that a logarithmic scale is better? Above five times
    /// the median, with at least 20 games: chosen by hand, not measured.
    pub fn is_long_tailed(&self) -> bool {
        self.games() >= 20 && self.best() as f64 > 5.0 * self.median()
    }

    /// Percentage of the pieces that locked in each row, from the top; `None` without a lock.
    pub fn lock_rows(&self) -> Option<[f64; ROWS]> {
        let all: u64 = self.lock_rows.iter().sum();
        (all > 0).then(|| self.lock_rows.map(|count| 100.0 * count as f64 / all as f64))
    }

    /// Percentage of the locked cells in each cell, rows from the top; `None` without one.
    pub fn lock_cells(&self) -> Option<[[f64; WIDTH]; ROWS]> {
        let all: u64 = self.lock_cells.iter().flatten().sum();
        (all > 0).then(|| self.lock_cells.map(|row| row.map(|count| 100.0 * count as f64 / all as f64)))
    }

    /// Pieces, and locks that left the playfield empty.
    pub fn perfect_clears(&self) -> (u64, u64) {
        (self.pieces, self.perfect_clears)
    }
}

impl<'a> FromIterator<&'a GameResult> for DrawnGames {
    fn from_iter<I: IntoIterator<Item = &'a GameResult>>(games: I) -> DrawnGames {
        let mut drawn = DrawnGames::default();
        games.into_iter().for_each(|game| drawn.add(game));
        drawn
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::sample::result;

    fn points(points: &[u64]) -> DrawnGames {
        points.iter().map(|points| result(*points)).collect::<Vec<_>>().iter().collect()
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
        let games: DrawnGames = [game].iter().collect();
        assert_eq!((games.lock_rows(), games.lock_cells()), (None, None));
    }
}
