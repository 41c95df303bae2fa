//! Where a movement search begins.

use crate::game::Piece;
use crate::game::control::FallingPiece;

/// Where a search begins: a piece that comes under control in the next frame, no button held.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Start {
    /// The falling piece at the end of the last frame. It must not hang (`autorepeat_y` below `$80`).
    pub piece: FallingPiece,
    /// Number of the next control frame, 0 for the frame after the spawn.
    pub control_frame: u32,
    /// Frames that must pass before the first press. Used by [`PressStyle::Taps`](crate::gamepad::PressStyle::Taps) only.
    pub rest: u8,
}

impl Start {
    /// A piece at its spawn.
    pub const fn spawn(piece: Piece) -> Start {
        Start { piece: FallingPiece::spawned(piece.spawn(), 0), control_frame: 0, rest: 0 }
    }
}
