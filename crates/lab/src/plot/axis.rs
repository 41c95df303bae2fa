//! Axes: where the ticks are and what they say.

use std::ops::Range;

use maxout_engine::text::rounded;
use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter};

/// Larger values are drawn here, so that differences stay finite.
const MOST: f64 = 1e300;

/// One axis of a chart.
#[derive(Debug, Clone, PartialEq)]
pub struct Axis {
    /// The range, from the lower end to the upper.
    pub range: Range<f64>,
    /// Positions in the range, and what is written there.
    pub ticks: Vec<(f64, String)>,
    /// What is measured, with its unit.
    pub name: String,
}

impl Axis {
    /// An axis from `low` to `high`, with about `ticks` ticks at round values.
    pub fn linear(low: f64, high: f64, ticks: u32, name: &str) -> Axis {
        let (low, high) = spread(low, high);
        let step = round_step((high - low) / f64::from(ticks.max(1)));
        let (first, last) = ((low / step).ceil(), (high / step).floor());
        let count = (last - first).clamp(0.0, 100.0) as u32;
        let values = (0..=count).map(|n| (first + f64::from(n)) * step).filter(|value| (low..=high).contains(value));
        Axis {
            range: low..high,
            ticks: values.map(|value| (value, label(value, step))).collect(),
            name: name.to_owned(),
        }
    }

    /// An axis of shares in percent, with the sign behind each number.
    pub fn percent(high: f64, ticks: u32, name: &str) -> Axis {
        let mut axis = Axis::linear(0.0, high, ticks, name);
        axis.ticks.iter_mut().for_each(|(_, label)| label.push_str(" %"));
        axis
    }

    /// Of shares in percent by their log10, from `low` to 2 (100 %), a tick at every power.
    pub fn percent_log(low: i32, name: &str) -> Axis {
        let low = low.min(1);
        let powers = (low..=2).map(|power| (f64::from(power), format!("{} %", power_of_ten(power)))).collect();
        Axis { range: f64::from(low)..2.0, ticks: powers, name: name.to_owned() }
    }

    /// Whole numbers from 1 to `count`, each in the middle of its unit, every `step`th
    /// written.
    pub fn numbered(count: usize, step: usize, name: &str) -> Axis {
        let ticks = (0..count).step_by(step).map(|n| (n as f64 + 0.5, (n + 1).to_string())).collect();
        Axis { range: 0.0..count as f64, ticks, name: name.to_owned() }
    }
}

impl Ranged for Axis {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, (from, to): (i32, i32)) -> i32 {
        let part = (value - self.range.start) / (self.range.end - self.range.start);
        from + (part * f64::from(to - from)).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, _: Hint) -> Vec<f64> {
        self.ticks.iter().map(|(value, _)| *value).collect()
    }

    fn range(&self) -> Range<f64> {
        self.range.clone()
    }
}

impl ValueFormatter<f64> for Axis {
    fn format(value: &f64) -> String {
        value.to_string()
    }

    fn format_ext(&self, value: &f64) -> String {
        self.ticks.iter().find(|(tick, _)| tick == value).map_or_else(String::new, |(_, label)| label.clone())
    }
}

/// 10 to `power`, written out.
fn power_of_ten(power: i32) -> String {
    match power {
        0.. => format!("1{}", "0".repeat(power as usize)),
        _ => format!("0.{}1", "0".repeat(-power as usize - 1)),
    }
}

/// A range that is neither empty nor infinite.
fn spread(low: f64, high: f64) -> (f64, f64) {
    let low = low.clamp(-MOST, MOST);
    let high = high.clamp(low, MOST);
    let least = low.abs().max(high.abs()) * 1e-9;
    if high - low > least {
        return (low, high);
    }
    let pad = if low == 0.0 { 1.0 } else { low.abs() / 10.0 };
    (low - pad, high + pad)
}

/// The smallest of 1, 2 and 5 times a power of ten that is at least `step`.
pub fn round_step(step: f64) -> f64 {
    let power = 10f64.powf(step.log10().floor());
    let round = [1.0, 2.0, 5.0].into_iter().map(|factor| factor * power).find(|round| *round >= step * 0.999_999);
    round.unwrap_or(10.0 * power)
}

/// A value on an axis whose ticks are `step` apart: `400k`, `1.2M`, `0.25`, `1,000,050`.
fn label(value: f64, step: f64) -> String {
    let size = value.abs();
    // Below half a step it is the zero of the axis.
    if size < step / 2.0 {
        return "0".to_owned();
    }
    if !(1e-4..1e15).contains(&size) || !(1e-6..).contains(&step) {
        return format!("{value:.3e}");
    }
    let units = [(1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")];
    if let Some((unit, sign)) = units.into_iter().find(|(unit, _)| size >= *unit) {
        let places = places(step / unit);
        return if places <= 3 { format!("{}{sign}", trimmed(value / unit, places)) } else { rounded(value) };
    }
    let places = places(step);
    trimmed(value, places)
}

/// Decimal places that distinguish multiples of `step`.
fn places(step: f64) -> usize {
    (-(step.log10() + 1e-9).floor()).max(0.0) as usize
}

fn trimmed(value: f64, places: usize) -> String {
    let text = format!("{value:.places$}");
    if places == 0 { text } else { text.trim_end_matches('0').trim_end_matches('.').to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(low: f64, high: f64) -> Vec<String> {
        Axis::linear(low, high, 6, "").ticks.into_iter().map(|(_, label)| label).collect()
    }

    #[test]
    fn ticks_are_round_and_short() {
        assert_eq!(labels(0.0, 1_250_000.0), ["0", "500k", "1M"]);
        assert_eq!(labels(0.0, 1_200_000.0), ["0", "200k", "400k", "600k", "800k", "1M", "1.2M"]);
        assert_eq!(labels(0.0, 3_100.0), ["0", "1k", "2k", "3k"]);
        assert_eq!(labels(0.0, 1.0), ["0", "0.2", "0.4", "0.6", "0.8", "1"]);
        assert_eq!(labels(-20.0, 10.0), ["-20", "-15", "-10", "-5", "0", "5", "10"]);
        assert_eq!(labels(1_000_000.0, 1_000_050.0)[1], "1,000,010");
    }

    #[test]
    fn a_range_without_width_gets_one() {
        for (low, high) in [(0.0, 0.0), (5.0, 5.0), (-3.0, -3.0), (f64::MAX, f64::MAX), (1.0, 0.0), (-1e300, 1e300)] {
            let axis = Axis::linear(low, high, 6, "");
            assert!(axis.range.start < axis.range.end && axis.ticks.len() < 20, "{axis:?}");
        }
    }

    #[test]
    fn shares_have_their_sign() {
        assert_eq!(Axis::percent(100.0, 5, "").format_ext(&20.0), "20 %");
        let log = Axis::percent_log(-2, "");
        assert_eq!([-2.0, 0.0, 2.0].map(|power| log.format_ext(&power)), ["0.01 %", "1 %", "100 %"]);
        assert_eq!(log.format_ext(&0.5), "");
    }
}
