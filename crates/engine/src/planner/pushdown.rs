//! Finishing a placement with a held Down, for the points of the pushdown.

use super::falling::Falling;
use super::promise::{landing, play_out};
use crate::game::{Gravity, Placement, Position};
use crate::gamepad::{Buttons, InputTimeline, PressStyle};

/// Holds Down from the earliest frame after the last press from which the piece still locks in
/// `goal`, if `admits` accepts the rows of that pushdown. The timeline stays as it is where there
/// is no such frame. The first `fixed` frames do not change.
pub(super) fn finish(
    position: &Position,
    falling: &Falling,
    (style, gravity): (PressStyle, Gravity),
    frames: Vec<Buttons>,
    fixed: usize,
    goal: Placement,
    admits: impl Fn(u8) -> bool,
) -> InputTimeline {
    let playfield = &position.playfield;
    let pressed = frames.iter().rposition(|buttons| !buttons.is_empty()).map_or(0, |last| last + 1);
    if pressed > 0 && frames[pressed - 1].contains(Buttons::DOWN) && style == PressStyle::Gamepad {
        return InputTimeline::new(frames);
    }
    let may_press = |from: usize| match (style, pressed) {
        // Down keeps the beat of taps at 30 Hz: at two frames a row those are the even frames.
        (PressStyle::Taps(_) | PressStyle::Rhythm(_) | PressStyle::Gaps(_), 1..) => !(from - pressed).is_multiple_of(2),
        (PressStyle::Taps(_) | PressStyle::Rhythm(_) | PressStyle::Gaps(_), 0) => {
            (falling.control_frame as usize + from).is_multiple_of(2)
        }
        _ => style.may_press(falling.control_frame + from as u32),
    };
    for from in pressed.max(fixed)..frames.len() {
        let before = from.checked_sub(1).map_or(falling.held, |index| frames[index]);
        if !may_press(from) || before.contains(Buttons::DOWN) {
            continue;
        }
        let mut pushed = frames[..from].to_vec();
        // A piece that is pushed down falls at least as fast as by gravity, at any level.
        pushed.resize(frames.len().max(from + 3), Buttons::DOWN);
        let (promises, landed) = play_out(playfield, falling.piece, falling.held, gravity, &pushed);
        if promises.len() <= pushed.len() && landing(&promises) == goal && admits(landed.pushdown) {
            pushed.truncate(promises.len());
            return InputTimeline::new(pushed);
        }
    }
    InputTimeline::new(frames)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::control::FallingPiece;
    use crate::game::{Piece, Playfield};
    use crate::movegen::{Start, generate};

    fn finished(playfield: &Playfield, piece: Piece, goal: Placement, level: u8) -> InputTimeline {
        let moves = generate(playfield, &Start::spawn(piece), level, PressStyle::EvenFrames);
        let reached = moves.reached().iter().find(|reached| reached.placement == goal).expect("within reach");
        let falling = Falling { piece: FallingPiece::spawned(piece.spawn(), 0), held: Buttons::NONE, control_frame: 0 };
        let frames = moves.timeline(reached).frames().to_vec();
        let position = Position { playfield: *playfield, piece, next: piece, level, lines: 0, score: 0 };
        finish(&position, &falling, (PressStyle::EvenFrames, level.into()), frames, 0, goal, |_| true)
    }

    #[test]
    fn a_piece_that_falls_straight_is_pushed_down_at_once_after_its_last_tap() {
        let goal = Placement { orientation: Piece::O.spawn(), x: 7, y: 18 };
        let timeline = finished(&Playfield::EMPTY, Piece::O, goal, 19);
        let right = Buttons::RIGHT;
        assert_eq!(timeline.frames()[..6], [right, Buttons::NONE, right, Buttons::NONE, Buttons::DOWN, Buttons::DOWN]);
        assert!(timeline.frames()[4..].iter().all(|&buttons| buttons == Buttons::DOWN));
    }

    #[test]
    fn pushing_down_is_quicker_at_low_levels() {
        let goal = Placement { orientation: Piece::O.spawn(), x: 5, y: 18 };
        let timeline = finished(&Playfield::EMPTY, Piece::O, goal, 0);
        assert!(timeline.len() < 45, "{} frames", timeline.len());
    }

    #[test]
    fn a_tuck_keeps_its_last_tap() {
        let playfield = Playfield::drawn(
            "
            ####......
            ..........
            ..........
            ",
        );
        let goal = Placement { orientation: Piece::O.spawn(), x: 4, y: 18 };
        let timeline = finished(&playfield, Piece::O, goal, 19);
        let piece = FallingPiece::spawned(Piece::O.spawn(), 0);
        let (promises, _) = play_out(&playfield, piece, Buttons::NONE, 19.into(), timeline.frames());
        assert_eq!(landing(&promises), goal);
        assert_eq!(promises.len(), timeline.len());
    }
}
