//! A view: a listener that shows a run, and says when the next frame may begin.

use std::time::Duration;

use crate::model::EndCard;
use maxout_engine::bot::{FrameSink, SinkError};
use maxout_engine::console::Picture;

/// When the next frame may begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NextFrame {
    /// At once.
    Now,
    /// Not yet: ask again after this time. The frame before is still shown, or the run is paused.
    After(Duration),
    /// Never: the watcher has quit.
    Never,
}

#[cfg(any(feature = "terminal", feature = "window"))]
impl NextFrame {
    /// The answer at `now` where the next frame is due at `due`.
    pub(super) fn due_at(due: Duration, now: Duration) -> NextFrame {
        match due.saturating_sub(now) {
            Duration::ZERO => NextFrame::Now,
            wait => NextFrame::After(wait),
        }
    }
}

/// Shows a run and holds its pace. It never waits itself: after each frame its host asks
/// [`View::next_frame`] repeatedly, and sleeps as long as the answer says.
pub trait View: FrameSink {
    /// When may the next frame begin? Here the view takes the keys of a paused run.
    ///
    /// # Errors
    /// When the place where the run is shown can no longer be drawn on or read from.
    fn next_frame(&mut self) -> Result<NextFrame, SinkError>;

    /// The run is over: shows its end, with the last picture of the console where it has one. True
    /// where the end stays until the host, which goes on asking, hears [`NextFrame::Never`].
    fn end(&mut self, _card: EndCard, _picture: Option<Picture>) -> bool {
        false
    }

    /// The view is left: ends a film that is still being recorded. The names of the files that keys
    /// have written.
    fn leave(&mut self) -> Vec<String> {
        Vec::new()
    }
}
