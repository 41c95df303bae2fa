//! The bot: it drives a console through the menus and plays, frame by frame.

mod desync;
mod report;

pub use desync::Desync;
pub use report::{Event, Flow, FrameReport, FrameSink, SinkError, Tally};
