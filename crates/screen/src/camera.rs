//! Films that a watcher starts with a key while a run is shown.

use maxout_engine::bot::FrameReport;

/// A message for the watcher: what was written, or why it could not be.
pub type CameraResult = Result<String, String>;

/// Records films of a run. The view passes it every frame and the watcher's keys.
pub trait Camera {
    /// Starts a film, or ends the one that is being recorded.
    fn toggle(&mut self) -> CameraResult;

    /// Whether a film is being recorded.
    fn is_rolling(&self) -> bool;

    /// Whether it needs the console's picture of the next frame.
    fn wants_picture(&self) -> bool {
        self.is_rolling()
    }

    /// The names of the films that are complete.
    fn saved(&self) -> &[String] {
        &[]
    }

    /// Takes every frame of the run, also while no film is recorded.
    fn frame(&mut self, report: &FrameReport<'_>) -> Option<CameraResult>;
}

/// The camera of a run without one: it refuses to record.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoCamera;

impl Camera for NoCamera {
    fn toggle(&mut self) -> CameraResult {
        Err("no recording: this run has no camera".to_owned())
    }

    fn is_rolling(&self) -> bool {
        false
    }

    fn frame(&mut self, _: &FrameReport<'_>) -> Option<CameraResult> {
        None
    }
}
