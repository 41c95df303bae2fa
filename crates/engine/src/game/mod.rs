//! The rules of NES Tetris (NTSC) in plain Rust, with no console underneath.
//!
//! Facts come from measurements of the game's RAM; constants cite the address that holds
//! them. Quirks are named, never tidied away.

pub mod control;
mod piece;
mod playfield;
mod position;
pub mod randomizer;
pub mod scoring;
pub mod simulation;
pub mod timing;

pub use control::{Obstacles, SPAWN_X};
pub use piece::{Orientation, Piece};
pub use playfield::{Cleared, Playfield, ROWS, WIDTH};
pub use position::{Placement, Position};

/// The score at which the game's counter stops: six nines in `$73-$75`.
pub const MAXOUT: u32 = 999_999;

/// The level from which a piece falls one row in every frame.
pub const KILLSCREEN: u8 = 29;
