//! The live view in a window: the console's own picture at a whole scale, with the bot's plan
//! beside it.
//!
//! Windows belong to the program's first thread, so the run has one of its own. The two share a
//! [state](shared): the run leaves its latest moment there and never waits for a drawing.

mod app;
mod keys;
mod shared;
mod sink;
mod surface;
#[cfg(test)]
mod tests;

use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread;

use winit::event_loop::EventLoop;

use super::model::RunHeader;
use crate::speed::Pace;
use app::App;
use maxout_engine::clock::Clock;
use shared::Shared;
pub use sink::WindowSink;

/// Why there is no window.
#[derive(Debug, thiserror::Error)]
#[error("the window needs a display, and there is none to use ({reason}): try --view terminal, or --view none")]
pub struct WindowError {
    reason: String,
}

/// A display that can show a window.
pub struct WindowView {
    event_loop: EventLoop<()>,
}

impl WindowView {
    /// Connects to the display. To be called once, on the program's first thread.
    ///
    /// # Errors
    /// When there is no display, or a system library that it needs is missing.
    pub fn connect() -> Result<WindowView, WindowError> {
        // The event loop panics when a library is missing.
        let hook = panic::take_hook();
        panic::set_hook(Box::new(|_| {}));
        let built = panic::catch_unwind(AssertUnwindSafe(EventLoop::new));
        panic::set_hook(hook);
        let reason = match built {
            Ok(Ok(event_loop)) => return Ok(WindowView { event_loop }),
            Ok(Err(error)) => error.to_string(),
            Err(panic) => panic.downcast_ref::<String>().cloned().unwrap_or("a library is missing".to_owned()),
        };
        Err(WindowError { reason: reason_of(&reason) })
    }

    /// Shows a run: `play` is called on a thread of its own, with the listener that the run must
    /// have. The end of the run stays in view until the window is closed, if [`View::end`](crate::View::end)
    /// was called; `stop` closes it, too.
    ///
    /// # Errors
    /// When the display gives no window; nothing has been played then.
    pub fn show<T: Send>(
        self,
        header: RunHeader,
        pace: Pace,
        clock: Box<dyn Clock>,
        stop: &Arc<AtomicBool>,
        play: impl FnOnce(WindowSink) -> T + Send,
    ) -> Result<T, WindowError> {
        let shared = Arc::new(Shared::new(pace.speed));
        let mut app = App::new(Arc::clone(&shared), Arc::clone(stop));
        let proxy = self.event_loop.create_proxy();
        // A window that is gone needs no waking.
        let wake = Box::new(move || {
            let _ = proxy.send_event(());
        });
        let sink = WindowSink::new(Arc::clone(&shared), wake, header, pace, clock);
        let (played, shown) = thread::scope(|scope| {
            let run = scope.spawn(|| if shared.wait_for_window() { Some(play(sink)) } else { None });
            let shown = self.event_loop.run_app(&mut app);
            shared.wish(|state| state.quits = true);
            (run.join().unwrap_or_else(|panic| panic::resume_unwind(panic)), shown)
        });
        let problem = app.problem.or_else(|| shown.err().map(|error| error.to_string()));
        match (played, problem) {
            (Some(played), problem) => {
                if let Some(problem) = problem {
                    log::warn!("the window went away: {}", reason_of(&problem));
                }
                Ok(played)
            }
            (None, problem) => Err(WindowError { reason: reason_of(&problem.unwrap_or("it was closed".to_owned())) }),
        }
    }
}

/// The message of a system error, on one line, without its place in a source file.
fn reason_of(error: &str) -> String {
    let text = match error.split_once(".rs:") {
        Some((_, rest)) => rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == ':'),
        None => error,
    };
    text.trim_end_matches('.').split_whitespace().collect::<Vec<_>>().join(" ")
}
