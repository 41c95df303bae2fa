//! Many whole games on the rules model, without a console: how well does a player play?
//!
//! Every piece is planned at its spawn, every button of the plan is stepped through the
//! [`Simulation`](maxout_engine::game::simulation::Simulation), and the lock is compared with the
//! plan. So the frames, and with them the pieces that the game's generator draws, are those of a
//! console.
//!
//! ```
//! use maxout_engine::planner::{self, Search};
//! use maxout_lab::simulate::{self, play_game};
//!
//! let evaluator = maxout_engine::judge::handmade::by_name("el-tetris", None)?;
//! let mut player = Search::new(evaluator, planner::Settings::default());
//! let settings = simulate::Settings { until: "pieces:20".parse()?, ..simulate::Settings::default() };
//! let played = play_game(&mut player, &settings, 0, &Default::default())?;
//! assert_eq!(played.result.pieces, 20);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod batch;
mod cheat;
mod game;
mod pieces;
mod run_id;
mod settings;
mod shard;
mod statistics;
mod timing;

pub use batch::{Job, run};
pub use game::{By39, Ending, Error, GameResult, Played, Survival, play_game, play_on};
pub use pieces::PieceSource;
pub use run_id::{PlayerId, RunId};
pub use settings::{Batch, Scoring, Settings, Until};
pub use shard::Shard;
pub use statistics::{
    AllDodges, Bin, ByPushdown, Clears, Collector, Distribution, Interval, LockRowTrend, LockRows, Pairs, Share,
    Spread, Statistics, Survivals, TopOuts, Winner,
};
pub use timing::Decisions;
