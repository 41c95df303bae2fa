//! Numbers that were estimated from a sample, with 95 % intervals.

/// The normal distribution's 97.5 % point, for two-sided intervals of 95 %.
pub const Z: f64 = 1.959_963_984_540_054;

/// Student's 97.5 % points for 1 to 10 degrees of freedom, where the series is not yet exact.
const STUDENT: [f64; 10] =
    [12.706_205, 4.302_653, 3.182_446, 2.776_445, 2.570_582, 2.446_912, 2.364_624, 2.306_004, 2.262_157, 2.228_139];

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

/// The 97.5 % point of Student's distribution: a table, then the Cornish-Fisher series, exact
/// to five digits.
fn student_point(degrees: u64) -> f64 {
    if let Some(&point) = degrees.checked_sub(1).and_then(|index| STUDENT.get(usize::try_from(index).ok()?)) {
        return point;
    }
    let d = degrees as f64;
    let power = |exponent| Z.powi(exponent);
    Z + (power(3) + Z) / (4.0 * d)
        + (5.0 * power(5) + 16.0 * power(3) + 3.0 * Z) / (96.0 * d.powi(2))
        + (3.0 * power(7) + 19.0 * power(5) + 17.0 * power(3) - 15.0 * Z) / (384.0 * d.powi(3))
        + (79.0 * power(9) + 776.0 * power(7) + 1482.0 * power(5) - 1920.0 * power(3) - 945.0 * Z)
            / (92_160.0 * d.powi(4))
}

impl Estimate {
    /// The mean of values, with Student's interval; `None` of fewer than two values.
    pub fn of_mean(values: &[f64]) -> Option<Estimate> {
        if values.len() < 2 {
            return None;
        }
        let count = values.len() as f64;
        let mean = values.iter().sum::<f64>() / count;
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        Estimate::with_deviation(mean, (squares / (count - 1.0)).sqrt(), values.len() as u64)
    }

    /// The mean of this number of values with this standard deviation (divided by n - 1), with Student's interval; `None` of
    /// fewer than two values.
    pub fn with_deviation(mean: f64, deviation: f64, count: u64) -> Option<Estimate> {
        let degrees = count.checked_sub(1).filter(|&degrees| degrees > 0)?;
        let reach = student_point(degrees) * (deviation / (count as f64).sqrt());
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
        // At the ends the formula gives exactly 0 and 1; rounding must not change that.
        let (low, high) =
            (if count == 0 { 0.0 } else { middle - reach }, if count == of { 1.0 } else { middle + reach });
        Some(Estimate { value: share, low, high })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(found: f64, expected: f64) {
        assert!((found - expected).abs() < 5e-5 * expected.abs().max(1.0), "{found} instead of {expected}");
    }

    #[test]
    fn students_points_are_those_of_the_tables() {
        for (degrees, point) in [(1, 12.7062), (10, 2.22814), (11, 2.20099), (30, 2.04227), (120, 1.97993)] {
            near(student_point(degrees), point);
        }
        near(student_point(10_000_000), Z);
        // The series of Abramowitz and Stegun, 26.7.5, evaluated by another program.
        for (degrees, point) in [(11, 2.200_980_255_325), (20, 2.085_963_208_392), (30, 2.042_272_425_277)] {
            assert!((student_point(degrees) - point).abs() < 1e-11, "{degrees}");
        }
    }

    #[test]
    fn intervals_are_those_of_the_textbooks() {
        // The mean of 2, 4, 4, 4, 5, 5, 7, 9 is 5, its standard deviation as a sample 2.138.
        let mean = Estimate::of_mean(&[2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0]).unwrap();
        assert!((mean.value - 5.0).abs() < 1e-12);
        near(mean.high, 5.0 + 2.364_624 * 2.138_09 / 8_f64.sqrt());
        near(mean.low, 5.0 - 2.364_624 * 2.138_09 / 8_f64.sqrt());
        // Wilson's interval of 1 in 10 is 1.79 % to 40.42 %.
        let share = Estimate::of_share(1, 10).unwrap();
        assert!((share.low - 0.017_876).abs() < 1e-5 && (share.high - 0.404_150).abs() < 1e-5, "{share:?}");
        assert_eq!(Estimate::of_share(0, 10).unwrap().low, 0.0);
        assert_eq!(Estimate::of_share(10, 10).unwrap().high, 1.0);
        assert_eq!((Estimate::of_mean(&[]), Estimate::of_mean(&[3.0]), Estimate::of_share(0, 0)), (None, None, None));
    }
}
