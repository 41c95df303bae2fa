//! Games of recordings: what somebody played, piece by piece.
//!
//! A log tells where its pieces were, and the playfield is rebuilt by the rules. A movie is played on
//! a console. An NGF file shows pictures of frames, in which the pieces have to be found.
//!
//! Only A-type games are returned; [`RecordedGames`] counts what was left out. A game of which no piece
//! has locked is none.

mod collector;
mod ngf;
mod open;
mod recorded;

pub use collector::{Controlled, GameCollector};
pub use ngf::{NgfCollector, read_ngf};
pub use open::{open_games, play_games, read_games};
pub use recorded::RecordedGames;
