//! Holds a run to a speed around a listener that does not do so itself.

use std::thread;
use std::time::Instant;

use super::pace::Pacer;
use crate::speed::Speed;
use maxout_engine::bot::{Flow, FrameReport, FrameSink, SinkError};

/// A listener, and the run's speed.
#[derive(Debug)]
pub struct Paced<S> {
    sink: S,
    pacer: Pacer,
}

impl<S: FrameSink> Paced<S> {
    /// Holds the run to `speed` while `sink` listens.
    pub fn new(sink: S, speed: Speed) -> Paced<S> {
        Paced { sink, pacer: Pacer::new(speed, Instant::now()) }
    }
}

impl<S: FrameSink> FrameSink for Paced<S> {
    fn frame(&mut self, report: &FrameReport<'_>) -> Result<Flow, SinkError> {
        let flow = self.sink.frame(report)?;
        let wait = self.pacer.wait(Instant::now());
        if !wait.is_zero() {
            thread::sleep(wait);
        }
        Ok(flow)
    }

    fn wants_picture(&self) -> bool {
        self.sink.wants_picture()
    }
}
