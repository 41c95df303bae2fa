//! A run that was logged, as the reports that it gave when it was played.

use crate::played::PlayedStep;
use maxout_engine::bot::{FrameReport, Pilot};
use maxout_engine::console::Picture;
use maxout_engine::planner::Player;

/// Reports a replay. The player that has played the run, if it is known, plans every piece again:
/// as long as it presses the logged buttons, its plans are those of the run.
pub struct Retrace {
    pilot: Pilot,
    parted: Option<u64>,
    frames: u64,
}

impl Retrace {
    /// The player is not known: frames and what happens in them, but no plans.
    pub fn of_anybody() -> Retrace {
        Retrace { pilot: Pilot::onlooker(), parted: Some(0), frames: 0 }
    }

    /// This player has played a game of this start level and seed.
    pub fn of(player: Box<dyn Player>, start_level: u8, seed: u64) -> Retrace {
        Retrace { pilot: Pilot::new(player, start_level, seed), parted: None, frames: 0 }
    }

    /// The frame in which the player first pressed something else, and stopped planning.
    pub fn parted(&self) -> Option<u64> {
        self.parted
    }

    /// Takes the next step, and gives `report` what the run reported of it; a reset reports nothing.
    pub fn take<T>(
        &mut self,
        step: &PlayedStep<'_>,
        picture: Option<&Picture>,
        report: impl FnOnce(&FrameReport<'_>) -> T,
    ) -> Option<T> {
        let &PlayedStep::Frame { buttons, polled, writes, snapshot } = step else {
            self.part();
            return None;
        };
        let frame = self.frames;
        // In a frame in which the game reads no buttons a log may have any.
        let differs = self.pilot.buttons() != buttons && polled;
        if differs && self.parted.is_none() {
            self.part();
        }
        if self.pilot.observe(frame, snapshot.clone()).is_err() {
            self.part();
        }
        self.frames += 1;
        Some(report(&FrameReport {
            frame,
            buttons,
            pokes: writes,
            polled,
            snapshot,
            plan: self.pilot.plan(),
            events: self.pilot.events(),
            tally: self.pilot.tally(),
            thought: None,
            picture,
            failure: None,
            outcome: None,
        }))
    }

    fn part(&mut self) {
        self.parted.get_or_insert(self.frames);
        self.pilot.retire();
    }
}
