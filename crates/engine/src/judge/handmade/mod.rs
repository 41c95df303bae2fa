//! Judges where pieces could lock: every published method is one named [`Evaluator`].
//!
//! The planner turns the placements of a search into [`Afterstate`]s, hands the evaluator a
//! chain of as many pieces as it wants, and keeps the chain with the best [`Verdict`].
//!
//! ```
//! use maxout_engine::judge::handmade::{self, Afterstate};
//! use maxout_engine::game::{Piece, Placement, Playfield};
//!
//! let evaluator = handmade::by_name("el-tetris", None)?;
//! let before = Playfield::drawn("
//!     XXXXXX.XXX
//!     XXXXX...XX
//! ");
//! let t = Piece::T.spawn();
//! let fitting = Afterstate::of(&before, Placement { orientation: t.clockwise().clockwise(), x: 6, y: 19 });
//! let stacked = Afterstate::of(&before, Placement { orientation: t, x: 1, y: 16 });
//! assert!(evaluator.judge(&[fitting]).is_better_than(&evaluator.judge(&[stacked])));
//! # Ok::<(), maxout_engine::judge::handmade::Error>(())
//! ```
//!
//! Code that fits weights handles them as a [`WeightSet`], which works for any evaluator.
//!
//! To add an evaluator, edit these places: a file here with its features, its `judge` and its `METHOD`;
//! its weights in `config/weights/`; its line in `METHODS` (`methods.rs`). Most features of the published
//! methods are already in `features`.

mod birken_v1;
mod birken_v2;
mod by_name;
mod chain;
mod dellacherie;
mod dellacherie_ga;
mod el_tetris;
mod evaluator;
mod exhaustive_pair;
mod features;
mod method;
mod methods;
#[cfg(test)]
mod oracle;
mod refusal;
mod weight_set;
mod weights;

pub use by_name::by_name;
pub use evaluator::{Afterstate, Evaluator, Rank, Verdict};
pub use methods::NAMES;
pub use weight_set::{Notes, WeightSet};
pub use weights::Error;
