//! The frames that must pass before a movement search can begin.

use super::falling::Falling;
use crate::game::control::ControlOutcome;
use crate::game::memory::HANGING;
use crate::game::{Gravity, Position};
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
        let start =
            Start { piece: falling.piece, control_frame: falling.control_frame, rest: 0, taps: 0, first_press: 0 };
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
        gravity: Gravity,
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
            let outcome = piece.step(&position.playfield, buttons, buttons.newly_pressed(held), gravity);
            if outcome == ControlOutcome::Landed {
                return None;
            }
            held = buttons;
            frames.push(buttons);
        }
        let control_frame = falling.control_frame + frames.len() as u32;
        let (rest, taps) = rest_after(falling.held, &frames, style);
        Some(Prefix { frames, start: Start { piece, control_frame, rest, taps, first_press } })
    }
}

/// For how many more frames the hand rests after its last tap in `frames`, or in the frame `before`
/// them, and how many taps `frames` has. Taps of the piece before them are not known: they do not count.
fn rest_after(before: Buttons, frames: &[Buttons], style: PressStyle) -> (u8, u8) {
    const TAPPED: Buttons =
        Buttons::from_bits(Buttons::LEFT.bits() | Buttons::RIGHT.bits() | Buttons::A.bits() | Buttons::B.bits());
    let tapped = || std::iter::once(&before).chain(frames).map(|buttons| buttons.intersects(TAPPED));
    let taps = tapped().zip(tapped().skip(1)).filter(|&(before, now)| now && !before).count();
    let gap = match style {
        PressStyle::Taps(rate) => rate.frames(),
        PressStyle::Gaps(gaps) => gaps.frames(gaps.place_after(taps.saturating_sub(1))),
        PressStyle::EvenFrames | PressStyle::Gamepad | PressStyle::Rhythm(_) => return (0, 0),
    };
    let since_tap = tapped().rev().position(|is_tap| is_tap);
    let rest = since_tap.map_or(0, |frames| usize::from(gap - 1).saturating_sub(frames) as u8);
    (rest, u8::try_from(taps).unwrap_or(u8::MAX))
}
