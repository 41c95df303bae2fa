//! The rules of NES Tetris (NTSC), without a console.
//!
//! Facts come from measurements of the game's RAM. Constants cite the address that holds them.
//! Quirks of the game are kept and named.

pub mod control;
pub mod crash;
mod entry_delay;
mod generator;
pub mod gravity;
pub mod level;
pub mod memory;
mod piece;
mod placement;
mod playfield;
mod position;
pub mod randomizer;
pub mod scoring;
pub mod simulation;
pub mod tables;
pub mod timing;

pub use control::{Obstacles, SPAWN_X};
pub use entry_delay::EntryDelay;
pub use generator::Generator;
pub use gravity::{Gravity, Ruleset};
pub use level::{
    DOUBLE_KILLSCREEN, DOUBLE_KILLSCREEN_LINES, HIGHEST_START_HEIGHT, HIGHEST_START_LEVEL, KILLSCREEN,
    KILLSCREEN_LINES, PLATEAU,
};
pub use piece::{Orientation, Piece};
pub use placement::Placement;
pub use playfield::{Cleared, FULL_ROW, HIDDEN_ROWS, Playfield, ROWS, WIDTH};
pub use position::Position;
pub use scoring::MAXOUT;
