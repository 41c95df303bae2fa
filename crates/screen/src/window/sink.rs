//! The run's side of the window: keeps the pace, hands over moments, waits while it is held.

use std::cell::Cell;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use super::shared::{Moment, Shared, Stage};
use crate::model::{RunHeader, ViewModel};
use crate::pace::{Pacer, RateMeter};
use crate::speed::Speed;
use maxout_engine::bot::{Flow, FrameReport, FrameSink, SinkError};
use maxout_engine::console::Picture;

/// Time between two moments at least; a little less than a frame of the console, so that at its
/// own speed each frame is shown.
const INTERVAL: Duration = Duration::from_millis(15);
/// Over how long frames a second are measured.
const RATE_WINDOW: Duration = Duration::from_millis(500);

/// Listens to a run for a window. It never waits for the window to draw: moments that come
/// faster than that replace one another.
pub struct WindowSink {
    shared: Arc<Shared>,
    wake: Box<dyn Fn() + Send>,
    model: ViewModel,
    pacer: Pacer,
    meter: RateMeter,
    next_moment: Instant,
    /// Is the picture of the coming frame asked for?
    asked: Cell<bool>,
}

impl WindowSink {
    /// `wake` tells the window that something is new.
    pub(super) fn new(shared: Arc<Shared>, wake: Box<dyn Fn() + Send>, header: RunHeader, speed: Speed) -> WindowSink {
        let now = Instant::now();
        let (pacer, meter) = (Pacer::new(speed, now), RateMeter::new(RATE_WINDOW, now));
        let model = ViewModel { speed, ..ViewModel::new(header) };
        WindowSink { shared, wake, model, pacer, meter, next_moment: now, asked: Cell::new(false) }
    }

    /// The run is over: its end stays in the window until somebody closes that.
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

    /// Holds the run until it may go on, for good or for one frame.
    fn hold(&mut self) -> Flow {
        let mut state = self.shared.lock();
        if !state.is_paused {
            return Flow::Continue;
        }
        while state.is_paused && state.steps == 0 && !state.quits {
            state = self.shared.wait(state);
        }
        state.steps = state.steps.saturating_sub(1);
        drop(state);
        let now = Instant::now();
        self.pacer.restart(now);
        self.meter.restart(now);
        Flow::Continue
    }
}

impl FrameSink for WindowSink {
    fn frame(&mut self, report: &FrameReport<'_>) -> Result<Flow, SinkError> {
        let now = Instant::now();
        self.model.update(report);
        self.meter.tick(now);
        if self.asked.get() {
            self.next_moment = now + INTERVAL;
            self.hand_over(report.picture);
            // A run is held only where its picture is shown.
            self.hold();
        }
        let (quits, speed, is_paused) = {
            let state = self.shared.lock();
            (state.quits, state.speed, state.is_paused)
        };
        if quits {
            return Ok(Flow::Stop);
        }
        if speed != self.pacer.speed() {
            self.pacer.set_speed(speed, Instant::now());
        }
        if !is_paused {
            let wait = self.pacer.wait(Instant::now());
            if !wait.is_zero() {
                thread::sleep(wait);
            }
        }
        Ok(Flow::Continue)
    }

    fn wants_picture(&self) -> bool {
        let state = self.shared.lock();
        let is_due = state.latest.is_none() && Instant::now() >= self.next_moment;
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
