//! Where the game keeps its state in RAM, and what the values there mean.
//!
//! This is the one place for addresses, their names and their values. The simulation writes with
//! them, [`ram`](crate::ram) decodes with them, and file formats and tests use them too. The names
//! are those of the RAM map in `config/rammap`; a test compares every address with that map.

pub mod address;
mod modes;
pub mod render_flag;
pub mod tile;

pub use modes::{GameMode, GameModeState, GameType, PlayState, RenderMode};

/// Size of the console's work RAM in bytes: `$0000-$07FF`.
pub const RAM_SIZE: usize = 2048;

/// The work RAM at the end of a frame.
pub type Ram = [u8; RAM_SIZE];

/// `vramRow` when all rows have been sent to the screen.
pub const ALL_ROWS_SENT: u8 = 0x20;
/// `rowY` after the last step of the clear animation, which removes two columns a step.
pub const ANIMATION_STEPS: u8 = 5;
/// `curtainRow` when the topout curtain covers all 20 rows.
pub const CURTAIN_DOWN: u8 = 20;
/// `autorepeatY` from this value on: the first piece of a game hangs at the top.
pub const HANGING: u8 = 0x80;
