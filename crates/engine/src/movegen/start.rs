//! Where a movement search begins.

use crate::game::control::{ControlOutcome, FallingPiece};
use crate::game::{Gravity, Obstacles, Piece, Placement};
use crate::gamepad::Buttons;

/// Where a search begins: a piece that comes under control in the next frame, no button held.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Start {
    /// The falling piece at the end of the last frame. It must not hang (`autorepeat_y` below `$80`).
    pub piece: FallingPiece,
    /// Number of the next control frame, 0 for the frame after the spawn.
    pub control_frame: u32,
    /// Frames that must pass before the first press. Used by
    /// [`PressStyle::Taps`](crate::gamepad::PressStyle::Taps) and
    /// [`PressStyle::Gaps`](crate::gamepad::PressStyle::Gaps) only.
    pub rest: u8,
    /// Taps of this piece so far. Used by [`PressStyle::Gaps`](crate::gamepad::PressStyle::Gaps) only.
    pub taps: u8,
    /// The control frame before which nothing is pressed.
    pub first_press: u32,
}

/// What a piece has done until the first frame in which something may be pressed.
pub(super) enum Waited {
    /// It still falls.
    Falls(Start),
    /// It has locked here; `None` if it locked in blocks.
    Locks(Option<Placement>),
}

impl Start {
    /// A piece at its spawn.
    pub const fn spawn(piece: Piece) -> Start {
        let piece = FallingPiece::spawned(piece.spawn(), 0);
        Start { piece, control_frame: 0, rest: 0, taps: 0, first_press: 0 }
    }

    /// The same with nothing pressed before this control frame.
    #[must_use]
    pub const fn not_before(self, first_press: u32) -> Start {
        Start { first_press, ..self }
    }

    /// Must frames pass before anything may be pressed?
    pub(super) const fn waits(&self) -> bool {
        self.control_frame < self.first_press
    }

    /// Lets the piece fall for as long as nothing may be pressed. Also returns how many frames passed.
    pub(super) fn wait(&self, playfield: &impl Obstacles, gravity: Gravity) -> (u32, Waited) {
        let mut piece = self.piece;
        for frames in 0..self.first_press.saturating_sub(self.control_frame) {
            if piece.step(playfield, Buttons::NONE, Buttons::NONE, gravity) == ControlOutcome::Landed {
                let FallingPiece { orientation, x, y, .. } = piece;
                let fits = playfield.fits(orientation, x, y);
                return (frames + 1, Waited::Locks(fits.then_some(Placement { orientation, x, y })));
            }
        }
        let waited = self.first_press.saturating_sub(self.control_frame);
        let rest = u32::from(self.rest).saturating_sub(waited) as u8;
        let control_frame = self.control_frame + waited;
        (waited, Waited::Falls(Start { piece, control_frame, rest, ..*self }))
    }
}
