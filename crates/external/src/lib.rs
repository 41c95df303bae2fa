//! External players: a child process that places each piece, with questions and answers as JSON
//! lines.
//!
//! The protocol is described in `docs/external-players.md`, for authors of players in any
//! language. To the engine an [`ExternalPlayer`] is a
//! [`Player`](maxout_engine::planner::Player) like its own search. One `ExternalPlayer` is one
//! child process, for one game; the process is killed and reaped when the player is dropped.
//!
//! This example writes a player in shell script that always takes the first placement it is
//! offered:
//!
//! ```
//! # #[cfg(unix)] {
//! use maxout_engine::game::control::FallingPiece;
//! use maxout_engine::game::{Piece, Playfield, Position};
//! use maxout_engine::gamepad::Buttons;
//! use maxout_engine::planner::{Falling, Player};
//! use maxout_external::{ExternalPlayer, Settings};
//!
//! let script = r#"read hello; echo '{"protocol":1,"name":"first"}'
//!     id=0
//!     while read line; do id=$((id + 1)); echo '{"id":'$id',"placement":0}'; done"#;
//! let mut player = ExternalPlayer::start(script, Settings::default())?;
//! assert_eq!(player.name(), "first");
//!
//! let (piece, next) = (Piece::T, Piece::I);
//! let position = Position { playfield: Playfield::EMPTY, piece, next, level: 19, lines: 0, score: 0 };
//! let piece = FallingPiece::spawned(piece.spawn(), 0);
//! let plan = player.plan(&position, &Falling { piece, held: Buttons::NONE, control_frame: 0 })?;
//! assert!(plan.is_some_and(|plan| plan.placement.orientation.piece() == Piece::T));
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod answer;
mod error;
mod player;
mod process;
mod protocol;
mod settings;

pub use error::StartError;
pub use player::ExternalPlayer;
pub use process::{kill_all, kill_group};
pub use protocol::PROTOCOL;
pub use settings::Settings;
