//! Many numbers in little memory.

use std::collections::BTreeMap;

/// Most different values that are kept apart: up to this many games, every number is exact. They take
/// 7 MB. Chosen by hand, not measured.
const MOST: usize = 1 << 18;

/// How often each of some numbers occurs.
///
/// Numbers are exact as long as there are at most 262,144 different ones. Where there are more, all
/// are rounded down to a multiple of 2, then of 4 and so on; the least and the greatest number and
/// the sum stay exact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Distribution {
    /// Of each value without its lowest bits.
    counts: BTreeMap<u64, u64>,
    /// Those bits.
    dropped: u32,
    most: usize,
    count: u64,
    sum: u128,
    range: Option<(u64, u64)>,
}

impl Default for Distribution {
    fn default() -> Distribution {
        Distribution { counts: BTreeMap::new(), dropped: 0, most: MOST, count: 0, sum: 0, range: None }
    }
}

impl Distribution {
    /// Adds a number.
    pub fn add(&mut self, value: u64) {
        *self.counts.entry(value >> self.dropped).or_default() += 1;
        while self.counts.len() > self.most {
            self.dropped += 1;
            let mut coarse = BTreeMap::new();
            for (bin, count) in std::mem::take(&mut self.counts) {
                *coarse.entry(bin >> 1).or_default() += count;
            }
            self.counts = coarse;
        }
        self.count += 1;
        self.sum += u128::from(value);
        let (least, greatest) = self.range.unwrap_or((value, value));
        self.range = Some((least.min(value), greatest.max(value)));
    }

    /// How many there are.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The least of them.
    pub fn least(&self) -> Option<u64> {
        self.range.map(|(least, _)| least)
    }

    /// The greatest of them.
    pub fn greatest(&self) -> Option<u64> {
        self.range.map(|(_, greatest)| greatest)
    }

    /// The mean; `None` without a number.
    pub fn mean(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum as f64 / self.count as f64)
    }

    /// The values in rising order, and how often each occurs.
    pub fn values(&self) -> impl DoubleEndedIterator<Item = (u64, u64)> {
        let (least, greatest) = self.range.unwrap_or_default();
        self.counts.iter().map(move |(bin, count)| ((bin << self.dropped).clamp(least, greatest), *count))
    }

    /// The number at this place in rising order, from 0; the greatest beyond the last place.
    pub fn at(&self, place: u64) -> Option<u64> {
        let mut end = 0;
        let mut values = self.values();
        let found = values.find(|(_, count)| {
            end += count;
            place < end
        });
        found.map(|(value, _)| value).or(self.greatest())
    }

    /// The mean of the greatest `count` of them; `None` without a number.
    pub fn mean_of_greatest(&self, count: u64) -> Option<f64> {
        if count >= self.count {
            return self.mean();
        }
        let mut left = count;
        let mut sum = 0;
        for (value, times) in self.values().rev() {
            let times = times.min(left);
            sum += u128::from(value) * u128::from(times);
            left -= times;
        }
        (count > 0).then(|| sum as f64 / count as f64)
    }

    /// The standard deviation of a sample (divided by n - 1); `None` of fewer than two numbers.
    pub fn standard_deviation(&self) -> Option<f64> {
        let mean = self.mean().filter(|_| self.count > 1)?;
        let mut squares = 0.0;
        for (value, count) in self.values() {
            let square = (value as f64 - mean).powi(2);
            // One by one, so that the last bit is that of a sum over the numbers themselves.
            (0..count).for_each(|_| squares += square);
        }
        Some((squares / (self.count - 1) as f64).sqrt())
    }

    /// The value below which a share (0 to 1) of the numbers lies, interpolated linearly between
    /// neighbours: position share * (n - 1), the default of R and NumPy; `number` says which number
    /// a value stands for. `None` without a number.
    pub fn percentile(&self, share: f64, number: impl Fn(u64) -> f64) -> Option<f64> {
        let position = share * self.count.checked_sub(1)? as f64;
        let below = number(self.at(position.floor() as u64)?);
        let above = number(self.at(position.ceil() as u64)?);
        Some(below + (above - below) * position.fract())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::arithmetic;
    use super::*;

    fn of(numbers: impl IntoIterator<Item = u64>, most: usize) -> Distribution {
        let mut distribution = Distribution { most, ..Distribution::default() };
        numbers.into_iter().for_each(|number| distribution.add(number));
        distribution
    }

    proptest! {
        #[test]
        fn the_figures_are_those_of_the_sorted_numbers(
            numbers in prop::collection::vec(prop_oneof![0_u64..20, 0_u64..2_000_000], 0..300),
        ) {
            let mut sorted: Vec<f64> = numbers.iter().map(|&number| number as f64).collect();
            sorted.sort_by(f64::total_cmp);
            let distribution = of(numbers.iter().copied(), MOST);
            prop_assert_eq!(distribution.mean(), arithmetic::mean(&sorted));
            prop_assert_eq!(distribution.standard_deviation(), arithmetic::standard_deviation(&sorted));
            for share in [0.0, 0.01, 0.25, 0.5, 0.99, 1.0] {
                let found = distribution.percentile(share, |value| value as f64);
                prop_assert_eq!(found, arithmetic::percentile(&sorted, share));
            }
            for count in 1..=numbers.len() {
                let best = arithmetic::mean(&sorted[sorted.len() - count..]);
                prop_assert_eq!(distribution.mean_of_greatest(count as u64), best);
            }
            prop_assert_eq!(distribution.least().map(|least| least as f64), sorted.first().copied());
            prop_assert_eq!(distribution.greatest().map(|most| most as f64), sorted.last().copied());
        }
    }

    #[test]
    fn many_different_numbers_are_rounded_and_never_too_many() {
        let distribution = of((0..100_000).map(|number| number * 7919 % 100_003), 1000);
        assert!(distribution.counts.len() <= 1000);
        let width = 1 << distribution.dropped;
        assert!((100..=256).contains(&width), "{width}");
        assert_eq!(distribution.count(), 100_000);
        let exact = of((0..100_000).map(|number| number * 7919 % 100_003), MOST);
        assert_eq!(distribution.mean(), exact.mean());
        for place in [0, 1, 500, 50_000, 99_999] {
            let (found, expected) = (distribution.at(place).unwrap(), exact.at(place).unwrap());
            assert!(found <= expected && expected - found < width, "{place}: {found} {expected}");
        }
        assert_eq!((distribution.least(), distribution.greatest()), (exact.least(), exact.greatest()));
    }

    #[test]
    fn the_largest_numbers_overflow_nothing() {
        let distribution = of([u64::MAX, u64::MAX, u64::MAX - 1, 0], 2);
        assert_eq!((distribution.least(), distribution.greatest()), (Some(0), Some(u64::MAX)));
        assert!(distribution.standard_deviation().unwrap().is_finite());
        assert_eq!(Distribution::default().mean_of_greatest(3), None);
    }
}
