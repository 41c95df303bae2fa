//! What each frame of a plan must show.

use crate::game::control::{ControlOutcome, FallingPiece};
use crate::game::{Gravity, Obstacles, Orientation, Placement};
use crate::gamepad::Buttons;

/// Where the falling piece must be at the sample of one frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Promise {
    /// Column of the origin.
    pub x: i8,
    /// Row of the origin.
    pub y: i8,
    /// Orientation.
    pub orientation: Orientation,
    /// What the frame's control did: the piece goes on falling, or it landed.
    pub outcome: ControlOutcome,
}

/// Plays a timeline by the rules. Returns what each frame shows, up to and including the frame
/// in which the drop fails, and the piece with its counters in that frame. After the end of the
/// timeline no button is pressed.
///
/// `held` are the buttons of the frame before the first.
pub(super) fn play_out(
    obstacles: &impl Obstacles,
    mut piece: FallingPiece,
    mut held: Buttons,
    gravity: Gravity,
    timeline: &[Buttons],
) -> (Vec<Promise>, FallingPiece) {
    let mut promises = Vec::with_capacity(timeline.len());
    for frame in 0.. {
        let buttons = timeline.get(frame).copied().unwrap_or(Buttons::NONE);
        let outcome = piece.step(obstacles, buttons, buttons.newly_pressed(held), gravity);
        held = buttons;
        promises.push(Promise { x: piece.x, y: piece.y, orientation: piece.orientation, outcome });
        if outcome == ControlOutcome::Landed {
            break;
        }
    }
    (promises, piece)
}

/// The placement in which a played-out timeline ends.
pub(super) fn landing(promises: &[Promise]) -> Placement {
    let last = promises.last().expect("a piece that is played out lands in some frame");
    Placement { orientation: last.orientation, x: last.x, y: last.y }
}
