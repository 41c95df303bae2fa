//! One number for the points of many games.

use std::fmt;
use std::str::FromStr;

/// How the points of a particle's games become its fitness.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fitness {
    /// The mean of all.
    Mean,
    /// The median of all; of an even number, the mean of the two in the middle.
    Median,
    /// The mean of this many of the best.
    Best(usize),
    /// The mean of this many of the worst.
    Worst(usize),
}

impl Fitness {
    /// The fitness of games with these points.
    ///
    /// # Panics
    /// When there are fewer than [`Fitness::games`].
    pub fn of(self, points: &[u64]) -> f64 {
        assert!(points.len() >= self.games(), "{self} of {} games", points.len());
        let mut sorted = points.to_vec();
        sorted.sort_unstable();
        let (middle, all) = (sorted.len() / 2, sorted.len());
        match self {
            Fitness::Mean => mean(&sorted),
            Fitness::Median if all.is_multiple_of(2) => mean(&sorted[middle - 1..=middle]),
            Fitness::Median => mean(&sorted[middle..=middle]),
            Fitness::Best(count) => mean(&sorted[all - count..]),
            Fitness::Worst(count) => mean(&sorted[..count]),
        }
    }

    /// The least number of games that it needs.
    pub fn games(self) -> usize {
        match self {
            Fitness::Mean | Fitness::Median => 1,
            Fitness::Best(count) | Fitness::Worst(count) => count,
        }
    }
}

fn mean(points: &[u64]) -> f64 {
    points.iter().sum::<u64>() as f64 / points.len() as f64
}

impl fmt::Display for Fitness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fitness::Mean => f.write_str("mean"),
            Fitness::Median => f.write_str("median"),
            Fitness::Best(count) => write!(f, "best:{count}"),
            Fitness::Worst(count) => write!(f, "worst:{count}"),
        }
    }
}

/// A text that names no fitness.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected mean, median, best:K or worst:K (K from 1), found {0:?}")]
pub struct ParseFitnessError(String);

impl FromStr for Fitness {
    type Err = ParseFitnessError;

    fn from_str(text: &str) -> Result<Fitness, ParseFitnessError> {
        let count = |text: &str| text.parse().ok().filter(|&count| count > 0);
        let fitness = match text.split_once(':') {
            None if text == "mean" => Some(Fitness::Mean),
            None if text == "median" => Some(Fitness::Median),
            Some(("best", text)) => count(text).map(Fitness::Best),
            Some(("worst", text)) => count(text).map(Fitness::Worst),
            _ => None,
        };
        fitness.ok_or_else(|| ParseFitnessError(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_takes_the_games_of_its_name() {
        let points = [500, 100, 900, 300];
        for (text, fitness) in
            [("mean", 450.0), ("median", 400.0), ("best:1", 900.0), ("best:3", 1700.0 / 3.0), ("worst:2", 200.0)]
        {
            assert_eq!(text.parse::<Fitness>().expect(text).of(&points), fitness, "{text}");
        }
        assert_eq!(Fitness::Median.of(&points[..3]), 500.0);
    }

    #[test]
    fn names_survive_their_text_and_others_are_refused() {
        for text in ["mean", "median", "best:33", "worst:10"] {
            assert_eq!(text.parse::<Fitness>().map(|fitness| fitness.to_string()), Ok(text.to_owned()));
        }
        for text in ["", "best", "best:0", "mean:3", "worst:-1", "max"] {
            assert!(text.parse::<Fitness>().expect_err(text).to_string().contains(&format!("{text:?}")));
        }
    }
}
