//! The plan of one piece, fed to the gamepad frame by frame and checked against RAM.

use super::desync::{self, Desync};
use super::plan_state::{read_plan, write_plan};
use crate::gamepad::Buttons;
use crate::planner::{PieceWrite, Plan};
use crate::ram::RamSnapshot;
use crate::state::{StateError, StateReader, StateWriter};

/// A plan under way.
#[derive(Debug)]
pub(super) struct Injector {
    plan: Plan,
    /// Frames of the timeline that have been played.
    played: usize,
    /// Control frames of the piece before the plan began.
    first_control_frame: u32,
}

impl Injector {
    /// Begins a plan whose first frame is this control frame of the piece.
    pub(super) fn new(plan: Plan, first_control_frame: u32) -> Injector {
        Injector { plan, played: 0, first_control_frame }
    }

    pub(super) fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Buttons for the next frame: the timeline's, then none.
    pub(super) fn next(&self) -> Buttons {
        self.plan.timeline.get(self.played)
    }

    /// What is written into RAM before the next frame; nothing in honest play.
    pub(super) fn next_write(&self) -> Option<PieceWrite> {
        self.plan.cheat.as_ref()?.writes.get(self.played).copied()
    }

    /// Number of the piece's next control frame.
    pub(super) fn control_frame(&self) -> u32 {
        self.first_control_frame + self.played as u32
    }

    /// Has the piece landed, as far as the plan goes?
    pub(super) fn is_done(&self) -> bool {
        self.played >= self.plan.promises.len()
    }

    /// Takes the sample of a frame that was played: does RAM show what was promised, and were
    /// the buttons seen?
    pub(super) fn check(&mut self, frame: u64, pressed: Buttons, snapshot: &RamSnapshot) -> Option<Desync> {
        let promise = *self.plan.promises.get(self.played)?;
        self.played += 1;
        desync::check(frame, pressed, &promise, snapshot)
    }

    pub(super) fn save(&self, writer: &mut StateWriter) {
        write_plan(&self.plan, writer);
        writer.u32(self.played as u32);
        writer.u32(self.first_control_frame);
    }

    pub(super) fn restore(reader: &mut StateReader<'_>) -> Result<Injector, StateError> {
        let plan = read_plan(reader)?;
        let played = reader.u32()?;
        let first_control_frame = reader.count()?;
        // A plan is dropped once all its promises were checked.
        if played as usize >= plan.promises.len() {
            let frames = plan.promises.len();
            return Err(StateError::new("a plan under way", format!("{played} of its {frames} frames played")));
        }
        Ok(Injector { plan, played: played as usize, first_control_frame })
    }
}
