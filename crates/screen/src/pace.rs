//! How fast a run is shown: the chosen speed, the schedule that keeps it, and the rate measured.
//!
//! Every `now` is a time of the host's [clock](maxout_engine::clock::Clock).

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use maxout_engine::game::timing::FRAMES_PER_SECOND;

/// How fast a run is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Speed {
    /// This many times the console's own 60.0988 frames a second, 1 to 64.
    Times(u32),
    /// As fast as the run can go.
    Max,
}

impl Speed {
    /// The highest speed below [`Speed::Max`].
    pub const FASTEST: u32 = 64;

    /// The next power of two up; beyond 64 it is [`Speed::Max`].
    pub fn faster(self) -> Speed {
        match self {
            Speed::Times(times) if times < Speed::FASTEST => Speed::Times((times + 1).next_power_of_two()),
            _ => Speed::Max,
        }
    }

    /// The next power of two down, 1 at least.
    pub fn slower(self) -> Speed {
        match self {
            Speed::Max => Speed::Times(Speed::FASTEST),
            Speed::Times(times) => Speed::Times((times.max(2).next_power_of_two() / 2).max(1)),
        }
    }

    /// Frames a second; `None` for no limit.
    fn frames_per_second(self) -> Option<f64> {
        match self {
            Speed::Times(times) => Some(f64::from(times.max(1)) * FRAMES_PER_SECOND),
            Speed::Max => None,
        }
    }
}

impl Default for Speed {
    fn default() -> Speed {
        Speed::Times(1)
    }
}

impl fmt::Display for Speed {
    /// What [`Speed::from_str`] reads: `1`, `2`, `max`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Speed::Times(times) => write!(f, "{times}"),
            Speed::Max => f.write_str("max"),
        }
    }
}

/// A speed that is neither a number from 1 to 64 nor `max`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a speed is a whole number from 1 to 64 (times the console's own speed) or \"max\", not {found:?}")]
pub struct ParseSpeedError {
    found: String,
}

impl FromStr for Speed {
    type Err = ParseSpeedError;

    fn from_str(text: &str) -> Result<Speed, ParseSpeedError> {
        if text.eq_ignore_ascii_case("max") {
            return Ok(Speed::Max);
        }
        match text.parse() {
            Ok(times) if (1..=Speed::FASTEST).contains(&times) => Ok(Speed::Times(times)),
            _ => Err(ParseSpeedError { found: text.to_owned() }),
        }
    }
}

/// Says how long to wait before the next frame, by a schedule that does not drift.
#[derive(Debug)]
pub(super) struct Pacer {
    speed: Speed,
    start: Duration,
    frames: u64,
}

impl Pacer {
    /// A run that is later than this is not hurried to catch up.
    const PATIENCE: Duration = Duration::from_millis(250);

    pub(super) fn new(speed: Speed, now: Duration) -> Pacer {
        Pacer { speed, start: now, frames: 0 }
    }

    pub(super) fn speed(&self) -> Speed {
        self.speed
    }

    pub(super) fn set_speed(&mut self, speed: Speed, now: Duration) {
        *self = Pacer::new(speed, now);
    }

    /// Starts the schedule anew, after a pause.
    pub(super) fn restart(&mut self, now: Duration) {
        self.set_speed(self.speed, now);
    }

    /// How late the frame is that is done at `now`: past the moment in which the next one should
    /// begin. Nothing is late where nothing is due.
    pub(super) fn late(&self, now: Duration) -> Duration {
        let Some(rate) = self.speed.frames_per_second() else { return Duration::ZERO };
        now.saturating_sub(self.due(self.frames + 1, rate))
    }

    fn due(&self, frames: u64, rate: f64) -> Duration {
        self.start + Duration::from_secs_f64(frames as f64 / rate)
    }

    /// Counts a frame that is done at `now`; the time until the next one is due.
    pub(super) fn wait(&mut self, now: Duration) -> Duration {
        let Some(rate) = self.speed.frames_per_second() else { return Duration::ZERO };
        self.frames += 1;
        let due = self.due(self.frames, rate);
        if now > due + Pacer::PATIENCE {
            self.restart(now);
        }
        due.saturating_sub(now)
    }
}

/// Measures frames a second over the last half second or more.
#[derive(Debug)]
pub(super) struct RateMeter {
    window: Duration,
    since: Duration,
    frames: u32,
    rate: Option<f64>,
}

impl RateMeter {
    /// Measures over windows of this length.
    pub(super) fn new(window: Duration, now: Duration) -> RateMeter {
        RateMeter { window, since: now, frames: 0, rate: None }
    }

    /// Counts a frame.
    pub(super) fn tick(&mut self, now: Duration) {
        self.frames += 1;
        let elapsed = now.saturating_sub(self.since);
        if elapsed >= self.window {
            self.rate = Some(f64::from(self.frames) / elapsed.as_secs_f64());
            (self.since, self.frames) = (now, 0);
        }
    }

    /// Forgets what was measured, after a pause.
    pub(super) fn restart(&mut self, now: Duration) {
        *self = RateMeter::new(self.window, now);
    }

    /// Frames a second over the last full window; `None` before the first.
    pub(super) fn rate(&self) -> Option<f64> {
        self.rate
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_speed_survives_its_text() {
        for speed in (1..=64).map(Speed::Times).chain([Speed::Max]) {
            assert_eq!(speed.to_string().parse(), Ok(speed));
        }
    }

    #[test]
    fn a_wrong_speed_says_what_is_right() {
        for text in ["0", "65", "-1", "1.5", "fast", ""] {
            let error = text.parse::<Speed>().expect_err(text).to_string();
            assert!(error.contains("1 to 64") && error.contains("max") && error.contains(text), "{error}");
        }
    }

    #[test]
    fn plus_and_minus_walk_the_powers_of_two() {
        let mut speeds = vec![Speed::Times(1)];
        while speeds[speeds.len() - 1] != Speed::Max {
            speeds.push(speeds[speeds.len() - 1].faster());
        }
        let expected = [1, 2, 4, 8, 16, 32, 64].map(Speed::Times);
        assert_eq!(speeds[..7], expected);
        assert_eq!(speeds.len(), 8);
        for pair in speeds.windows(2) {
            assert_eq!(pair[1].slower(), pair[0]);
        }
        assert_eq!((Speed::Times(1).slower(), Speed::Max.faster()), (Speed::Times(1), Speed::Max));
        assert_eq!((Speed::Times(3).faster(), Speed::Times(3).slower()), (Speed::Times(4), Speed::Times(2)));
    }

    #[test]
    fn frames_that_take_uneven_times_stay_on_schedule() {
        let start = Duration::from_secs(100);
        let mut pacer = Pacer::new(Speed::Times(2), start);
        let mut now = start;
        for frame in 0..12_020_u64 {
            now += Duration::from_micros(frame % 7 * 2000);
            now += pacer.wait(now);
        }
        let drift = (now - start).as_secs_f64() - 12_020.0 / (2.0 * FRAMES_PER_SECOND);
        assert!(drift.abs() < 0.015, "{drift} s");
    }

    #[test]
    fn after_a_long_stop_the_run_is_not_hurried() {
        let start = Duration::from_secs(100);
        let mut pacer = Pacer::new(Speed::Times(1), start);
        let late = start + Duration::from_secs(5);
        assert_eq!(pacer.wait(late), Duration::ZERO);
        assert!(pacer.wait(late) > Duration::from_millis(16));
    }

    #[test]
    fn a_frame_is_late_when_the_next_one_should_have_begun() {
        let start = Duration::from_secs(100);
        let mut pacer = Pacer::new(Speed::Times(1), start);
        assert_eq!(pacer.late(start + Duration::from_millis(16)), Duration::ZERO);
        pacer.wait(start + Duration::from_millis(16));
        let late = pacer.late(start + Duration::from_millis(40));
        assert!((6..7).contains(&late.as_millis()), "{late:?}");
        pacer.set_speed(Speed::Max, start);
        assert_eq!(pacer.late(start + Duration::from_secs(1)), Duration::ZERO);
    }

    #[test]
    fn the_highest_speed_never_waits() {
        let now = Duration::from_secs(100);
        let mut pacer = Pacer::new(Speed::Max, now);
        assert_eq!((pacer.wait(now), pacer.wait(now)), (Duration::ZERO, Duration::ZERO));
    }

    #[test]
    fn the_rate_is_that_of_the_last_window() {
        let start = Duration::from_secs(100);
        let mut meter = RateMeter::new(Duration::from_millis(500), start);
        assert_eq!(meter.rate(), None);
        for frame in 1..=200 {
            meter.tick(start + frame * Duration::from_millis(5));
        }
        assert!(meter.rate().is_some_and(|rate| (rate - 200.0).abs() < 1.0));
        meter.restart(start);
        assert_eq!(meter.rate(), None);
    }
}
