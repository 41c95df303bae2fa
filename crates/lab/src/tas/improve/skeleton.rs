//! A recorded game taken apart: where each piece was placed, and when.

use maxout_engine::game::memory::address::{CURRENT_PIECE, PLAY_STATE, TETRIMINO_X, TETRIMINO_Y};
use maxout_engine::game::memory::{GameType, PlayState};
use maxout_engine::game::simulation::Simulation;
use maxout_engine::game::{Orientation, Placement};
use maxout_engine::gamepad::Buttons;
use maxout_engine::tas::{Opening, Page, Pause, Spawned};

use super::error::ImproveError;
use crate::tas::goal::Goal;
use crate::tas::path::length;
use crate::tas::plan::Plan;

/// One piece of a recorded game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tas) struct Step {
    pub spawned: Spawned,
    pub placement: Placement,
    /// Frames from the spawn to the lock.
    pub frames: u32,
    /// The playfield after its lock, and the rows that it cleared.
    pub page: Page,
    pub rows: u8,
}

/// The playfields after the clears among these pieces.
pub(super) fn playfields(steps: &[Step]) -> Vec<Page> {
    steps.iter().filter(|step| step.rows > 0).map(|step| step.page).collect()
}

/// A recorded game up to its goal, piece by piece.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::tas) struct Skeleton {
    pub opening: Opening,
    /// All pieces up to the one whose lock reaches the goal.
    pub steps: Vec<Step>,
    /// The frame whose sample has the goal.
    pub frame: u32,
    /// Frames up to the last one with a button pressed, up to the goal.
    pub length: u32,
}

/// Frames without a button that are played after a movie's end, until its goal: a piece may still fall, and
/// rows may still be cleared.
const AFTER_THE_END: usize = 600;

impl Skeleton {
    /// Plays the buttons, one entry for each frame from power-on, on the rules model.
    pub(in crate::tas) fn of(buttons: &[Buttons], goal: Goal) -> Result<Skeleton, ImproveError> {
        let mut game = Simulation::power_on();
        let mut opening: Option<Opening> = None;
        let mut steps: Vec<Step> = Vec::new();
        let mut falling: Option<Spawned> = None;
        let mut was_control = false;
        let last = buttons.len() + AFTER_THE_END;
        for (frame, pressed) in (0..last).map(|frame| (frame, buttons.get(frame).copied().unwrap_or_default())) {
            game.step(pressed);
            let ram = game.ram();
            let state = PlayState::from_byte(ram[PLAY_STATE]).filter(|_| game.in_game());
            let is_control = state == Some(PlayState::Control);
            if was_control
                && state == Some(PlayState::Lock)
                && let (Some(spawned), Some(orientation)) = (falling.take(), Orientation::from_id(ram[CURRENT_PIECE]))
            {
                let placement = Placement { orientation, x: ram[TETRIMINO_X] as i8, y: ram[TETRIMINO_Y] as i8 };
                let frames = frame as u32 - spawned.frame;
                let locked = spawned.lock(placement, frames, 0);
                steps.push(Step { spawned, placement, frames, page: *locked.page(), rows: locked.rows });
            }
            if is_control && !was_control {
                if !steps.is_empty() {
                    falling = Spawned::of(&game, frame as u32);
                } else if opening.is_none()
                    && let Some(Spawned { game_type, .. }) = Spawned::of(&game, frame as u32)
                {
                    if game_type != goal.game_type() {
                        return Err(ImproveError::GameType { goal, found: game_type });
                    }
                    // A game of A-type runs in the frame before its first control frame, too.
                    opening = opening_of(buttons, frame + usize::from(game_type == GameType::A));
                    falling = opening.as_ref().map(|opening| opening.first);
                }
            }
            was_control = is_control;
            if game.in_game() && goal.is_reached(game.score(), game.progress()) {
                let opening = opening.filter(|_| !steps.is_empty()).ok_or(ImproveError::NoGame)?;
                let length = length(&buttons[..buttons.len().min(frame + 1)]);
                return Ok(Skeleton { opening, steps, frame: frame as u32, length });
            }
        }
        Err(if steps.is_empty() {
            ImproveError::NoGame
        } else {
            ImproveError::Goal { goal, score: game.score().value(), lines: game.progress().lines() }
        })
    }
}

impl Skeleton {
    /// The lines before the first clear and after each clear, and the points of all clears up to it.
    pub(in crate::tas) fn points_of_clears(&self) -> Vec<(u16, u32)> {
        let (mut score, mut progress) = (self.opening.first.score, self.opening.first.progress);
        let mut all = vec![(progress.lines(), score.value())];
        for step in self.steps.iter().filter(|step| step.rows > 0) {
            progress.count(step.spawned.game_type, step.rows);
            score.add_line_points(step.rows, progress.level);
            all.push((progress.lines(), score.value()));
        }
        all
    }

    /// A game of which only the placements are known. Its frames mean nothing.
    pub(in crate::tas) fn of_plan(plan: &Plan) -> Skeleton {
        let opening = plan.opening.clone();
        let mut now = opening.first;
        let mut steps = Vec::with_capacity(plan.placements.len());
        for &placement in &plan.placements {
            now.piece = placement.orientation.piece();
            let locked = now.lock(placement, 0, 0);
            steps.push(Step { spawned: now, placement, frames: 0, page: *locked.page(), rows: locked.rows });
            now = locked.spawn(Pause::default());
        }
        Skeleton { opening, steps, frame: u32::MAX, length: u32::MAX }
    }
}

/// The first frames of a movie as the menus of its game: they end right before the first control frame. `None` if they do not.
fn opening_of(buttons: &[Buttons], frames: usize) -> Option<Opening> {
    let mut before = buttons.to_vec();
    before.resize(frames, Buttons::NONE);
    // A button that was still down would not be new for the first piece. The menus are over: it is let go of.
    let mut free = before.clone();
    *free.last_mut()? = Buttons::NONE;
    let (free, before) = (Opening::of(free), Opening::of(before)?);
    Some(free.filter(|free| free.first == before.first).unwrap_or(before))
}
