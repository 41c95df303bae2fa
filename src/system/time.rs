//! Times in flags.

use std::time::Duration;

/// A number of seconds.
pub(crate) fn seconds(text: &str) -> Result<Duration, String> {
    let duration = text.parse().ok().and_then(|seconds: f64| Duration::try_from_secs_f64(seconds).ok());
    duration.ok_or_else(|| format!("expected a number of seconds, 0 or more, found {text:?}"))
}
