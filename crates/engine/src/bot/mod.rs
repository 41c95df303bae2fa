//! The bot: it drives a console through the menus and plays, frame by frame.

mod cheat;
mod desync;
mod goal;
mod injector;
mod menu;
mod pilot;
mod report;
mod run;

pub use cheat::Write;
pub use desync::Desync;
pub use goal::{Goal, ParseGoalError};
pub use pilot::Pilot;
pub use report::{Event, Flow, FrameReport, FrameSink, SinkError, Tally};
pub use run::{Error, Finished, Outcome, Settings, run};
