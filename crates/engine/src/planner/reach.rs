//! What the falling piece can still reach, and the plan that a choice among it comes to: the
//! part of planning that every player shares.

use std::iter;

use super::plan::{Plan, landing, play_out};
use super::pushdown;
use super::search::{Falling, Prefix};
use super::settings::Settings;
use super::think::Effort;
use crate::game::{Placement, Position};
use crate::gamepad::{Buttons, InputTimeline, PressStyle};
use crate::judge::handmade::Afterstate;
use crate::movegen::{Moves, Reached};

/// Is the next box in use?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sight {
    /// It is.
    WithNext,
    /// The reaction time has not passed yet.
    WithoutNext,
}

/// Every placement that a falling piece can reach, with the way there.
#[derive(Debug, Clone)]
pub struct Reach<'a> {
    position: &'a Position,
    falling: &'a Falling,
    /// `None` where no button moves the piece.
    style: Option<PressStyle>,
    /// Frames of the opening.
    opening: usize,
    /// Frames that pass before the movement search begins, the opening among them.
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
        let style = settings.style();
        let prefix = match style {
            Some(style) => Prefix::of(position, falling, opening, style)?,
            None => Prefix::without_buttons(falling),
        };
        let moves = settings.moves(&position.playfield, &prefix.start, position.level);
        Some(Reach { position, falling, style, opening: opening.len(), settled: prefix.frames, moves })
    }

    /// The placements, soonest lock first, each once; their frames are counted from
    /// [`Reach::settled`]'s end.
    pub fn reached(&self) -> &[Reached] {
        self.moves.reached()
    }

    /// The frames that are settled whatever the choice: the opening, the Down that the first
    /// piece of a game hangs for, and the release of a held button.
    pub fn settled(&self) -> &[Buttons] {
        &self.settled
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

    /// The buttons that lead to one of [`Reach::reached`], the settled frames included, and a
    /// pushdown at the end if `admits` its rows. No buttons where none moves the piece.
    pub fn timeline(&self, reached: &Reached, sight: Sight, admits: impl Fn(u8) -> bool) -> InputTimeline {
        let Some(style) = self.style else { return InputTimeline::default() };
        let mut frames = self.settled.clone();
        frames.extend(self.moves.timeline(reached).frames());
        match sight {
            Sight::WithNext => {
                let (position, falling) = (self.position, self.falling);
                pushdown::finish(position, falling, style, frames, self.opening, reached.placement, admits)
            }
            // A hand that waits for the next box does not push down.
            Sight::WithoutNext => InputTimeline::new(frames),
        }
    }
}

impl Plan {
    /// The plan that presses these buttons until the piece lands, wherever that is. It has no
    /// value, no next placement and no alternatives.
    pub fn of_timeline(position: &Position, falling: &Falling, timeline: InputTimeline, reachable: usize) -> Plan {
        let (promises, _) =
            play_out(&position.playfield, falling.piece, falling.held, position.level, timeline.frames());
        let afterstate = Afterstate::of(&position.playfield, landing(&promises));
        // What would be pressed after the lock is nobody's.
        let frames = timeline.len().min(promises.len());
        let timeline = InputTimeline::new(timeline.frames()[..frames].to_vec());
        Plan {
            placement: afterstate.placement,
            next_placement: None,
            timeline,
            cheat: None,
            promises,
            playfield: afterstate.playfield,
            clears: afterstate.cleared.count,
            value: 0.0,
            alternatives: Vec::new(),
            reachable,
            effort: Effort::default(),
        }
    }
}

impl Falling {
    /// Where the piece is after these frames, none of which may land it.
    pub fn after(&self, position: &Position, frames: &[Buttons]) -> Falling {
        let mut piece = self.piece;
        let held_before = iter::once(&self.held).chain(frames);
        for (&buttons, &before) in frames.iter().zip(held_before) {
            piece.step(&position.playfield, buttons, buttons.newly_pressed(before), position.level);
        }
        Falling {
            piece,
            held: frames.last().copied().unwrap_or(self.held),
            control_frame: self.control_frame + frames.len() as u32,
        }
    }
}

/// Plans as one does who needs time to react: `plan` is asked without the next box first, and,
/// if the piece has not landed when the reaction time is over, once more with the next box,
/// after the opening that was pressed meanwhile.
///
/// # Errors
/// Those of `plan`.
pub fn react<E>(
    settings: &Settings,
    falling: &Falling,
    mut plan: impl FnMut(&[Buttons], Sight) -> Result<Option<Plan>, E>,
) -> Result<Option<Plan>, E> {
    let blind_frames = settings.reaction_frames.saturating_sub(falling.control_frame) as usize;
    if blind_frames == 0 {
        return plan(&[], Sight::WithNext);
    }
    let Some(blind) = plan(&[], Sight::WithoutNext)? else { return Ok(None) };
    if blind.promises.len() <= blind_frames {
        return Ok(Some(blind));
    }
    // What was pressed before the next box came into use stays; the rest is planned anew.
    let opening: Vec<Buttons> = (0..blind_frames).map(|frame| blind.timeline.get(frame)).collect();
    Ok(plan(&opening, Sight::WithNext)?.or(Some(blind)))
}
