//! The model and the cartridge against recordings of all 2,048 bytes of the original console's RAM: every
//! byte that an entry of the RAM map names, in every frame from power-on on, menus and demo
//! included. What is left out is in one table, `left_out.rs`.
//!
//! Bytes outside the map that are equal, too, are in [`ALSO_EQUAL`].

#[path = "full_recordings/demo.rs"]
mod demo;
#[path = "full_recordings/left_out.rs"]
mod left_out;
#[path = "full_recordings/recording.rs"]
pub mod recording;

use std::collections::BTreeMap;
use std::fmt;
use std::ops::RangeInclusive;

use maxout_console::{Emulator, Rom};
use maxout_engine::console::Console;
use maxout_engine::game::simulation::Simulation;
use maxout_engine::gamepad::Buttons;
use maxout_engine::ram::{Ram, RamMap};

use left_out::{LEFT_OUT, Moment};
use recording::Recording;

/// Bytes without an entry that agree as well: unused ones, the second player's block, the copy of the
/// next piece, the total of B-type's ending, the second playfield.
const ALSO_EQUAL: [RangeInclusive<u16>; 12] = [
    0x0B..=0x13,
    0x1B..=0x1F,
    0x23..=0x23,
    0x34..=0x34,
    0x40..=0x5F,
    0x63..=0x63,
    0x7B..=0x9F,
    0xA4..=0xA6,
    0xB4..=0xB4,
    0xD0..=0xD0,
    0xDC..=0xDE,
    0x500..=0x5FF,
];

fn compared() -> Vec<u16> {
    let map = RamMap::tetris_ntsc();
    let mut addresses: Vec<u16> = map.entries().iter().flat_map(|it| it.address..it.address + it.size).collect();
    assert_eq!(map.entries().len(), 63);
    addresses.extend(ALSO_EQUAL.iter().cloned().flatten());
    addresses.sort_unstable();
    addresses.dedup();
    addresses
}

fn label(address: u16) -> String {
    let entry = RamMap::tetris_ntsc().entry_at(address).map(|entry| entry.name.clone()).unwrap_or_default();
    format!("${address:03X} {entry}")
}

/// What is compared with the recording.
enum Subject {
    Model(Box<Simulation>),
    Cartridge(Box<Emulator>),
}

impl Subject {
    /// With the recorded demo's table in place of our own, as far as the recording goes.
    fn model(recording: &Recording) -> Subject {
        let table = demo::table(recording);
        Subject::Model(Box::new(
            table.map_or_else(Simulation::power_on, |table| Simulation::power_on_with_demo(Box::leak(Box::new(table)))),
        ))
    }

    fn cartridge(recording: &Recording) -> Subject {
        let mut file = Rom::cartridge().bytes().to_vec();
        if let Some(table) = demo::table(recording) {
            file[demo::FILE_OFFSET..][..table.len()].copy_from_slice(&table);
        }
        let rom = Rom::from_bytes("the cartridge with the recorded demo", file).expect("a ROM file");
        Subject::Cartridge(Box::new(Emulator::new(&rom).expect("the cartridge runs")))
    }

    fn step(&mut self, buttons: Buttons) {
        match self {
            Subject::Model(model) => model.step(buttons),
            Subject::Cartridge(console) => console.step(buttons).expect("the emulator goes on"),
        }
    }

    fn ram(&self) -> &Ram {
        match self {
            Subject::Model(model) => model.ram(),
            Subject::Cartridge(console) => console.ram(),
        }
    }

    fn poke(&mut self, address: u16, value: u8) {
        match self {
            Subject::Model(model) => model.poke(address, value),
            Subject::Cartridge(console) => console.poke(address, value),
        }
    }
}

/// How often a byte differed, and how it did the first time.
#[derive(Debug, PartialEq)]
struct Difference {
    frames: u64,
    first: u64,
    found: u8,
    recorded: u8,
}

#[derive(Default)]
struct Comparison {
    frames: u64,
    bytes: u64,
    differences: BTreeMap<u16, Difference>,
    /// For each line of [`LEFT_OUT`]: bytes that it left out, and how many of them differed.
    left_out: [(u64, u64); LEFT_OUT.len()],
}

impl Comparison {
    /// Compares one frame.
    fn add(&mut self, addresses: &[u16], moment: &Moment, frame: usize, ram: &Ram, recorded: &Ram) {
        self.frames += 1;
        for &address in addresses {
            let (found, recorded) = (ram[usize::from(address)], recorded[usize::from(address)]);
            if let Some(line) = LEFT_OUT.iter().position(|line| line.leaves_out(address, moment)) {
                self.left_out[line].0 += 1;
                self.left_out[line].1 += u64::from(found != recorded);
                continue;
            }
            self.bytes += 1;
            if found != recorded {
                let first = Difference { frames: 0, first: frame as u64, found, recorded };
                self.differences.entry(address).or_insert(first).frames += 1;
            }
        }
    }
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} frames, {} bytes compared", self.frames, self.bytes)?;
        for (&address, it) in &self.differences {
            let Difference { frames, first, found, recorded } = it;
            let label = label(address);
            writeln!(f, "{label}: {frames} frames, first {first}: {found:02X} instead of {recorded:02X}")?;
        }
        for (line, (left_out, differed)) in LEFT_OUT.iter().zip(self.left_out) {
            let (first, last) = (line.addresses.start(), line.addresses.end());
            writeln!(f, "left out ${first:02X}-${last:02X} ({}): {left_out} bytes, {differed} differed", line.reason)?;
        }
        Ok(())
    }
}

/// Plays the recording's first `frames` frames.
fn compare(recording: &Recording, mut subject: Subject, frames: usize) -> Comparison {
    let addresses = compared();
    let mut result = Comparison::default();
    let mut moment = Moment::at_power_on();
    for (frame, row) in recording.rows.iter().enumerate().take(frames) {
        subject.step(row.buttons);
        moment.go_on(&row.ram);
        result.add(&addresses, &moment, frame, subject.ram(), &row.ram);
        for &(_, address, value) in recording.pokes.iter().filter(|&&(at, ..)| at == frame as u64) {
            subject.poke(address, value);
        }
    }
    result
}

/// `bytes` are those that are compared: more left out would show.
fn check(name: &str, subject: fn(&Recording) -> Subject, frames: usize, bytes: u64) {
    let recording = Recording::open(name);
    let result = compare(&recording, subject(&recording), frames);
    eprintln!("{name}: {result}");
    assert!(result.differences.is_empty(), "{name}: {result}");
    assert_eq!((result.frames, result.bytes), (frames as u64, bytes), "{name}: frames and bytes compared");
}

macro_rules! full {
    ($($test:ident, $name:literal, $frames:literal, $bytes:literal;)*) => {
        mod model {
            $(#[test] fn $test() { super::check($name, super::Subject::model, $frames, $bytes); })*
        }
        mod cartridge {
            $(
                #[test]
                #[ignore = "a whole recording on the emulator; .ci/run runs it"]
                fn $test() { super::check($name, super::Subject::cartridge, $frames, $bytes); }
            )*
        }
    };
}

full! {
    d08, "d08_btype", 6000, 4_674_964;
    d10, "d10_demo_and_menus", 2600, 2_028_996;
    d13, "d13_toprow", 2500, 1_948_126;
    d18, "d18_menus_random", 6000, 4_682_035;
}

/// The menus and the first game's beginning, B-type's garbage, a topout: the part of every test run.
#[test]
fn the_cartridge_agrees_with_the_first_frames() {
    for (name, frames, bytes) in
        [("d18_menus_random", 900, 702_303), ("d08_btype", 400, 312_220), ("d13_toprow", 610, 475_778)]
    {
        check(name, Subject::cartridge, frames, bytes);
    }
}

#[test]
fn every_line_of_the_table_is_needed() {
    let mut differed = [0; LEFT_OUT.len()];
    for name in ["d08_btype", "d10_demo_and_menus"] {
        let recording = Recording::open(name);
        let result = compare(&recording, Subject::model(&recording), usize::MAX);
        for (sum, (_, count)) in differed.iter_mut().zip(result.left_out) {
            *sum += count;
        }
    }
    for (line, differed) in LEFT_OUT.iter().zip(differed) {
        assert!(differed > 0, "{:02X?}, {}: nothing differs", line.addresses, line.reason);
    }
}

#[test]
fn the_models_demo_is_the_cartridges() {
    let table = include_bytes!("../../crates/engine/src/game/simulation/demo-table.bin");
    assert_eq!(Rom::cartridge().bytes()[demo::FILE_OFFSET..][..table.len()], *table);
}

/// A byte that is wrong in one frame is found, wherever it is, and no other.
#[test]
fn a_single_wrong_byte_is_found() {
    const FRAME: usize = 300;
    let recording = Recording::open("d13_toprow");
    let (mut subject, mut moment) = (Subject::model(&recording), Moment::at_power_on());
    for row in &recording.rows[..=FRAME] {
        subject.step(row.buttons);
        moment.go_on(&row.ram);
    }
    let addresses = compared();
    let mut tried = 0;
    for &address in &addresses {
        if LEFT_OUT.iter().any(|line| line.leaves_out(address, &moment)) {
            continue;
        }
        let mut wrong = recording.rows[FRAME].ram.clone();
        wrong[usize::from(address)] ^= 0x04;
        let mut result = Comparison::default();
        result.add(&addresses, &moment, FRAME, subject.ram(), &wrong);
        let found: Vec<(u16, u64)> = result.differences.iter().map(|(&at, it)| (at, it.first)).collect();
        assert_eq!(found, [(address, FRAME as u64)]);
        tried += 1;
    }
    assert!(tried > 400, "{tried}");
}
