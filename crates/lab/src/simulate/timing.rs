//! How long decisions take: a histogram that the games of all threads are added to.

use std::time::Duration;

/// Buckets to a factor of two: neighbours are 4.4 % apart, so quantiles are right to within 5 %.
const STEPS: f64 = 16.0;
/// The first bucket's upper edge, in seconds.
const FIRST: f64 = 1e-7;
/// Number of buckets: up to about 14 minutes.
const BUCKETS: usize = 528;

/// Durations of decisions, to within 5 %.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decisions {
    counts: Vec<u64>,
    longest: Duration,
}

impl Default for Decisions {
    fn default() -> Decisions {
        Decisions { counts: vec![0; BUCKETS], longest: Duration::ZERO }
    }
}

impl Decisions {
    /// Counts one decision.
    pub fn add(&mut self, time: Duration) {
        let bucket = (time.as_secs_f64() / FIRST).log2() * STEPS;
        self.counts[(bucket.ceil().max(0.0) as usize).min(BUCKETS - 1)] += 1;
        self.longest = self.longest.max(time);
    }

    /// Adds another's.
    pub fn merge(&mut self, other: &Decisions) {
        self.counts.iter_mut().zip(&other.counts).for_each(|(count, more)| *count += more);
        self.longest = self.longest.max(other.longest);
    }

    /// How many there are.
    pub fn count(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// The longest.
    pub fn longest(&self) -> Duration {
        self.longest
    }

    /// The time that this share (0 to 1) of the decisions did not exceed; `None` without decisions.
    pub fn quantile(&self, share: f64) -> Option<Duration> {
        let wanted = (self.count() as f64 * share).ceil().max(1.0) as u64;
        let mut sum = 0;
        let bucket = self.counts.iter().position(|&count| {
            sum += count;
            sum >= wanted
        })?;
        let edge = Duration::from_secs_f64(FIRST * (bucket as f64 / STEPS).exp2());
        Some(edge.min(self.longest))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_within_five_percent() {
        let mut decisions = Decisions::default();
        (1..=1000).for_each(|micros| decisions.add(Duration::from_micros(micros)));
        for (share, micros) in [(0.5, 500.0), (0.99, 990.0), (0.01, 10.0)] {
            let found = decisions.quantile(share).expect("there are some").as_secs_f64() * 1e6;
            assert!((micros..=micros * 1.05).contains(&found), "{share}: {found}");
        }
        assert_eq!(decisions.longest(), Duration::from_millis(1));
        assert_eq!(Decisions::default().quantile(0.5), None);
    }

    #[test]
    fn merged_halves_are_the_whole() {
        let mut halves = [Decisions::default(), Decisions::default()];
        let mut whole = Decisions::default();
        for micros in 1..500 {
            halves[micros as usize % 2].add(Duration::from_micros(micros * 7));
            whole.add(Duration::from_micros(micros * 7));
        }
        let [mut sum, other] = halves;
        sum.merge(&other);
        assert_eq!(sum, whole);
    }
}
