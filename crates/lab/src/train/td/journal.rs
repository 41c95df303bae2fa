//! What is saved beside a training: its schedule, and how well it played.

use serde::{Deserialize, Serialize};

use super::round::{GAMES, SEGMENT};
use super::schedule::Schedule;
use super::totals::GameTotals;

/// A point of the curve of a training.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Point {
    /// Pieces placed in training so far.
    pub placed: u64,
    /// Seconds by the clock that all runs have taken so far.
    pub seconds: f64,
    /// Counts over the games since the previous point.
    pub tally: GameTotals,
    /// The same for the games of each head, where there are several.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub heads: Vec<GameTotals>,
}

fn sum(heads: &[GameTotals]) -> GameTotals {
    let mut sum = GameTotals::default();
    heads.iter().for_each(|head| sum.add(head));
    sum
}

/// The schedule of a training, and its curve so far.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Journal {
    /// Seconds by the clock that all runs have taken so far.
    pub seconds: f64,
    /// What the training began with, in words of who began it; `None` in checkpoints of before, which do not say it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub began_with: Option<String>,
    /// The schedule of the training.
    pub schedule: Schedule,
    /// Counts over the games since the last point.
    open: GameTotals,
    /// The same for the games of each head, where there are several.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    open_heads: Vec<GameTotals>,
    /// One point for each interval.
    #[serde(default)]
    curve: Vec<Point>,
}

impl Journal {
    /// The journal of a training that has not begun, or whose checkpoint has no journal.
    pub fn begin(schedule: Schedule) -> Journal {
        Journal {
            seconds: 0.0,
            began_with: None,
            schedule,
            open: GameTotals::default(),
            open_heads: Vec::new(),
            curve: Vec::new(),
        }
    }

    /// Records a round: the counts over its games for each head, the pieces placed so far and the seconds
    /// passed so far. There is a point every `interval` pieces, at the end of a round.
    pub fn record(&mut self, tally: &[GameTotals], placed: u64, seconds: f64, interval: u64) {
        self.open.add(&sum(tally));
        if tally.len() > 1 {
            self.open_heads.resize(tally.len(), GameTotals::default());
            self.open_heads.iter_mut().zip(tally).for_each(|(open, tally)| open.add(tally));
        }
        self.seconds = seconds;
        let before = placed.saturating_sub((GAMES * SEGMENT) as u64);
        if placed / interval > before / interval {
            let (tally, heads) = (std::mem::take(&mut self.open), std::mem::take(&mut self.open_heads));
            self.curve.push(Point { placed, seconds, tally, heads });
        }
    }

    /// Adds points to the curve, of a journal that is being read.
    pub(super) fn extend(&mut self, points: Vec<Point>) {
        self.curve.extend(points);
    }

    /// The curve. What was played since the last whole interval is one more point.
    pub fn points(&self, placed: u64) -> Vec<Point> {
        let mut points = self.curve.clone();
        if self.open.pieces > 0 {
            points.push(Point { placed, seconds: self.seconds, tally: self.open, heads: self.open_heads.clone() });
        }
        points
    }

    /// Counts over the latest games: those of the last interval and those after it.
    pub fn latest(&self) -> GameTotals {
        let mut latest = self.open;
        if let Some(point) = self.curve.last() {
            latest.add(&point.tally);
        }
        latest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_a_point_for_each_interval_and_one_for_the_rest() {
        let mut journal = Journal::begin(Schedule::learned());
        let tally = GameTotals { games: 2, pieces: 1024, points: 1000.5, ..GameTotals::default() };
        for round in 1..=5 {
            journal.record(&[tally], round * 1024, round as f64, 2000);
        }
        let placed: Vec<_> = journal.points(5120).iter().map(|point| (point.placed, point.tally.games)).collect();
        assert_eq!(placed, [(2048, 4), (4096, 4), (5120, 2)]);
        assert_eq!((journal.latest().games, journal.seconds), (6, 5.0));
        let text = toml::to_string(&journal).unwrap();
        assert_eq!(toml::from_str::<Journal>(&text).unwrap(), journal);
    }
}
