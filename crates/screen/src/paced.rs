//! A speed for a listener that has none.

use std::time::Duration;

use super::pace::Pacer;
use super::view::{NextFrame, View};
use crate::model::RunStage;
use crate::speed::Pace;
use maxout_engine::bot::{Flow, FrameReport, FrameSink, SinkError};
use maxout_engine::clock::Clock;

/// A listener, and the run's speed.
pub struct Paced<S> {
    sink: S,
    clock: Box<dyn Clock>,
    pacer: Pacer,
    /// When the next frame is due.
    due: Duration,
}

impl<S: FrameSink> Paced<S> {
    /// Holds the run to this pace while `sink` listens.
    pub fn new(sink: S, pace: impl Into<Pace>, clock: Box<dyn Clock>) -> Paced<S> {
        let now = clock.now();
        Paced { sink, clock, pacer: Pacer::new(pace.into(), now), due: now }
    }
}

impl<S: FrameSink> FrameSink for Paced<S> {
    fn frame(&mut self, report: &FrameReport<'_>) -> Result<Flow, SinkError> {
        let flow = self.sink.frame(report)?;
        let now = self.clock.now();
        self.pacer.enter(RunStage::of(report.snapshot.phase()), now);
        self.due = now + self.pacer.wait(now);
        Ok(flow)
    }

    fn wants_picture(&self) -> bool {
        self.sink.wants_picture()
    }
}

impl<S: FrameSink> View for Paced<S> {
    fn next_frame(&mut self) -> Result<NextFrame, SinkError> {
        Ok(NextFrame::due_at(self.due, self.clock.now()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ProgressLines;
    use crate::sample::{self, HandClock};
    use crate::speed::Speed;

    #[test]
    fn the_next_frame_begins_when_its_time_has_come() {
        let clock = HandClock::default();
        let lines = ProgressLines::new(Vec::new(), clock.boxed());
        let mut paced = Paced::new(lines, Speed::Times(1), clock.boxed());
        assert_eq!(paced.next_frame().expect("no error"), NextFrame::Now, "the first one at once");
        sample::report(0, &[], |report| paced.frame(report)).expect("a vector takes all");
        clock.pass(Duration::from_millis(10));
        let NextFrame::After(wait) = paced.next_frame().expect("no error") else { panic!("6.6 ms are left") };
        assert_eq!(wait.as_millis(), 6);
        clock.pass(wait + Duration::from_micros(1));
        assert_eq!(paced.next_frame().expect("no error"), NextFrame::Now);
    }
}
