//! The frames that must pass before a movement search can begin.

use super::falling::Falling;
use crate::game::Position;
use crate::game::control::ControlOutcome;
use crate::game::memory::HANGING;
use crate::gamepad::{Buttons, PressStyle};
use crate::movegen::Start;

/// Frames that must pass before the movement search can begin, and where it begins.
pub(super) struct Prefix {
    pub(super) frames: Vec<Buttons>,
    pub(super) start: Start,
}

impl Prefix {
    /// For ways to move that press no button: no frame passes.
    pub(super) fn without_buttons(falling: &Falling) -> Prefix {
        let start = Start { piece: falling.piece, control_frame: falling.control_frame, rest: 0, first_press: 0 };
        Prefix { frames: Vec::new(), start }
    }

    /// After `opening`, whose frames are settled already: the first piece of a game hangs until
    /// Down is pressed, and a button that is still held must be released before it can be
    /// pressed again. Nothing is pressed before the control frame `first_press`. `None` if the piece
    /// lands meanwhile.
    pub(super) fn of(
        position: &Position,
        falling: &Falling,
        opening: &[Buttons],
        style: PressStyle,
        first_press: u32,
    ) -> Option<Prefix> {
        let mut piece = falling.piece;
        let mut held = falling.held;
        let mut frames = Vec::new();
        let mut opening = opening.iter();
        loop {
            let hangs = piece.autorepeat_y >= HANGING;
            let waits = falling.control_frame + (frames.len() as u32) < first_press;
            let buttons = match opening.next() {
                Some(&buttons) => buttons,
                None if hangs && waits => Buttons::NONE,
                None if hangs && !held.contains(Buttons::DOWN) => Buttons::DOWN,
                None if hangs || !held.is_empty() => Buttons::NONE,
                None => break,
            };
            let outcome = piece.step(&position.playfield, buttons, buttons.newly_pressed(held), position.level);
            if outcome == ControlOutcome::Landed {
                return None;
            }
            held = buttons;
            frames.push(buttons);
        }
        let control_frame = falling.control_frame + frames.len() as u32;
        let rest = rest_after(falling.held, &frames, style);
        Some(Prefix { frames, start: Start { piece, control_frame, rest, first_press } })
    }
}

/// For how many more frames the hand rests after its last tap in `frames`, or in the frame
/// `before` them.
fn rest_after(before: Buttons, frames: &[Buttons], style: PressStyle) -> u8 {
    const TAPPED: Buttons =
        Buttons::from_bits(Buttons::LEFT.bits() | Buttons::RIGHT.bits() | Buttons::A.bits() | Buttons::B.bits());
    let PressStyle::Taps(rate) = style else { return 0 };
    let since_tap = std::iter::once(&before).chain(frames).rev().position(|buttons| buttons.intersects(TAPPED));
    since_tap.map_or(0, |frames| usize::from(rate.frames() - 1).saturating_sub(frames) as u8)
}
