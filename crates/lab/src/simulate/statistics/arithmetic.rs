//! The arithmetic of the statistics: means, percentiles, intervals, regression.

use maxout_engine::analysis::{Estimate, Z};
use serde::Serialize;

/// An interval of 95 %.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Interval {
    /// Its lower end.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
}

impl Interval {
    fn of(estimate: Estimate) -> Interval {
        Interval { low: estimate.low, high: estimate.high }
    }

    pub(super) fn around(middle: f64, reach: f64) -> Interval {
        Interval { low: middle - reach, high: middle + reach }
    }
}

/// The mean; `None` without a value.
pub(super) fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// The standard deviation of a sample (divided by n - 1); `None` of fewer than two values.
pub(super) fn standard_deviation(values: &[f64]) -> Option<f64> {
    let mean = mean(values).filter(|_| values.len() > 1)?;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    Some((squares / (values.len() - 1) as f64).sqrt())
}

/// Student's 95 % interval of the mean; `None` of fewer than two values.
pub(super) fn mean_interval(values: &[f64]) -> Option<Interval> {
    interval(mean(values)?, standard_deviation(values)?, values.len() as u64)
}

/// Student's 95 % interval of the mean of values with this standard deviation; `None` of fewer than two values.
pub(super) fn interval(mean: f64, deviation: f64, count: u64) -> Option<Interval> {
    Estimate::with_deviation(mean, deviation, count).map(Interval::of)
}

/// The value below which a share (0 to 1) of the sorted values lies, interpolated linearly between
/// neighbours: position share * (n - 1), the default of R and NumPy. `None` without a value.
pub(super) fn percentile(sorted: &[f64], share: f64) -> Option<f64> {
    let position = share * sorted.len().checked_sub(1)? as f64;
    let (below, above) = (sorted[position.floor() as usize], sorted[position.ceil() as usize]);
    Some(below + (above - below) * position.fract())
}

/// Wilson's 95 % interval of a share; `None` when `of` is 0.
pub(super) fn wilson(count: u64, of: u64) -> Option<Interval> {
    Estimate::of_share(count, of).map(Interval::of)
}

/// The 95 % interval of the difference between two shares of the same `of` pairs, from the
/// pairs of which only the one or only the other counts (Agresti and Min: half a pair is added
/// to each of the four kinds). `None` of nothing.
pub(super) fn paired_share_interval(only_one: u64, only_other: u64, of: u64) -> Option<Interval> {
    if of == 0 {
        return None;
    }
    let (one, other, n) = (only_one as f64 + 0.5, only_other as f64 + 0.5, of as f64 + 2.0);
    let difference = (one - other) / n;
    let error = ((one + other - (one - other).powi(2) / n).max(0.0)).sqrt() / n;
    let Interval { low, high } = Interval::around(difference, Z * error);
    Some(Interval { low: low.max(-1.0), high: high.min(1.0) })
}

/// The slope of the line of least squares; `None` of fewer than two different x.
pub(super) fn slope(points: &[(f64, f64)]) -> Option<f64> {
    let n = points.len() as f64;
    let (sum_x, sum_y) = points.iter().fold((0.0, 0.0), |sum, point| (sum.0 + point.0, sum.1 + point.1));
    let (mean_x, mean_y) = (sum_x / n, sum_y / n);
    let (xy, xx) = points
        .iter()
        .fold((0.0, 0.0), |sum, (x, y)| (sum.0 + (x - mean_x) * (y - mean_y), sum.1 + (x - mean_x).powi(2)));
    (xx > 0.0).then(|| xy / xx)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(found: f64, expected: f64) {
        assert!((found - expected).abs() < 5e-5 * expected.abs().max(1.0), "{found} instead of {expected}");
    }

    #[test]
    fn the_interval_of_a_mean_is_students() {
        // Mean 5; squares 9 + 1 + 1 + 9 = 20, over 3; error sqrt(20 / 3 / 4); times 3.182446.
        let interval = mean_interval(&[2.0, 4.0, 6.0, 8.0]).expect("four values");
        near(interval.low, 5.0 - 4.10852);
        near(interval.high, 5.0 + 4.10852);
        near(standard_deviation(&[2.0, 4.0, 6.0, 8.0]).expect("four values"), 2.58199);
        assert_eq!((mean_interval(&[3.0]), mean_interval(&[])), (None, None));
    }

    #[test]
    fn percentiles_lie_between_neighbours() {
        let sorted = [10.0, 20.0, 30.0, 40.0, 50.0];
        for (share, value) in [(0.0, 10.0), (0.5, 30.0), (0.1, 14.0), (0.9, 46.0), (0.99, 49.6), (1.0, 50.0)] {
            near(percentile(&sorted, share).expect("some"), value);
        }
        near(percentile(&[1.0, 2.0], 0.5).expect("some"), 1.5);
        assert_eq!((percentile(&[7.0], 0.9), percentile(&[], 0.5)), (Some(7.0), None));
    }

    #[test]
    fn wilsons_interval_is_the_published_one_and_never_leaves_0_to_1() {
        // Newcombe (1998), method 3.
        for (count, of, published) in [(15, 148, "0.0624 0.1605"), (81, 263, "0.2553 0.3662"), (1, 29, "0.0061 0.1718")]
        {
            let interval = wilson(count, of).expect("some");
            assert_eq!(format!("{:.4} {:.4}", interval.low, interval.high), published);
        }
        // None of 10: 0 to z^2 / (10 + z^2).
        let none = wilson(0, 10).expect("some");
        assert_eq!(none.low, 0.0);
        near(none.high, 3.841459 / 13.841459);
        assert_eq!(wilson(10, 10).map(|interval| interval.high), Some(1.0));
        assert_eq!(wilson(0, 0), None);
    }

    #[test]
    fn the_interval_of_a_paired_difference_counts_the_pairs_that_differ() {
        // (12.5 - 4.5) / 102, error sqrt(17 - 64 / 102) / 102.
        let interval = paired_share_interval(12, 4, 100).expect("some");
        near((interval.low + interval.high) / 2.0, 0.078431);
        near(interval.high - interval.low, 2.0 * Z * 0.0396696);
        let equal = paired_share_interval(0, 0, 50).expect("some");
        near(equal.low, -equal.high);
        assert_eq!(paired_share_interval(0, 0, 0), None);
        // One pair: (1.5 - 0.5) / 3 and 1.96 times sqrt(2 - 1 / 3) / 3; no difference is larger than 1.
        let one = paired_share_interval(1, 0, 1).expect("some");
        near(one.low, 0.333_333 - 0.843_434);
        assert_eq!(one.high, 1.0);
        let other = paired_share_interval(0, 1, 1).expect("some");
        assert_eq!((other.low, other.high), (-1.0, -one.low));
    }

    #[test]
    fn the_slope_is_that_of_least_squares() {
        near(slope(&[(1.0, 2.0), (2.0, 4.0), (3.0, 6.0)]).expect("three points"), 2.0);
        // Means 2 and 3; products (-1)(-2) + 0 + (1)(1) = 3, squares 2.
        near(slope(&[(1.0, 1.0), (2.0, 4.0), (3.0, 4.0)]).expect("three points"), 1.5);
        assert_eq!((slope(&[(1.0, 1.0)]), slope(&[])), (None, None));
    }
}
