//! A game as one HTML page without any other file: placements to step through, plots, every
//! frame of input, and where it all comes from.
//!
//! The page is made of the [values of frames](super::frame_log::FrameValues), which come from the
//! game while it runs or from its log. Plans and desyncs are known only while the game runs. The
//! page is written as the frames come, and its lines only ever follow each other: a browser shows a
//! page that ends after any of them, and leaves out half a line. So a run that is killed, or whose disk
//! is full, leaves a page.
//!
//! [`graded_page`] makes the page of games that were played and graded, at once.

mod builder;
mod error;
#[cfg(test)]
mod faults;
mod graded;
mod line;
mod page;
mod runs;
mod writer;

pub use error::ReportError;
pub use graded::{GradedGame, graded_page};
pub use page::{GRADED_TITLE, STYLE};
pub use writer::{ReportWriter, first_row, report_log};
