//! Saved runs.

use maxout_engine::bot::{Goal, Pilot, Run, SAVED_RUN};
use maxout_engine::console::{Console, Simulated};
use maxout_engine::game::memory::address::FALL_TIMER;
use maxout_engine::judge::handmade;
use maxout_engine::planner::{Search, Settings};
use maxout_engine::ram::{Decoder, RamMap};

use crate::{check, patched};

/// The most frames that a piece waits for its fall: on level 0.
const LONGEST_FALL: u8 = 48;
/// Frames that are played on after a run was restored.
const FRAMES: u32 = 4;

fn run() -> Run<Simulated> {
    let evaluator = handmade::by_name("el-tetris", None).expect("embedded weights");
    let player = Search::new(evaluator, Settings::default());
    let decoder = Decoder::new(&RamMap::tetris_ntsc()).expect("the embedded map");
    Run::new(Simulated::power_on(), decoder, Pilot::new(Box::new(player), 19, 1), Goal::Topout)
}

/// A run in the middle of a game, and the one into which others are restored.
struct Runs {
    under_way: Vec<u8>,
    power_on: Vec<u8>,
    run: Run<Simulated>,
}

impl Runs {
    fn new() -> Runs {
        let mut played = run();
        while played.frames() < 700 || played.frame().expect("a frame").plan.is_none() {
            played.frame().expect("a frame");
        }
        let run = run();
        Runs { under_way: played.save().expect("saved"), power_on: run.save().expect("saved"), run }
    }
}

/// A saved run: as it is if it begins like one, else patches of one. Their checksum is made right.
pub(crate) fn saved_run(bytes: &[u8]) {
    thread_local! {
        static RUNS: std::cell::RefCell<Runs> = std::cell::RefCell::new(Runs::new());
    }
    RUNS.with_borrow_mut(|Runs { under_way, power_on, run }| {
        let is_raw = bytes.starts_with(SAVED_RUN);
        let mut state = if is_raw { bytes.to_vec() } else { patched(under_way, bytes) };
        if !is_raw {
            let body = SAVED_RUN.len() + 4;
            let checksum = crc32fast::hash(&state[body..]);
            state[SAVED_RUN.len()..body].copy_from_slice(&checksum.to_le_bytes());
        }
        if check::read(run.restore(&state)).is_none() {
            assert!(run.save().expect("saved") == *power_on, "a run that refuses a state is unchanged");
            return;
        }
        assert!(run.save().expect("saved") == state, "what was restored is saved as the same");
        for _ in 0..FRAMES {
            // Beyond that, movement search says another thing than play: no game gets there.
            if run.console().ram()[FALL_TIMER] > LONGEST_FALL {
                break;
            }
            if check::read(run.frame()).is_none() {
                break;
            }
        }
        run.restore(power_on).expect("a run can be restored again");
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_saved_run_of_the_corpus_is_taken() {
        let saved = include_bytes!("../../../fuzz/corpus/saved_run/power-on");
        let mut run = run();
        for _ in 0..10 {
            run.frame().expect("a frame");
        }
        run.restore(saved).expect("a saved run of this version");
        assert!(run.save().expect("saved") == saved);
    }
}
