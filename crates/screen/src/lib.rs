//! Showing a run to people: a live terminal view, plain progress lines, and screenshots.
//!
//! Everything here listens to a run ([`FrameSink`](maxout_engine::bot::FrameSink)) and changes none of
//! its buttons. [`ViewModel`] is what is shown, as plain data; [`draw()`] puts it on a ratatui
//! frame, [`TerminalView`] on a real terminal, [`render_svg`] into a picture, [`Compositor`] beside the console's own picture. Where there is
//! no terminal, [`ProgressLines`] says now and then how far the run is.
//!
//! The terminal view draws in a thread of its own, beside the run, which never waits for it:
//! what is not drawn in time is not drawn at all.
//!
//! A new panel: a field in `model`, then a drawing of it in `draw/panels`.

mod camera;
mod composite;
mod draw;
#[cfg(feature = "terminal")]
mod lines;
mod model;
#[cfg(not(feature = "window"))]
mod no_window;
pub mod numbers;
#[cfg(any(feature = "terminal", feature = "window"))]
mod pace;
#[cfg(feature = "terminal")]
mod paced;
#[cfg(test)]
mod sample;
mod screenshot;
mod settings;
mod speed;
#[cfg(feature = "terminal")]
mod terminal;
#[cfg(feature = "window")]
mod window;

pub use camera::{Camera, CameraResult, NoCamera};
pub use composite::{Compositor, PictureLayout};
pub use draw::{ColourMode, MIN_HEIGHT, MIN_WIDTH, Pictures, draw, draw_with, picture_area};
#[cfg(feature = "terminal")]
pub use lines::ProgressLines;
pub use model::{
    Cell, Delays, Message, PlanCost, RatedPlacement, RunHeader, RunStage, Showing, Status, Tile, Tone, ViewModel,
};
#[cfg(not(feature = "window"))]
pub use no_window::{WindowError, WindowSink, WindowView};
#[cfg(feature = "terminal")]
pub use paced::Paced;
pub use screenshot::{render_svg, svg};
pub use settings::{GraphicsChoice, ParseGraphicsError, ParseViewError, Settings, SpeedChoice, ViewChoice};
pub use speed::{ParseSpeedError, Speed};
#[cfg(feature = "terminal")]
pub use terminal::{Keys, TerminalView, ViewOptions};
#[cfg(feature = "window")]
pub use window::{WindowError, WindowSink, WindowView};
