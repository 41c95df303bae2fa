//! The run's side of the window: keeps the pace, hands over moments, and holds the run while it is
//! paused.

use std::cell::Cell;
use std::sync::Arc;
use std::time::Duration;

use super::shared::{Moment, Shared, Stage};
use crate::camera::{Camera, CameraResult, NoCamera};
use crate::model::{EndCard, RunHeader, Tone, ViewModel};
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
    camera: Box<dyn Camera + Send>,
    /// Is the picture of the coming frame asked for?
    asked: Cell<bool>,
    /// The last picture that was asked for.
    picture: Option<Picture>,
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
            camera: Box::new(NoCamera),
            asked: Cell::new(false),
            picture: None,
        }
    }

    /// The same listener, with films by this camera.
    pub fn with_camera(mut self, camera: Box<dyn Camera + Send>) -> WindowSink {
        self.camera = camera;
        self
    }

    /// Begins and ends films as the window asks. True if it has asked.
    fn obey_record_key(&mut self) -> bool {
        let presses = std::mem::take(&mut self.shared.lock().record_presses);
        for _ in 0..presses {
            let said = self.camera.toggle();
            self.tell(said);
        }
        self.model.is_rolling = self.camera.is_rolling();
        presses > 0
    }

    fn tell(&mut self, said: CameraResult) {
        match said {
            Ok(words) => self.model.say(words, Tone::Plain),
            Err(words) => self.model.say(words, Tone::Bad),
        }
    }

    fn hand_over(&mut self, picture: Option<Picture>) {
        self.model.frames_per_second = self.meter.rate();
        let moment = Moment { model: self.model.clone(), picture };
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
        if self.obey_record_key() && self.was_held {
            // The run stands still, and nothing else would show the message.
            let picture = self.picture.clone();
            self.hand_over(picture);
        }
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

    /// The end stays in the window until the window is closed; nobody has to wait for it. A film that
    /// is still being recorded ends here, too.
    fn end(&mut self, card: EndCard, picture: Option<Picture>) -> bool {
        let names = self.leave();
        self.model.frames_per_second = None;
        self.model.card = Some(card.with_saved(names));
        let latest = Some(Moment { model: self.model.clone(), picture });
        self.shared.wish(|state| (state.latest, state.stage) = (latest, Stage::Ended));
        (self.wake)();
        false
    }

    fn leave(&mut self) -> Vec<String> {
        if self.camera.is_rolling() {
            let said = self.camera.toggle();
            self.tell(said);
        }
        self.model.is_rolling = false;
        let screenshots = self.shared.lock().screenshots.clone();
        self.camera.saved().iter().cloned().chain(screenshots).collect()
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
        if let Some(said) = self.camera.frame(report) {
            self.tell(said);
        }
        self.model.is_rolling = self.camera.is_rolling();
        if self.asked.get() {
            self.next_moment = now + INTERVAL;
            self.picture = report.picture.cloned();
            self.hand_over(self.picture.clone());
        }
        Ok(if self.shared.lock().quits { Flow::Stop } else { Flow::Continue })
    }

    fn wants_picture(&self) -> bool {
        let state = self.shared.lock();
        let is_due = state.latest.is_none() && self.clock.now() >= self.next_moment;
        self.asked.set(state.is_paused || is_due);
        self.asked.get() || self.camera.wants_picture()
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
