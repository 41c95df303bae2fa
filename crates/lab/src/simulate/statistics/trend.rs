//! How lock counts fall from row to row: the line of the publication of `birken-v1`.

use super::arithmetic;
use maxout_engine::game::ROWS;

/// Rows that the line is fitted to, from the top, from 0.
const FITTED_ROWS: std::ops::RangeInclusive<usize> = 6..=15;

/// The line through the log10 of the lock counts, or of shares of them, of rows 6 to 15.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LockRowTrend {
    /// Its log10 in row 0.
    pub start: f64,
    /// What each row downwards adds to it.
    pub slope: f64,
    /// The rows it was fitted to: the first and the last of 6 to 15 with a lock.
    pub rows: (usize, usize),
}

impl LockRowTrend {
    /// Least squares over the rows with a lock; `None` where there are fewer than two.
    pub fn of(rows: &[f64; ROWS]) -> Option<LockRowTrend> {
        let fitted = || FITTED_ROWS.filter(|&row| rows[row] > 0.0);
        let points: Vec<_> = fitted().map(|row| (row as f64, rows[row].log10())).collect();
        let slope = arithmetic::slope(&points)?;
        let (sum_x, sum_y) = points.iter().fold((0.0, 0.0), |sum, point| (sum.0 + point.0, sum.1 + point.1));
        let start = (sum_y - slope * sum_x) / points.len() as f64;
        Some(LockRowTrend { start, slope, rows: (fitted().next()?, fitted().next_back()?) })
    }

    /// Log10 in a row.
    pub fn at(&self, row: f64) -> f64 {
        self.start + self.slope * row
    }

    /// A row's share as a part of that of the row below: 10 to minus the slope.
    pub fn ratio(&self) -> f64 {
        10f64.powf(-self.slope)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_regression_finds_the_ratio_of_neighbours() {
        let mut rows = [0.0; ROWS];
        for (row, share) in rows.iter_mut().enumerate() {
            *share = 70.0 * 0.2924f64.powi(19 - row as i32);
        }
        let line = LockRowTrend::of(&rows).unwrap();
        assert!((100.0 * line.ratio() - 29.24).abs() < 1e-9 && line.rows == (6, 15), "{line:?}");
        assert!((line.at(10.0) - rows[10].log10()).abs() < 1e-9);
        rows[6..=14].fill(0.0);
        assert_eq!(LockRowTrend::of(&rows), None);
    }
}
