//! The last lock of a run, for the cause of a crash.

use super::stuck::{Cause, Stuck};
use crate::game::crash::{Danger, Lock, Verdict};
use crate::game::memory::PlayState;
use crate::game::memory::address::PLAY_STATE;
use crate::ram::{Decoder, Ram};

/// Sees every sample of a run, and keeps the lock that is scored until the next piece has spawned.
#[derive(Debug, Clone)]
pub(super) struct Scored {
    /// Is RAM that of the original?
    is_known: bool,
    lock: Option<Lock>,
}

impl Scored {
    pub(super) fn new(decoder: &Decoder) -> Scored {
        Scored { is_known: decoder.is_of_the_original(), lock: None }
    }

    /// Takes the sample before the next frame.
    pub(super) fn observe(&mut self, ram: &Ram) {
        if !self.is_known {
            return;
        }
        if let Some(lock) = Lock::next(ram) {
            self.lock = Some(lock);
        } else if ram[PLAY_STATE] == PlayState::Control.byte() {
            self.lock = None;
        }
    }

    /// A program that stopped while it scored a lock that may crash it has crashed.
    pub(super) fn explain(&self, stuck: Stuck) -> Stuck {
        let crash = self.lock.filter(|lock| Verdict::of(lock).danger == Some(Danger::Crash));
        match (crash, stuck.cause) {
            (_, Cause::NoGame { .. } | Cause::NoLock { .. }) | (None, _) => stuck,
            (Some(lock), _) => {
                let cause = Cause::Crash { level: lock.level, lines: lock.lines, cycles: lock.cycles() };
                Stuck { cause, ..stuck }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bot::{Goal, Outcome, Pilot, Run};
    use crate::console::Simulated;
    use crate::game::Orientation;
    use crate::game::crash::Crashes;
    use crate::game::memory::address::{
        COMPLETED_LINES, COMPLETED_ROW, CURRENT_PIECE, LEVEL_NUMBER, LINES, TETRIMINO_Y,
    };
    use crate::game::randomizer::Randomizer;
    use crate::game::simulation::Simulation;
    use crate::ram::RamMap;

    /// Plays on from the frame before a single that makes 1,520 lines and level 158.
    fn cause(crashes: Crashes) -> Option<Cause> {
        let mut game = Simulation::new_game(18, Randomizer::SEED);
        game.set_crashes(crashes);
        for (address, value) in [
            (LEVEL_NUMBER, 157),
            (LINES, 0x19),
            (LINES + 1, 0x0F),
            (COMPLETED_LINES, 1),
            (COMPLETED_ROW, 11),
            (CURRENT_PIECE, Orientation::HIDDEN_ID),
            (TETRIMINO_Y, 10),
            (PLAY_STATE, PlayState::Score.byte()),
        ] {
            game.poke(address as u16, value);
        }
        let decoder = Decoder::new(&RamMap::tetris_ntsc()).expect("the built-in map");
        let mut run = Run::new(Simulated::from(game), decoder, Pilot::onlooker(), Goal::Topout);
        let outcome = (0..300).find_map(|_| run.frame().expect("a frame").outcome);
        match outcome {
            Some(Outcome::Stuck(stuck)) => Some(stuck.cause),
            _ => None,
        }
    }

    #[test]
    fn a_game_that_stops_at_a_dangerous_lock_has_crashed() {
        assert_eq!(cause(Crashes::On), Some(Cause::Crash { level: 158, lines: 1_520, cycles: 29_597 }));
        assert_eq!(cause(Crashes::Off), None);
    }

    #[test]
    fn what_stops_elsewhere_keeps_its_cause() {
        let decoder = Decoder::new(&RamMap::tetris_ntsc()).expect("the built-in map");
        let mut scored = Scored::new(&decoder);
        let mut game = Simulation::new_game(18, Randomizer::SEED);
        let stuck = |cause| Stuck { frame: 7, cause };
        let still = stuck(Cause::FrameCounter { frames: 120 });
        game.poke(PLAY_STATE as u16, PlayState::Score.byte());
        scored.observe(game.ram());
        assert_eq!(scored.explain(still), still, "the lock is safe at level 18");
        game.poke(LEVEL_NUMBER as u16, 249);
        scored.observe(game.ram());
        assert!(matches!(scored.explain(still).cause, Cause::Crash { level: 249, .. }));
        let waits = stuck(Cause::NoLock { frames: 2444 });
        assert_eq!(scored.explain(waits), waits);
        game.poke(PLAY_STATE as u16, PlayState::Control.byte());
        scored.observe(game.ram());
        assert_eq!(scored.explain(still), still, "the game went on");
    }
}
