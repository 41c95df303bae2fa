//! The last lock of a run, if it can crash the game: for the cause of a crash.

use super::stuck::{Cause, Stuck};
use crate::game::crash::{Danger, Lock, Verdict};
use crate::game::memory::PlayState;
use crate::game::memory::address::PLAY_STATE;
use crate::ram::{Decoder, Ram};
use crate::state::{StateError, StateReader, StateWriter};

/// Sees every sample of a run, and keeps what it would mean if the game crashed, from a lock that may crash it until the next piece has
/// spawned.
#[derive(Debug, Clone)]
pub(super) struct Scored {
    /// Is RAM that of the original?
    is_known: bool,
    danger: Option<Dangerous>,
}

/// A lock that may crash the game.
#[derive(Debug, Clone, Copy)]
struct Dangerous {
    /// Level and lines after it.
    level: u8,
    lines: u16,
    cycles: u32,
}

impl Scored {
    pub(super) fn new(decoder: &Decoder) -> Scored {
        Scored { is_known: decoder.is_of_the_original(), danger: None }
    }

    /// Forgets the lock: nobody knows what the console does after a jump.
    pub(super) fn forget(&mut self) {
        self.danger = None;
    }

    /// Takes the sample before the next frame.
    pub(super) fn observe(&mut self, ram: &Ram) {
        if !self.is_known {
            return;
        }
        if let Some(lock) = Lock::next(ram) {
            let crashes = Verdict::of(&lock).danger == Some(Danger::Crash);
            let Lock { level, lines, .. } = lock;
            self.danger = crashes.then(|| Dangerous { level, lines, cycles: lock.cycles() });
        } else if ram[PLAY_STATE] == PlayState::Control.byte() {
            self.danger = None;
        }
    }

    /// A program that stopped while it scored a lock that may crash it has crashed.
    pub(super) fn explain(&self, stuck: Stuck) -> Stuck {
        match (self.danger, stuck.cause) {
            (_, Cause::NoGame { .. } | Cause::NoLock { .. }) | (None, _) => stuck,
            (Some(Dangerous { level, lines, cycles }), _) => {
                Stuck { cause: Cause::Crash { level, lines, cycles }, ..stuck }
            }
        }
    }

    pub(super) fn save(&self, writer: &mut StateWriter) {
        writer.option(self.danger, |writer, Dangerous { level, lines, cycles }| {
            writer.u8(level);
            writer.u16(lines);
            writer.u32(cycles);
        });
    }

    /// Reads what [`Scored::save`] wrote.
    pub(super) fn restored(&self, reader: &mut StateReader<'_>) -> Result<Scored, StateError> {
        let danger = reader
            .option(|reader| Ok(Dangerous { level: reader.u8()?, lines: reader.u16()?, cycles: reader.u32()? }))?;
        Ok(Scored { danger, ..*self })
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
    /// `restores`: the run is saved and restored before each frame, as by the run-ahead of RetroArch.
    fn cause(crashes: Crashes, restores: bool) -> Option<Cause> {
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
        let outcome = (0..300).find_map(|_| {
            if restores {
                let saved = run.save().expect("saved");
                run.restore(&saved).expect("restored");
            }
            run.frame().expect("a frame").outcome
        });
        match outcome {
            Some(Outcome::Stuck(stuck)) => Some(stuck.cause),
            _ => None,
        }
    }

    #[test]
    fn a_game_that_stops_at_a_dangerous_lock_has_crashed() {
        for restores in [false, true] {
            let crash = Cause::Crash { level: 158, lines: 1_520, cycles: 29_597 };
            assert_eq!(cause(Crashes::On, restores), Some(crash), "{restores}");
            assert_eq!(cause(Crashes::Off, restores), None);
        }
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
