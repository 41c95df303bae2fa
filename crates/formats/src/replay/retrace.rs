//! A run that was logged, as the reports that it gave when it was played.

use crate::played::PlayedStep;
use maxout_engine::bot::{FrameReport, Goal, Pilot};
use maxout_engine::console::{Picture, Reset};
use maxout_engine::planner::Player;

/// Reports a replay. The player that has played the run, if it is known, plans every piece again:
/// as long as it presses the logged buttons, its plans are those of the run.
pub struct Retrace {
    pilot: Pilot,
    parted: Option<u64>,
    frames: u64,
    /// The reset before the next frame.
    reset: Option<Reset>,
    /// Did the run play another game after a crash?
    plays_on: bool,
}

impl Retrace {
    /// The player is not known: frames and what happens in them, but no plans.
    pub fn of_anybody() -> Retrace {
        Retrace::with(Pilot::onlooker(), Some(0))
    }

    /// This player has played a game of this start level and seed.
    pub fn of(player: Box<dyn Player>, start_level: u8, seed: u64) -> Retrace {
        Retrace::with(Pilot::new(player, start_level, seed), None)
    }

    fn with(pilot: Pilot, parted: Option<u64>) -> Retrace {
        Retrace { pilot, parted, frames: 0, reset: None, plays_on: false }
    }

    /// Says what the run played for: in a run of several games the player goes on after each.
    pub fn until(mut self, goal: Goal) -> Retrace {
        self.plays_on = goal.plays_on();
        self.pilot.play_on(self.plays_on);
        self
    }

    /// Says whether RAM is that of the original, so that the player can dodge crashes as it did.
    pub fn seeing_scenes(mut self, sees: bool) -> Retrace {
        self.pilot.see_scenes(sees);
        self
    }

    /// The frame in which the player first pressed something else, and stopped planning.
    pub fn parted(&self) -> Option<u64> {
        self.parted
    }

    /// Takes the next step, and gives `report` what the run reported of it; a reset is reported with the frame after
    /// it.
    pub fn take<T>(
        &mut self,
        step: &PlayedStep<'_>,
        picture: Option<&Picture>,
        report: impl FnOnce(&FrameReport<'_>) -> T,
    ) -> Option<T> {
        let &PlayedStep::Frame { buttons, polled, writes, snapshot } = step else {
            self.reset = Some(if matches!(step, PlayedStep::PowerCycle) { Reset::Power } else { Reset::Button });
            if self.plays_on && self.reset == Some(Reset::Button) {
                self.pilot.restart();
            } else {
                self.part();
            }
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
            reset: self.reset.take(),
            buttons,
            pokes: writes,
            polled,
            snapshot,
            plan: self.pilot.plan(),
            events: self.pilot.events(),
            tally: self.pilot.tally(),
            games: &[],
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

#[cfg(test)]
mod tests {
    use super::*;
    use maxout_engine::bot::Run;
    use maxout_engine::console::Simulated;
    use maxout_engine::game::crash::Crashes;
    use maxout_engine::game::memory::address::{LEVEL_NUMBER, LINES};
    use maxout_engine::game::randomizer::Randomizer;
    use maxout_engine::game::simulation::Simulation;
    use maxout_engine::judge::handmade;
    use maxout_engine::planner::{Search, Settings};
    use maxout_engine::ram::{Decoder, RamMap};

    /// Retraces a game at level 168; the frame in which the player pressed something else, and the dodges.
    fn retraced(crashes: Crashes, sees_scenes: bool) -> (Option<u64>, u32) {
        let player = |crashes| {
            let evaluator = handmade::by_name("el-tetris", None).expect("an evaluator");
            Box::new(Search::new(evaluator, Settings { crashes, ..Settings::default() }))
        };
        let mut game = Simulation::new_game(18, Randomizer::SEED);
        game.set_crashes(Crashes::On);
        // 1,624 lines.
        for (address, byte) in [(LEVEL_NUMBER, 168), (LINES, 0x24), (LINES + 1, 16)] {
            game.poke(address as u16, byte);
        }
        let decoder = Decoder::new(&RamMap::tetris_ntsc()).expect("the built-in map");
        let pilot = Pilot::new(player(Crashes::On), 18, 1);
        let mut run = Run::new(Simulated::from(game), decoder, pilot, Goal::Topout);
        let mut retrace = Retrace::of(player(crashes), 18, 1).seeing_scenes(sees_scenes);
        let mut selects = 0;
        for _ in 0..1_500 {
            let report = run.frame().expect("a frame");
            selects = report.tally.dodges.selects;
            let step = PlayedStep::Frame {
                buttons: report.buttons,
                polled: report.polled,
                writes: report.pokes,
                snapshot: report.snapshot,
            };
            retrace.take(&step, None, |_| ());
        }
        (retrace.parted(), selects)
    }

    #[test]
    fn a_game_that_dodged_crashes_is_planned_again_by_a_player_that_sees_what_it_saw() {
        let (parted, selects) = retraced(Crashes::On, true);
        assert!(parted.is_none() && selects > 0, "{parted:?}, {selects} by Select");
        assert!(retraced(Crashes::Off, true).0.is_some());
        assert!(retraced(Crashes::On, false).0.is_some());
    }
}
