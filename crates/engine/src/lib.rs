//! NES Tetris, and the player of it: the rules, the RAM map, movement search under real gravity,
//! judges of playfields, the planner, and the bot that steps any console frame by frame.
//!
//! The smallest bot that plays:
//!
//! ```
//! use std::sync::atomic::AtomicBool;
//!
//! use maxout_engine::bot::{Goal, Pilot, Run};
//! use maxout_engine::console::Simulated;
//! use maxout_engine::judge;
//! use maxout_engine::planner::{Search, Settings};
//! use maxout_engine::ram::{Decoder, RamMap};
//!
//! let player = Search::new(judge::by_name("el-tetris", None)?, Settings::default());
//! let pilot = Pilot::new(Box::new(player), 19, 1);
//! let decoder = Decoder::new(&RamMap::tetris_ntsc())?;
//! let mut run = Run::new(Simulated::power_on(), decoder, pilot, Goal::Pieces(5));
//! let finished = run.play(&mut [], &AtomicBool::new(false))?;
//! assert_eq!((finished.tally.pieces, finished.tally.desyncs), (5, 0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The crate reads no file and no clock, starts no thread and draws nothing, so that any host can
//! use it: a program, a browser page, somebody else's emulator. A host implements
//! [`Console`](console::Console) or takes [`Simulated`](console::Simulated), and calls
//! [`Run::frame`](bot::Run::frame). The folder `examples/` shows how to play a game, to step one by
//! hand, to analyse a position, and to write an evaluator.
//!
//! # One frame
//!
//! ```text
//! Console::step(buttons)   exactly one NTSC frame
//!   -> ram()               2,048 bytes, $0000-$07FF
//!   -> RamSnapshot         decoded with the RAM map and checked
//!   -> Pilot               menu: the next press; spawn, or a desync: Search -> Plan
//!   -> Injector            the plan's buttons for the next frame, and its promise
//!   => FrameReport         to the host
//! ```
//!
//! # Modules
//!
//! Imports point up this list.
//!
//! - [`gamepad`]: buttons, timelines of them, press styles.
//! - [`game`]: the rules, and where the game keeps what in RAM.
//! - [`ram`]: the RAM map, and a sample of RAM as typed values.
//! - [`console`]: something that runs a game one frame at a time.
//! - [`movegen`]: every placement within reach, with the buttons that lead there.
//! - [`judge`]: what a playfield is worth.
//! - [`planner`]: which placement to take.
//! - [`bot`]: from power-on to the end of a game.
//!
//! Beside them: [`tas`] (what a search for tool-assisted games steps), [`clock`] (time, lent by the host), [`state`] (saved states), [`parallel`] (work on
//! several threads), [`seed`] and [`text`].
//!
//! # Features
//!
//! - `parallel`: [`parallel`] starts threads. Without it, all work is done on the calling thread.
//! - `serde`: settings and results implement `Serialize` and `Deserialize`.

pub mod analysis;
pub mod bot;
pub mod clock;
pub mod console;
pub mod game;
pub mod gamepad;
pub mod judge;
pub mod movegen;
pub mod parallel;
pub mod planner;
pub mod ram;
pub mod seed;
pub mod state;
pub mod tas;
pub mod text;
mod toml_fields;
pub mod toml_line;
