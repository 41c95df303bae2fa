//! What the search hands to the pilot: a placement, its timeline, and what will be seen.

use super::cheat::Cheat;
use super::think::Effort;
use crate::game::control::{ControlOutcome, FallingPiece};
use crate::game::{Obstacles, Orientation, Placement, Playfield};
use crate::gamepad::{Buttons, InputTimeline};

/// Where the falling piece must be at the sample of one frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Promise {
    /// Column of the origin.
    pub x: i8,
    /// Row of the origin.
    pub y: i8,
    /// Orientation.
    pub orientation: Orientation,
    /// What the frame's control came to.
    pub outcome: ControlOutcome,
}

/// A placement that was considered, with its value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Alternative {
    /// Where the falling piece would lock.
    pub placement: Placement,
    /// Value of the best continuation; higher is better.
    pub value: f64,
}

/// The plan for one piece.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// Where the falling piece locks.
    pub placement: Placement,
    /// Where the search would put the next piece.
    pub next_placement: Option<Placement>,
    /// Buttons from the first control frame on.
    pub timeline: InputTimeline,
    /// What is written into RAM instead; `None` in honest play.
    pub cheat: Option<Cheat>,
    /// What each of those frames must show, up to the frame in which the drop fails.
    pub promises: Vec<Promise>,
    /// The playfield after the lock and its clears.
    pub playfield: Playfield,
    /// Rows that the lock completes.
    pub clears: u8,
    /// Value of the choice; higher is better. Of the learned player: expected points, as if all
    /// were made at the level of the position; those that come a piece later count
    /// less by the discount of its net's [outlook](crate::judge::learned::Outlook).
    pub value: f64,
    /// The best other placements, best first.
    pub alternatives: Vec<Alternative>,
    /// Placements that the falling piece can reach.
    pub reachable: usize,
    /// What the choice cost.
    pub effort: Effort,
}

/// Plays a timeline by the rules: what each frame shows, up to and including the frame in
/// which the drop fails, and the piece with its counters then. After the timeline's end no button
/// is pressed.
///
/// `held` are the buttons of the frame before the first.
pub(super) fn play_out(
    obstacles: &impl Obstacles,
    mut piece: FallingPiece,
    mut held: Buttons,
    level: u8,
    timeline: &[Buttons],
) -> (Vec<Promise>, FallingPiece) {
    let mut promises = Vec::with_capacity(timeline.len());
    for frame in 0.. {
        let buttons = timeline.get(frame).copied().unwrap_or(Buttons::NONE);
        let outcome = piece.step(obstacles, buttons, buttons.newly_pressed(held), level);
        held = buttons;
        promises.push(Promise { x: piece.x, y: piece.y, orientation: piece.orientation, outcome });
        if outcome == ControlOutcome::Landed {
            break;
        }
    }
    (promises, piece)
}

/// The placement that a played-out timeline ends in.
pub(super) fn landing(promises: &[Promise]) -> Placement {
    let last = promises.last().expect("a piece that is played out lands in some frame");
    Placement { orientation: last.orientation, x: last.x, y: last.y }
}
