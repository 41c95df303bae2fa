//! What a placement is worth, and what a game that somebody played could have been.

mod record;

pub use record::{PlayedFrame, PlayedGame, PlayedPiece};
