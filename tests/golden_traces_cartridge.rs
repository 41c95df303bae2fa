//! The cartridge in the emulator against traces of the original console: every byte that the
//! model promises, in every frame from power-on. One test per trace.
//!
//! Frames of the demo and of endings are played but not compared.

use std::path::Path;

use maxout::console::{Emulator, Rom};
use maxout::record::trace::TraceReader;
use maxout::replay::{Subject, verify};

fn check(name: &str, frames: u64, restarts: u32) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(format!("{name}.trace.zst"));
    let mut reader = TraceReader::open(&path).expect("the trace opens");
    let mut console = Emulator::new(&Rom::cartridge()).expect("the cartridge runs");
    let verification = verify(&mut reader, Subject::Console(&mut console), |_| {}).expect("the trace is read");
    eprintln!("{name}: {verification:?}");
    assert_eq!(verification.first_difference, None, "{name}");
    assert_eq!((verification.frames, verification.restarts), (frames, restarts), "frames compared, restarts");
    assert!(verification.bytes > 400 * frames, "a row tells more than 400 bytes");
}

macro_rules! golden {
    ($($test:ident, $name:literal, $frames:literal, $restarts:literal;)*) => {
        $(#[test] fn $test() { check($name, $frames, $restarts); })*
    };
}

golden! {
    d01, "d01_level0_idle_mash", 9000, 0;
    d02, "d02_level5_bot_soft", 9000, 0;
    d03, "d03_level9_tetris", 16000, 0;
    d04, "d04_level18_bot", 20000, 0;
    d05, "d05_level19_bot", 14000, 0;
    d06, "d06_level19_mash", 12000, 0;
    d07, "d07_level29_poke", 9000, 0;
    d08, "d08_btype", 10624, 2;
    d09, "d09_lines_and_score_limits", 9000, 0;
    d10, "d10_demo_and_menus", 4960, 1;
    d11, "d11_level15_chaos", 10000, 0;
    d12, "d12_pushdown_score", 9000, 0;
    d13, "d13_toprow", 6000, 0;
    d14, "d14_level19_taps", 6000, 0;
    d15, "d15_btype_height5", 7535, 1;
    d16, "d16_level18_to_29", 36000, 0;
    d17, "d17_top_rows", 4500, 0;
    d18, "d18_menus_random", 6000, 0;
}
