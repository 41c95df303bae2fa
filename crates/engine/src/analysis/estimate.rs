//! What play-outs tell, with 95 % intervals.

/// The normal distribution's 97.5 % point, for two-sided intervals of 95 %.
const Z: f64 = 1.959_963_984_540_054;

/// A number that was estimated from a sample, with its 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Estimate {
    /// The number.
    pub value: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
}

impl Estimate {
    /// The mean of values, with the interval of the normal distribution, which needs about 30 values;
    /// `None` without a value. One value has an interval without width.
    pub fn of_mean(values: &[f64]) -> Option<Estimate> {
        let count = values.len() as f64;
        if values.is_empty() {
            return None;
        }
        let mean = values.iter().sum::<f64>() / count;
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        let deviation = if values.len() > 1 { (squares / (count - 1.0)).sqrt() } else { 0.0 };
        let reach = Z * deviation / count.sqrt();
        Some(Estimate { value: mean, low: mean - reach, high: mean + reach })
    }

    /// A share, 0 to 1, with Wilson's interval; `None` when `of` is 0.
    pub fn of_share(count: u64, of: u64) -> Option<Estimate> {
        if of == 0 {
            return None;
        }
        let (n, share) = (of as f64, count as f64 / of as f64);
        let spread = 1.0 + Z * Z / n;
        let middle = (share + Z * Z / (2.0 * n)) / spread;
        let reach = Z / spread * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt();
        Some(Estimate { value: share, low: (middle - reach).max(0.0), high: (middle + reach).min(1.0) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_are_those_of_the_textbooks() {
        // The mean of 2, 4, 4, 4, 5, 5, 7, 9 is 5, its standard deviation as a sample 2.138.
        let mean = Estimate::of_mean(&[2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0]).unwrap();
        assert!((mean.value - 5.0).abs() < 1e-12);
        assert!((mean.high - 5.0 - 1.959_964 * 2.138_09 / 8_f64.sqrt()).abs() < 1e-4, "{mean:?}");
        // Wilson's interval of 1 in 10 is 1.79 % to 40.42 %.
        let share = Estimate::of_share(1, 10).unwrap();
        assert!((share.low - 0.017_876).abs() < 1e-5 && (share.high - 0.404_150).abs() < 1e-5, "{share:?}");
        assert_eq!(Estimate::of_share(0, 10).unwrap().low, 0.0);
        assert_eq!((Estimate::of_mean(&[]), Estimate::of_share(0, 0)), (None, None));
        assert_eq!(Estimate::of_mean(&[3.0]), Some(Estimate { value: 3.0, low: 3.0, high: 3.0 }));
    }
}
