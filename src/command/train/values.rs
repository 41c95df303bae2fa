//! Values of flags, as people type them.

/// A number above 0.
pub(super) fn positive(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number: &f64| number.is_finite() && *number > 0.0);
    number.ok_or_else(|| format!("expected a number above 0, found {text:?}"))
}

/// A whole number from 1 to 1,000,000.
pub(super) fn count(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|number| (1..=1_000_000).contains(number));
    number.ok_or_else(|| format!("expected a whole number from 1 to 1000000, found {text:?}"))
}
