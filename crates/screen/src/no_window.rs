//! The window's types in a build without the feature `window`: connecting always fails.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::camera::Camera;
use super::model::RunHeader;
use super::view::{NextFrame, View};
use crate::speed::Pace;
use maxout_engine::bot::{Flow, FrameReport, FrameSink, SinkError};
use maxout_engine::clock::Clock;

/// Why there is no window.
#[derive(Debug, thiserror::Error)]
#[error("this build has no window: build it with --features window, or try --view terminal, or --view none")]
pub struct WindowError(());

/// A display that can show a window; it has no values in this build.
#[derive(Debug)]
pub enum WindowView {}

/// The listener of a window; it has no values in this build.
#[derive(Debug)]
pub enum WindowSink {}

impl WindowView {
    /// Fails.
    ///
    /// # Errors
    /// Always.
    pub fn connect() -> Result<WindowView, WindowError> {
        Err(WindowError(()))
    }

    /// Cannot be called in this build.
    ///
    /// # Errors
    /// None.
    pub fn show<T: Send>(
        self,
        _header: RunHeader,
        _pace: Pace,
        _clock: Box<dyn Clock>,
        _stop: &Arc<AtomicBool>,
        _play: impl FnOnce(WindowSink) -> T + Send,
    ) -> Result<T, WindowError> {
        match self {}
    }
}

impl WindowSink {
    /// Cannot be called in this build.
    pub fn with_camera(self, _camera: Box<dyn Camera + Send>) -> WindowSink {
        match self {}
    }
}

impl FrameSink for WindowSink {
    fn frame(&mut self, _report: &FrameReport<'_>) -> Result<Flow, SinkError> {
        match *self {}
    }
}

impl View for WindowSink {
    fn next_frame(&mut self) -> Result<NextFrame, SinkError> {
        match *self {}
    }
}
