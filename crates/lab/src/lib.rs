//! Experiments with many games.
//!
//! - [`simulate`] plays whole games on the rules model, on several threads, and compares players;
//!   [`games`] keeps one row of a CSV file for each game.
//! - [`published`] has the results of another player in 42 formats, to measure a player against.
//! - [`train`] fits the weights of an evaluator to the points of many games, or trains a net that
//!   values playfields.
//! - [`tas`] searches for the fastest tool-assisted game.
//! - [`survey`] proves a RAM map against a ROM, or finds one; [`random_presses()`] are the input of
//!   traces that follow no movie.
//! - `plot` (a feature, on by default) draws the results as SVG or PNG.
//!
//! Nothing in here needs an emulator: a survey is given its console, everything else runs on the
//! rules model of `maxout-engine`. Every result depends on its settings and its seed alone, not on
//! the number of threads or the machine.
//!
//! Two games of 20 pieces by a hand-made evaluator:
//!
//! ```
//! use std::sync::atomic::AtomicBool;
//!
//! use maxout_engine::judge::handmade;
//! use maxout_engine::planner::{self, Player, Search};
//! use maxout_lab::simulate::{self, Collector, Job};
//!
//! let settings = simulate::Settings { until: "pieces:20".parse()?, ..Default::default() };
//! let job = Job { settings, first: 0, games: 2, step: 1, threads: 2 };
//! let player = || {
//!     let evaluator = handmade::by_name("el-tetris", None).expect("a built-in evaluator");
//!     Ok(Box::new(Search::new(evaluator, planner::Settings::default())) as Box<dyn Player>)
//! };
//! let mut collector = Collector::new(&settings);
//! simulate::run(&job, &player, &AtomicBool::new(false), &mut |played| collector.add(&played.result))?;
//!
//! let statistics = collector.statistics();
//! assert_eq!((statistics.games, statistics.pieces), (2, Some(20.0)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod difference;
pub mod games;
#[cfg(feature = "plot")]
pub mod plot;
pub mod published;
mod random_presses;
pub mod simulate;
pub mod survey;
pub mod tas;
pub mod train;

pub use difference::Difference;
pub use random_presses::random_presses;
