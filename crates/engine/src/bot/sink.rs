//! Who hears of the frames of a run.

use super::error::SinkError;
use super::outcome::Flow;
use super::report::FrameReport;

/// Listens to a run. A listener never changes a button and neither sleeps nor waits: the host sets
/// the pace of the run.
pub trait FrameSink {
    /// Takes one frame.
    ///
    /// # Errors
    /// When its output cannot be written; the run ends, and what was written stays.
    fn frame(&mut self, report: &FrameReport<'_>) -> Result<Flow, SinkError>;

    /// Does it want the picture of the next frame? Drawing costs time, so a picture is drawn only
    /// if a listener wants it.
    fn wants_picture(&self) -> bool {
        false
    }
}

/// Several listeners act as one. Each frame goes to them in order; when one fails, those after it
/// do not get the frame.
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
