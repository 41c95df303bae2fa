//! The clock of the machine that the program runs on.

use std::time::{Duration, Instant};

use maxout_engine::clock::Clock;

/// Time since it was made, by the system's monotonic clock.
#[derive(Debug, Clone, Copy)]
pub struct WallClock(Instant);

impl WallClock {
    /// A clock that begins at zero now.
    pub fn start() -> WallClock {
        WallClock(Instant::now())
    }
}

impl Clock for WallClock {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}
