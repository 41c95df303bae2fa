//! `maxout` plays NES Tetris on an emulated console, frame by frame, to 999,999 and beyond.
//!
//! The smallest bot that plays:
//!
//! ```no_run
//! use std::sync::atomic::AtomicBool;
//!
//! use maxout::bot::{self, Goal, Pilot};
//! use maxout::console::{Emulator, Rom};
//! use maxout::planner::{Search, Settings};
//! use maxout::ram::{Decoder, RamMap};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mut console = Emulator::new(&Rom::cartridge())?;
//! let decoder = Decoder::new(&RamMap::tetris_ntsc())?;
//! let search = Search::new(maxout::eval::by_name("birken-v2", None)?, Settings::default());
//! let mut pilot = Pilot::new(Box::new(search), 19, 1);
//! let stop = AtomicBool::new(false);
//! let finished = bot::run(&mut console, &decoder, &mut pilot, Goal::Maxout, &mut [], &stop)?;
//! println!("{} points in {} frames", finished.snapshot.score, finished.frames);
//! # Ok(())
//! # }
//! ```
//!
//! # One frame
//!
//! ```text
//! Console::step(buttons)   exactly one NTSC frame
//!   -> ram()               2048 bytes, $0000-$07FF
//!   -> RamSnapshot         decoded and checked
//!   -> Pilot               menu: next press; spawn, or a desync: Search -> Plan
//!   -> Injector            the plan's buttons for the next frame, and its promise
//!   => FrameReport         to every FrameSink: log, views
//! ```
//!
//! # Rooms
//!
//! Imports point up this list only; a test holds them to it.
//!
//! - [`gamepad`]: buttons, timelines of them, press styles.
//! - [`game`]: the rules, with no console underneath.
//! - [`ram`]: where the game keeps what, and a sample of it as typed values.
//! - [`console`]: something that runs a game one frame at a time.
//! - [`movegen`]: every reachable placement, with its timeline.
//! - [`eval`]: who judges placements.
//! - [`value`]: what a playfield is worth, as a net has learned it.
//! - [`planner`]: which placement to take.
//! - [`simulate`]: whole games on the rules, many of them.
//! - [`exec`]: somebody else's player, in a child process.
//! - [`train`]: weights fitted to the points of many games.
//! - [`plot`]: pictures of simulated games and of training.
//! - [`bot`]: from power-on to the end of a game, and what it tells.
//! - [`survey`]: RAM maps proved against a ROM, or found on it.
//! - [`record`]: file formats.
//! - [`replay`]: recorded input on a console: traces compared, movies played.
//! - [`film`]: pictures that move, into files.
//! - [`view`]: what people watch.
//! - [`config`], [`cli`]: settings and the command line.

#![warn(missing_docs)]
#![forbid(unsafe_code)]

pub mod bot;
pub mod cli;
pub mod config;
pub mod console;
pub mod eval;
pub mod exec;
pub mod film;
pub mod game;
pub mod gamepad;
pub mod movegen;
pub mod planner;
pub mod plot;
pub mod ram;
pub mod record;
pub mod replay;
pub mod simulate;
pub mod survey;
mod toml_line;
pub mod train;
pub mod value;
pub mod view;
