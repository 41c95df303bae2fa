//! Past level 255: the rules model and the built-in cartridge, from levels and lines that are written into RAM.

use maxout_console::{Emulator, Rom};
use maxout_engine::bot::{Goal, Outcome, Pilot, Run};
use maxout_engine::console::{Console, Simulated};
use maxout_engine::game::memory::address::{LEVEL_NUMBER, LINES, PLAYER, STATISTICS, WORKING_COPY};
use maxout_engine::judge::handmade;
use maxout_engine::planner::{Search, Settings};
use maxout_engine::ram::{Decoder, Phase, RamMap};

/// Bytes between the player's block and the working copy of it.
const COPY: usize = PLAYER - WORKING_COPY;

/// Plays some pieces with level 255 and 3,299 lines from the first piece on. After each: level, lines, frame, T pieces, and
/// the random number, which shows that no frame differs.
fn played<C: Console>(console: C) -> Vec<(u8, u16, u64, u16, u16)> {
    let decoder = Decoder::new(&RamMap::tetris_ntsc()).expect("the embedded map");
    let player = Search::new(handmade::by_name("el-tetris", None).expect("an evaluator"), Settings::default());
    let mut run = Run::new(console, decoder, Pilot::new(Box::new(player), 18, 1), Goal::Rebirth(1));
    while run.frame().expect("a frame").snapshot.phase() != Phase::Falling {}
    for (address, byte) in
        [(LEVEL_NUMBER, 255), (LINES, 0x99), (LINES + 1, 32), (STATISTICS, 0x98), (STATISTICS + 1, 9)]
    {
        run.console_mut().poke(address as u16, byte);
        if address < 0x80 {
            run.console_mut().poke((address - COPY) as u16, byte);
        }
    }
    let mut shown = Vec::new();
    let mut pieces = 0;
    for _ in 0..12_000 {
        let report = run.frame().expect("a frame");
        if report.tally.pieces > pieces {
            pieces = report.tally.pieces;
            let now = report.snapshot;
            shown.push((now.level, now.lines, report.frame, now.statistics[0], now.rng));
        }
        if pieces >= 45 {
            break;
        }
    }
    let tally = run.so_far(Outcome::Stopped).expect("frames").tally;
    // The piece that falls when the level is written was planned for slower rows.
    assert_eq!((tally.rebirths, tally.desyncs), (1, 1), "{shown:?}");
    shown
}

#[test]
fn the_cartridge_and_the_model_go_from_level_255_to_0_alike() {
    let model = played(Simulated::power_on());
    let cartridge = played(Emulator::new(&Rom::cartridge()).expect("a cartridge"));
    assert_eq!(model, cartridge);
    let last = model.last().expect("pieces");
    // The next level comes after ten more lines.
    assert!(last.0 == u8::from(last.1 >= 3_310) && last.1 >= 3_300, "{last:?}");
    // 999 pieces are followed by a thousand: the hundreds are a plain number.
    assert!(model.iter().any(|piece| piece.3 >= 1_000), "{model:?}");
    // Pieces fall slowly again: many frames from lock to lock.
    let frames = |at: usize| model[at].2 - model[at - 1].2;
    assert!(frames(model.len() - 1) > frames(1));
}
