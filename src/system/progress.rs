//! Progress lines of long replays and surveys, on standard error.

use std::time::{Duration, Instant};

use super::output::say;

/// Time before the first line and between lines. Chosen by hand, not measured.
const INTERVAL: Duration = Duration::from_secs(2);
/// Frames between two readings of the clock. Chosen by hand, not measured.
const LOOK: u64 = 256;

/// Writes every two seconds how far the work is.
pub(crate) struct Progress {
    what: &'static str,
    since: Instant,
    next: Instant,
}

impl Progress {
    pub(crate) fn new(what: &'static str) -> Progress {
        let since = Instant::now();
        Progress { what, since, next: since + INTERVAL }
    }

    /// Takes the number of frames done so far.
    pub(crate) fn frames(&mut self, frames: u64) {
        if !frames.is_multiple_of(LOOK) || Instant::now() < self.next {
            return;
        }
        let rate = frames as f64 / self.since.elapsed().as_secs_f64();
        say(&format!("{}: {frames} frames, {rate:.0} a second", self.what));
        self.next = Instant::now() + INTERVAL;
    }
}
