//! The run's side of the window: keeps the pace, hands over moments, and holds the run while it is
//! paused.

use std::cell::Cell;
use std::sync::Arc;
use std::time::Duration;

use super::shared::{Moment, Shared, Stage};
use crate::model::{RunHeader, ViewModel};
use crate::pace::{Pacer, RateMeter};
use crate::speed::Pace;
use crate::view::{NextFrame, View};
use maxout_engine::bot::{Flow, FrameReport, FrameSink, SinkError};
use maxout_engine::clock::Clock;
use maxout_engine::console::Picture;

/// Shortest time between two moments; a little less than a frame of the console, so that at its own
/// speed each frame is shown.
const INTERVAL: Duration = Duration::from_millis(15);
/// Time between two checks of the window's requests while the run is paused. Chosen by hand, not
/// measured: a key is answered within a third of a frame.
const PAUSED_INTERVAL: Duration = Duration::from_millis(5);
/// Over how long frames a second are measured. Chosen by hand, not measured.
const RATE_WINDOW: Duration = Duration::from_millis(500);

/// Listens to a run for a window. It never waits for the window to draw: moments that come
/// faster than that replace one another.
pub struct WindowSink {
    shared: Arc<Shared>,
    wake: Box<dyn Fn() + Send>,
    model: ViewModel,
    clock: Box<dyn Clock>,
    pacer: Pacer,
    /// When the next frame is due; `None` until the host first asks.
    due: Option<Duration>,
    /// Was the run held since the last frame?
    was_held: bool,
    meter: RateMeter,
    next_moment: Duration,
    /// Is the picture of the coming frame asked for?
    asked: Cell<bool>,
}

impl WindowSink {
    /// `wake` wakes the window when something is new.
    pub(super) fn new(
        shared: Arc<Shared>,
        wake: Box<dyn Fn() + Send>,
        header: RunHeader,
        pace: Pace,
        clock: Box<dyn Clock>,
    ) -> WindowSink {
        let now = clock.now();
        let (pacer, meter) = (Pacer::new(pace, now), RateMeter::new(RATE_WINDOW, now));
        let model = ViewModel { speed: pace.speed, is_hurried: pacer.hurries(), ..ViewModel::new(header) };
        WindowSink {
            shared,
            wake,
            model,
            clock,
            pacer,
            due: None,
            was_held: false,
            meter,
            next_moment: now,
            asked: Cell::new(false),
        }
    }

    /// The run is over: its end stays in the window until the window is closed.
    pub fn end(&mut self, picture: Option<Picture>) {
        self.model.frames_per_second = None;
        let latest = Some(Moment { model: self.model.clone(), picture });
        self.shared.wish(|state| (state.latest, state.stage) = (latest, Stage::Ended));
        (self.wake)();
    }

    fn hand_over(&mut self, picture: Option<&Picture>) {
        self.model.frames_per_second = self.meter.rate();
        let moment = Moment { model: self.model.clone(), picture: picture.cloned() };
        self.shared.lock().latest = Some(moment);
        (self.wake)();
    }

    /// After a pause: restarts the schedule and the rate.
    fn go_on(&mut self) {
        let now = self.clock.now();
        self.pacer.restart(now);
        self.meter.restart(now);
        (self.was_held, self.due) = (false, None);
    }
}

impl View for WindowSink {
    fn next_frame(&mut self) -> Result<NextFrame, SinkError> {
        let (quits, speed, is_paused, is_stepped) = {
            let mut state = self.shared.lock();
            // A run is held only where its picture is shown.
            let is_held = state.is_paused && self.asked.get();
            if is_held && state.steps == 0 && !state.quits {
                self.was_held = true;
                return Ok(NextFrame::After(PAUSED_INTERVAL));
            }
            if is_held {
                state.steps = state.steps.saturating_sub(1);
            }
            (state.quits, state.speed, state.is_paused, is_held)
        };
        if quits {
            return Ok(NextFrame::Never);
        }
        if is_stepped || self.was_held {
            self.go_on();
        }
        if speed != self.pacer.speed() {
            self.pacer.set_speed(speed, self.clock.now());
        }
        if is_paused {
            return Ok(NextFrame::Now);
        }
        let now = self.clock.now();
        // Each frame is counted once, however often its host asks.
        let due = *self.due.get_or_insert_with(|| now + self.pacer.wait(now));
        Ok(NextFrame::due_at(due, now))
    }
}

impl FrameSink for WindowSink {
    fn frame(&mut self, report: &FrameReport<'_>) -> Result<Flow, SinkError> {
        let now = self.clock.now();
        self.model.update(report);
        self.meter.tick(now);
        if self.pacer.enter(self.model.stage, now) {
            self.meter.restart(now);
        }
        self.model.is_hurried = self.pacer.hurries();
        self.due = None;
        if self.asked.get() {
            self.next_moment = now + INTERVAL;
            self.hand_over(report.picture);
        }
        Ok(if self.shared.lock().quits { Flow::Stop } else { Flow::Continue })
    }

    fn wants_picture(&self) -> bool {
        let state = self.shared.lock();
        let is_due = state.latest.is_none() && self.clock.now() >= self.next_moment;
        self.asked.set(state.is_paused || is_due);
        self.asked.get()
    }
}

impl Drop for WindowSink {
    /// A run that breaks off leaves no window behind.
    fn drop(&mut self) {
        self.shared.wish(|state| {
            if state.stage != Stage::Ended {
                state.stage = Stage::Gone;
            }
        });
        (self.wake)();
    }
}
