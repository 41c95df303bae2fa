//! Who hears of the frames of a run.

use super::error::SinkError;
use super::outcome::Flow;
use super::report::FrameReport;

/// Listens to a run. Listening never changes a button, and a listener neither sleeps nor waits:
/// the pace of a run is its host's.
pub trait FrameSink {
    /// Takes one frame.
    ///
    /// # Errors
    /// When what it writes to is gone; the run ends, and what was written stays.
    fn frame(&mut self, report: &FrameReport<'_>) -> Result<Flow, SinkError>;

    /// Does it want the picture of the frame that comes next? Drawing costs time, so no picture
    /// is drawn that nobody wants.
    fn wants_picture(&self) -> bool {
        false
    }
}

/// Several listeners are one. They hear of a frame in their order; the first that fails is the
/// last that hears of it.
impl FrameSink for [&mut dyn FrameSink] {
    fn frame(&mut self, report: &FrameReport<'_>) -> Result<Flow, SinkError> {
        let mut flow = Flow::Continue;
        for sink in self {
            if sink.frame(report)? == Flow::Stop {
                flow = Flow::Stop;
            }
        }
        Ok(flow)
    }

    /// All of them are asked: a listener may remember what it has answered.
    fn wants_picture(&self) -> bool {
        self.iter().fold(false, |wanted, sink| sink.wants_picture() | wanted)
    }
}
