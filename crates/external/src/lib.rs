//! Somebody else's player: a child process that is asked over JSON lines where each piece goes.
//!
//! The protocol is in `docs/external-players.md`. One [`ExecPlayer`] is one child process, for
//! one game; the process is killed and reaped when the player is dropped.
//!
//! ```no_run
//! use maxout_external::{ExecPlayer, Settings};
//! use maxout_engine::planner::Player;
//!
//! let player = ExecPlayer::start("python3 docs/examples/player.py", Settings::default())?;
//! println!("{} plays", player.name());
//! # Ok::<(), maxout_external::StartError>(())
//! ```

mod answer;
mod player;
mod process;
mod protocol;

pub use player::{ExecPlayer, Settings, StartError};
pub use protocol::PROTOCOL;
