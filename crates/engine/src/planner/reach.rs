//! What the falling piece can still reach, with the buttons for each placement. Every player
//! shares this part of planning.

use super::falling::Falling;
use super::prefix::Prefix;
use super::pushdown;
use super::settings::Settings;
use super::sight::Sight;
use crate::game::{Gravity, Placement, Playfield, Position};
use crate::gamepad::{Buttons, InputTimeline, PressStyle};
use crate::movegen::{Moves, Reached, Start};

/// Every placement that a falling piece can reach, and how.
#[derive(Debug, Clone)]
pub struct Reach<'a> {
    position: &'a Position,
    falling: &'a Falling,
    /// `None` where no button moves the piece.
    style: Option<PressStyle>,
    gravity: Gravity,
    /// Number of the first frames that a pushdown leaves as they are: those of the opening, and those
    /// before the first press.
    fixed: usize,
    /// Frames that pass before the movement search begins, the opening included.
    settled: Vec<Buttons>,
    moves: Moves,
}

impl<'a> Reach<'a> {
    /// What can be reached after the frames of `opening`, which are settled already; `None` if
    /// the piece lands before anything can be pressed.
    pub fn of(
        position: &'a Position,
        falling: &'a Falling,
        opening: &[Buttons],
        settings: &Settings,
    ) -> Option<Reach<'a>> {
        Reach::with(position, falling, opening, settings, Settings::moves)
    }

    /// What a hand reaches that waits for the next box and presses no Down meanwhile.
    pub(super) fn waiting(position: &'a Position, falling: &'a Falling, settings: &Settings) -> Option<Reach<'a>> {
        Reach::with(position, falling, &[], settings, Settings::moves_waiting)
    }

    fn with(
        position: &'a Position,
        falling: &'a Falling,
        opening: &[Buttons],
        settings: &Settings,
        moves: impl Fn(&Settings, &Playfield, &Start, u8) -> Moves,
    ) -> Option<Reach<'a>> {
        let style = settings.style();
        let gravity = settings.gravity(position.level);
        let prefix = match style {
            Some(style) => Prefix::of(position, falling, opening, style, settings.first_press, gravity)?,
            None => Prefix::without_buttons(falling),
        };
        let moves = moves(settings, &position.playfield, &prefix.start, position.level);
        let idle = settings.first_press.saturating_sub(falling.control_frame) as usize;
        let fixed = opening.len().max(idle);
        Some(Reach { position, falling, style, gravity, fixed, settled: prefix.frames, moves })
    }

    /// What can be pressed in this number of frames that does not land the piece ([`Moves::openings`]).
    pub(super) fn openings(&self, frames: u32) -> Vec<Vec<Buttons>> {
        match frames.checked_sub(self.settled.len() as u32) {
            None => vec![self.settled[..frames as usize].to_vec()],
            Some(rest) => {
                let openings = self.moves.openings(rest);
                openings.iter().map(|opening| [&*self.settled, opening.frames()].concat()).collect()
            }
        }
    }

    /// The placements, each once, ordered by the frame of their lock; frames are counted from the
    /// end of [`Reach::settled`].
    pub fn reached(&self) -> &[Reached] {
        self.moves.reached()
    }

    /// The frames that are the same for every choice: the opening, the Down for which the first
    /// piece of a game hangs, and the release of a held button.
    pub fn settled(&self) -> &[Buttons] {
        &self.settled
    }

    /// May a button that changes nothing else go down in this frame, counted from now? The frames of the opening are
    /// settled, those before the first press are idle, and the press style has frames of its own.
    pub(super) fn may_press(&self, frame: usize) -> bool {
        let in_style = |style: PressStyle| style.may_press(self.falling.control_frame + frame as u32);
        frame >= self.fixed && self.style.is_some_and(in_style)
    }

    /// The playfield and the pieces.
    pub fn position(&self) -> &'a Position {
        self.position
    }

    /// The piece that is to be placed.
    pub fn falling(&self) -> &'a Falling {
        self.falling
    }

    /// The steps, without gravity, that lead to one of [`Reach::reached`].
    pub(super) fn steps(&self, reached: &Reached) -> Vec<Placement> {
        self.moves.steps(reached)
    }

    /// The buttons that lead to one of [`Reach::reached`]: the settled frames, the way there,
    /// and a pushdown at the end if `admits` accepts its rows. Empty where no button moves the
    /// piece.
    pub fn timeline(&self, reached: &Reached, sight: Sight, admits: impl Fn(u8) -> bool) -> InputTimeline {
        let Some(style) = self.style else { return InputTimeline::default() };
        let mut frames = self.settled.clone();
        frames.extend(self.moves.timeline(reached).frames());
        match sight {
            Sight::WithNext => {
                let (position, falling) = (self.position, self.falling);
                pushdown::finish(
                    position,
                    falling,
                    (style, self.gravity),
                    frames,
                    self.fixed,
                    reached.placement,
                    admits,
                )
            }
            // A hand that waits for the next box does not push down.
            Sight::WithoutNext => InputTimeline::new(frames),
        }
    }
}
