//! What the buttons of a piece aimed at, if it is not where the piece locked.

use crate::analysis::record::PlayedPiece;
use crate::game::{Orientation, Placement};
use crate::gamepad::Buttons;

/// A direction that is held this long before the lock was held to go on: the six frames of one
/// auto-repeat.
const HELD_FRAMES: usize = 6;

/// Where a piece was still to go when it locked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Aim {
    orientation: Orientation,
    x: i8,
    /// Column steps of a held direction: -1, 0 or 1. The piece was to go at least that far.
    held: i8,
}

impl Aim {
    /// Is the placement one that was aimed at?
    pub fn is_at(&self, placement: Placement) -> bool {
        let is_beside = match self.held {
            0 => placement.x == self.x,
            side => (placement.x - self.x) * side >= 0,
        };
        placement.orientation == self.orientation && is_beside
    }
}

/// What the last presses aimed at, by this rule: the last taps of Left or Right that moved nothing
/// were to move the piece a column each, the last taps of A or B that turned nothing were to turn it,
/// and a direction that is held in the last six frames was to move it on. `None` where the buttons are
/// not known, or where every press did what it does.
///
/// What is pressed after the lock is not seen.
pub fn aim_of(piece: &PlayedPiece) -> Option<Aim> {
    let mut before = piece.falling.held;
    let (mut x, mut orientation) = (piece.falling.piece.x, piece.falling.piece.orientation);
    let (mut columns, mut turns) = (0, 0);
    let (mut held, mut held_frames) = (0, 0);
    for frame in &piece.frames {
        let buttons = frame.buttons?;
        let pressed = buttons.newly_pressed(before);
        let side =
            |buttons: Buttons| i8::from(buttons.contains(Buttons::RIGHT)) - i8::from(buttons.contains(Buttons::LEFT));
        let turn = i8::from(pressed.contains(Buttons::A)) - i8::from(pressed.contains(Buttons::B));
        if frame.x != x {
            columns = 0;
        } else {
            columns += side(pressed);
        }
        if frame.orientation != orientation {
            turns = 0;
        } else {
            turns += turn;
        }
        held_frames = if side(buttons) == held { held_frames + 1 } else { 1 };
        held = side(buttons);
        (x, orientation, before) = (frame.x, frame.orientation, buttons);
    }
    let held = if held_frames >= HELD_FRAMES { held } else { 0 };
    if (columns, turns, held) == (0, 0, 0) {
        return None;
    }
    let turned = (0..turns.abs()).fold(orientation, |orientation, _| match turns {
        ..=0 => orientation.counter_clockwise(),
        1.. => orientation.clockwise(),
    });
    // A held direction counts once, also when its press is among the taps.
    let columns = if held != 0 { held } else { columns };
    Some(Aim { orientation: turned, x: x + columns, held })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::record::PlayedFrame;
    use crate::game::control::{ControlOutcome, FallingPiece};
    use crate::game::{Piece, Playfield, Position};
    use crate::planner::Falling;

    /// A T at level 18 that falls beside a wall of nine rows in columns 0 to 2.
    fn played(buttons: &[&str]) -> PlayedPiece {
        let playfield = Playfield::drawn(&"###.......\n".repeat(15));
        let position = Position { playfield, piece: Piece::T, next: Piece::O, level: 18, lines: 0, score: 0 };
        let piece = FallingPiece::spawned(Piece::T.spawn(), 0);
        let falling = Falling { piece, held: Buttons::NONE, control_frame: 0 };
        let (mut at, mut before, mut frames) = (piece, Buttons::NONE, Vec::new());
        for frame in 0.. {
            let down = Buttons::from_keys(buttons.get(frame).unwrap_or(&"........")).unwrap();
            let outcome = at.step(&playfield, down, down.newly_pressed(before), 18);
            before = down;
            frames.push(PlayedFrame { orientation: at.orientation, x: at.x, y: at.y, buttons: Some(down) });
            if outcome == ControlOutcome::Landed {
                break;
            }
        }
        let placement = Placement { orientation: at.orientation, x: at.x, y: at.y };
        PlayedPiece { position, falling, spawn_frame: 0, frames, placement }
    }

    const NONE: &str = "........";
    const LEFT: &str = ".L......";

    fn late(presses: &[&'static str]) -> Vec<&'static str> {
        // After 21 frames the piece is seven rows down, beside the wall.
        [vec![NONE; 21], presses.to_vec()].concat()
    }

    #[test]
    fn taps_that_move_nothing_aim_at_where_they_would_lead() {
        // Column 4 is the last one beside the wall; two more taps meet it.
        let piece = played(&late(&[LEFT, NONE, LEFT, NONE, LEFT]));
        assert_eq!(piece.placement.x, 4);
        let aim = aim_of(&piece).unwrap();
        let at = |x| Placement { x, ..piece.placement };
        assert!(aim.is_at(at(2)) && !aim.is_at(at(3)) && !aim.is_at(at(1)));
    }

    #[test]
    fn presses_that_work_aim_at_nothing_else() {
        assert_eq!(aim_of(&played(&[LEFT, NONE, LEFT, NONE, ".......A"])), None);
        // A tap against the wall, and then one away from it.
        assert_eq!(aim_of(&played(&late(&[LEFT, NONE, LEFT, NONE, "R......."]))), None);
    }

    #[test]
    fn a_direction_that_is_held_to_the_lock_aims_further() {
        let piece = played(&late(&[LEFT; 60]));
        let aim = aim_of(&piece).unwrap();
        let at = |x| Placement { x, ..piece.placement };
        assert!(aim.is_at(at(3)) && aim.is_at(at(0)) && !aim.is_at(piece.placement));
    }

    #[test]
    fn without_buttons_there_is_no_aim() {
        let mut piece = played(&late(&[LEFT, NONE, LEFT, NONE, LEFT]));
        piece.frames[3].buttons = None;
        assert_eq!(aim_of(&piece), None);
    }
}
