//! The schedule that keeps a chosen speed, and the measured rate.
//!
//! Every `now` is a time of the host's [clock](maxout_engine::clock::Clock).

use std::time::Duration;

use crate::menu_pace::MenuPace;
use crate::model::RunStage;
use crate::speed::{Pace, Speed};

/// Says how long to wait before the next frame, by a schedule that does not drift.
#[derive(Debug)]
pub(super) struct Pacer {
    speed: Speed,
    start: Duration,
    frames: u64,
    /// Are these the menus before the game, and does nobody want to wait for them?
    hurries: bool,
}

impl Pacer {
    /// A run that is later than this is not hurried to catch up. Chosen by hand, not measured.
    const PATIENCE: Duration = Duration::from_millis(250);

    /// The schedule of a run from power-on.
    pub(super) fn new(pace: Pace, now: Duration) -> Pacer {
        Pacer { speed: pace.speed, start: now, frames: 0, hurries: pace.menus == MenuPace::Hurried }
    }

    /// Takes the stage of a frame that is done at `now`. True in the first frame of a game whose menus
    /// were hurried through: the schedule begins there.
    pub(super) fn enter(&mut self, stage: RunStage, now: Duration) -> bool {
        let begins = self.hurries && !stage.is_before_game();
        if begins {
            self.hurries = false;
            self.restart(now);
        }
        begins
    }

    /// Does nothing wait, because the game has not begun?
    pub(super) fn hurries(&self) -> bool {
        self.hurries
    }

    pub(super) fn speed(&self) -> Speed {
        self.speed
    }

    pub(super) fn set_speed(&mut self, speed: Speed, now: Duration) {
        *self = Pacer { speed, start: now, frames: 0, hurries: self.hurries };
    }

    /// Restarts the schedule, after a pause.
    pub(super) fn restart(&mut self, now: Duration) {
        self.set_speed(self.speed, now);
    }

    /// How late a frame is that is done at `now`: the time since the next one should have begun.
    /// Nothing is late where nothing is due.
    #[cfg(feature = "terminal")]
    pub(super) fn late(&self, now: Duration) -> Duration {
        let Some(rate) = self.rate() else { return Duration::ZERO };
        now.saturating_sub(self.due(self.frames + 1, rate))
    }

    /// Frames a second at most.
    fn rate(&self) -> Option<f64> {
        self.speed.frames_per_second().filter(|_| !self.hurries)
    }

    fn due(&self, frames: u64, rate: f64) -> Duration {
        self.start + Duration::from_secs_f64(frames as f64 / rate)
    }

    /// Counts a frame that is done at `now`; the time until the next one is due.
    pub(super) fn wait(&mut self, now: Duration) -> Duration {
        let Some(rate) = self.rate() else { return Duration::ZERO };
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
    use maxout_engine::game::timing::FRAMES_PER_SECOND;

    use maxout_engine::ram::GameMode;

    use super::*;

    /// This speed in the menus, too.
    fn real(speed: Speed) -> Pace {
        Pace { speed, menus: MenuPace::Real }
    }

    #[test]
    fn frames_that_take_uneven_times_stay_on_schedule() {
        let start = Duration::from_secs(100);
        let mut pacer = Pacer::new(real(Speed::Times(2)), start);
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
        let mut pacer = Pacer::new(real(Speed::Times(1)), start);
        let late = start + Duration::from_secs(5);
        assert_eq!(pacer.wait(late), Duration::ZERO);
        assert!(pacer.wait(late) > Duration::from_millis(16));
    }

    #[cfg(feature = "terminal")]
    #[test]
    fn a_frame_is_late_when_the_next_one_should_have_begun() {
        let start = Duration::from_secs(100);
        let mut pacer = Pacer::new(real(Speed::Times(1)), start);
        assert_eq!(pacer.late(start + Duration::from_millis(16)), Duration::ZERO);
        pacer.wait(start + Duration::from_millis(16));
        let late = pacer.late(start + Duration::from_millis(40));
        assert!((6..7).contains(&late.as_millis()), "{late:?}");
        pacer.set_speed(Speed::Max, start);
        assert_eq!(pacer.late(start + Duration::from_secs(1)), Duration::ZERO);
    }

    #[test]
    fn menus_are_hurried_through_unless_they_are_wanted() {
        let start = Duration::from_secs(100);
        let menu = RunStage::Menu(GameMode::Title);
        for menus in [MenuPace::Hurried, MenuPace::Real] {
            let mut pacer = Pacer::new(Pace { menus, ..real(Speed::Times(1)) }, start);
            let is_hurried = menus == MenuPace::Hurried;
            for stage in [RunStage::PowerOn, menu] {
                assert!(!pacer.enter(stage, start));
                assert_eq!(pacer.wait(start).is_zero(), is_hurried, "{menus:?}");
            }
            let later = start + Duration::from_secs(3);
            assert_eq!(pacer.enter(RunStage::Game, later), is_hurried);
            assert!(!pacer.enter(menu, later) && !pacer.enter(RunStage::Game, later), "once a run");
            if is_hurried {
                assert_eq!(pacer.wait(later).as_micros(), 16_639, "the schedule begins with the game");
            }
        }
    }

    #[test]
    fn the_highest_speed_never_waits() {
        let now = Duration::from_secs(100);
        let mut pacer = Pacer::new(real(Speed::Max), now);
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
