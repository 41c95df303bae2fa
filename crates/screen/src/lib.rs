//! What is shown of a run of the bot: a picture with the bot's plan, text for a terminal, and, as
//! features, the live views.
//!
//! [`ViewModel`] holds what is shown, as plain data. It is brought up to date from the
//! [`FrameReport`](maxout_engine::bot::FrameReport) of each frame, and nothing here changes a
//! button of the run. From the model
//!
//! - [`Compositor`] draws pixels: the console's own picture with the plan and a panel beside it,
//! - [`draw()`] draws text on a [`ratatui`] frame,
//! - [`render_svg`] draws that text as an SVG picture.
//!
//! This base has no thread, no clock and no terminal, so that any host can use it. Features add:
//!
//! - `terminal`: `TerminalView`, the live view in a terminal, drawn by a thread of its own for which
//!   the run never waits; `ProgressLines` for logs and pipes;
//! - `window`: `WindowView`, the live view in a window. Without the feature, `WindowView::connect`
//!   returns an error.
//!
//! No listener sleeps or waits. A `View` says after each frame when the next one may begin, and the
//! host waits. Time comes from the host's [clock](maxout_engine::clock::Clock).
//!
//! ```
//! use maxout_engine::bot::{Goal, Pilot, Run};
//! use maxout_engine::console::Simulated;
//! use maxout_engine::judge::handmade;
//! use maxout_engine::planner::{Search, Settings};
//! use maxout_engine::ram::{Decoder, RamMap};
//! use maxout_screen::{RunHeader, ViewModel, render_svg};
//!
//! let player = Search::new(handmade::by_name("el-tetris", None)?, Settings::default());
//! let pilot = Pilot::new(Box::new(player), 19, 1);
//! let decoder = Decoder::new(&RamMap::tetris_ntsc())?;
//! let mut run = Run::new(Simulated::power_on(), decoder, pilot, Goal::Pieces(3));
//!
//! let mut model = ViewModel::new(RunHeader { start_level: 19, ..RunHeader::default() });
//! loop {
//!     let report = run.frame()?;
//!     model.update(&report);
//!     if report.outcome.is_some() {
//!         break;
//!     }
//! }
//! let svg = render_svg(&model, 80, 30);
//! assert!(svg.starts_with("<svg ") && svg.contains("PIECES"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! To add a panel: a field in [`ViewModel`], its text in `draw/panels`, its pixels in
//! `composite/panel`.

mod camera;
mod composite;
mod draw;
#[cfg(feature = "terminal")]
mod lines;
mod menu_pace;
mod model;
#[cfg(any(feature = "terminal", feature = "window"))]
mod new_file;
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
mod view;
#[cfg(feature = "window")]
mod window;

pub use camera::{Camera, CameraResult, NoCamera};
pub use composite::{Compositor, PictureLayout, with_plan};
pub use draw::{ColourMode, MIN_HEIGHT, MIN_WIDTH, Pictures, draw, draw_with, picture_area};
#[cfg(feature = "terminal")]
pub use lines::ProgressLines;
pub use menu_pace::{MenuPace, ParseMenuPaceError};
pub use model::{
    Cell, Delays, EndCard, Message, PlanCost, RatedPlacement, RunHeader, RunStage, Showing, Status, Tile, Tone,
    ViewModel,
};
#[cfg(any(feature = "terminal", feature = "window"))]
pub use new_file::create_new;
#[cfg(not(feature = "window"))]
pub use no_window::{WindowError, WindowSink, WindowView};
#[cfg(feature = "terminal")]
pub use paced::Paced;
pub use screenshot::{render_svg, svg};
pub use settings::{GraphicsChoice, ParseGraphicsError, ParseViewError, Settings, SpeedChoice, ViewChoice};
pub use speed::{Pace, ParseSpeedError, Speed};
#[cfg(feature = "terminal")]
pub use terminal::{Keys, Screen, TerminalView, ViewOptions, give_back as give_back_terminal};
pub use view::{NextFrame, View};
#[cfg(feature = "window")]
pub use window::{WindowError, WindowSink, WindowView};
