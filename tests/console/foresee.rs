//! Players that read the piece generator, on the cartridge: the pieces that they foresee come.

use std::sync::atomic::AtomicBool;

use maxout_console::{Emulator, Rom};
use maxout_engine::bot::{Goal, Outcome, Pilot, Run};
use maxout_engine::judge;
use maxout_engine::planner::{RngUse, Search, Settings};
use maxout_engine::ram::{Decoder, RamMap};

fn plays(rng: RngUse, goal: Goal) {
    let decoder = Decoder::new(&RamMap::tetris_ntsc()).expect("the embedded map");
    let judge = judge::by_name("learned", None).expect("built in");
    let player = Search::new(judge, Settings { rng, ..Settings::default() });
    let console = Emulator::new(&Rom::cartridge()).expect("the cartridge runs");
    let mut run = Run::new(console, decoder, Pilot::new(Box::new(player), 19, 1), goal);
    let finished = run.play(&mut [], &AtomicBool::new(false)).expect("a game");
    // A piece that was not foreseen is a desync.
    assert_eq!((finished.outcome, finished.tally.desyncs), (Outcome::Goal, 0), "{rng}");
}

#[test]
fn the_foreseen_pieces_come_on_the_cartridge() {
    plays(RngUse::Seen, Goal::Pieces(10));
    plays(RngUse::Steered, Goal::Pieces(10));
}

#[test]
#[ignore = "a whole game and a part of one on the emulator; .ci/run runs it"]
fn the_foreseen_pieces_come_in_long_games_on_the_cartridge() {
    plays(RngUse::Seen, Goal::Maxout);
    plays(RngUse::Steered, Goal::Pieces(150));
}
