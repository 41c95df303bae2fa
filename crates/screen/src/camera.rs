//! Films and pictures that a watcher asks for while a run is shown.

use maxout_engine::bot::FrameReport;

/// What the watcher is told: how it went, or why it did not.
pub type CameraResult = Result<String, String>;

/// Takes films and pictures of a run. The view hands it every frame, and what the keys ask for.
pub trait Camera {
    /// Begins a film, or ends the one that is being made.
    fn toggle(&mut self) -> CameraResult;

    /// Is a film being made?
    fn is_rolling(&self) -> bool;

    /// Takes a picture of the frame that comes next; `None` if the view's own screenshot is all
    /// that there is.
    fn still(&mut self) -> Option<CameraResult> {
        None
    }

    /// Does it want the picture of the frame that comes next?
    fn wants_picture(&self) -> bool {
        self.is_rolling()
    }

    /// Takes a frame of the run, whether a film is being made or not.
    fn frame(&mut self, report: &FrameReport<'_>) -> Option<CameraResult>;
}

/// Where there is no camera.
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
