//! RAM maps proved against ROMs and found on them.

use std::path::Path;

use maxout::console::{Emulator, Rom};
use maxout::ram::RamMap;
use maxout::survey::{Discovery, discover};

fn moved() -> Rom {
    Rom::from_file(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/maxout-moved.nes"))).expect("test data")
}

fn discovery(rom: &Rom) -> Discovery {
    let mut console = Emulator::new(rom).expect("it runs");
    discover(rom, &mut console, |_| {}).expect("it keeps step with the rules")
}

#[test]
fn every_entry_is_found_on_the_cartridge() {
    let start = std::time::Instant::now();
    let d = discovery(&Rom::cartridge());
    for f in &d.findings {
        println!("{} {:X?} {:?}", f.name, &f.candidates[..f.candidates.len().min(5)], f.trail.last());
    }
    println!("{:?}", start.elapsed());
    assert_eq!(d.map("tetris-ntsc"), RamMap::tetris_ntsc());
}

#[test]
fn every_entry_is_found_where_it_was_moved() {
    let d = discovery(&moved());
    for f in &d.findings {
        println!("{} {:X?} {:?}", f.name, &f.candidates[..f.candidates.len().min(5)], f.trail.last());
    }
}
