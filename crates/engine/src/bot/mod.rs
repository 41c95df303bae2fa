//! The bot: it drives a console through the menus and plays, frame by frame.
//!
//! A host steps a [`Run`] by hand. It can look at each frame, save the run, and go back to it:
//!
//! ```
//! use maxout_engine::bot::{Goal, Pilot, Run};
//! use maxout_engine::console::Simulated;
//! use maxout_engine::judge::handmade;
//! use maxout_engine::planner::{Search, Settings};
//! use maxout_engine::ram::{Decoder, RamMap};
//!
//! let decoder = Decoder::new(&RamMap::tetris_ntsc())?;
//! let new_run = || {
//!     let player = Search::new(handmade::by_name("el-tetris", None).unwrap(), Settings::default());
//!     Run::new(Simulated::power_on(), decoder.clone(), Pilot::new(Box::new(player), 19, 1), Goal::Pieces(3))
//! };
//!
//! let mut run = new_run();
//! let mut saved = Vec::new();
//! let finished = loop {
//!     if run.frames() == 900 {
//!         saved = run.save()?;
//!     }
//!     let report = run.frame()?;
//!     for event in report.events {
//!         println!("frame {}: {event:?}", report.frame);
//!     }
//!     if let Some(outcome) = report.outcome {
//!         break (outcome, report.frame, report.snapshot.score);
//!     }
//! };
//!
//! // Another run of the same player continues from frame 900 and ends the same way.
//! let mut other = new_run();
//! other.restore(&saved)?;
//! let again = loop {
//!     let report = other.frame()?;
//!     if let Some(outcome) = report.outcome {
//!         break (outcome, report.frame, report.snapshot.score);
//!     }
//! };
//! assert_eq!(finished, again);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`Run::play`] is the loop for a host that only wants the end of a run, with [`FrameSink`]s that
//! listen to it.

mod cheat;
mod desync;
mod dodges;
mod error;
mod event;
mod games;
mod goal;
mod hang;
mod injector;
mod menu;
mod outcome;
mod pilot;
mod plan_state;
mod report;
mod run;
mod scored;
mod settings;
mod sink;
mod stuck;
mod tally;
mod uncapped;
mod watchdog;

pub use cheat::RamWrite;
pub use desync::Desync;
pub use dodges::Dodges;
pub use error::{Error, SaveError, SinkError};
pub use event::Event;
pub use games::{EndedGame, GameEnd};
pub use goal::{Goal, ParseGoalError, Standing};
pub use outcome::{Finished, Flow, Outcome};
pub use pilot::Pilot;
pub use report::FrameReport;
pub use run::{Run, SAVED_RUN};
pub use settings::Settings;
pub use sink::FrameSink;
pub use stuck::{Cause, Stuck};
pub use tally::Tally;
pub use uncapped::{counted_score, uncapped_score};
pub use watchdog::Watchdog;
