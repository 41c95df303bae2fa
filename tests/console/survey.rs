//! RAM maps proved against ROMs and found on them. The cartridge whose variables were moved is in
//! `cli_survey.rs`.

use std::collections::BTreeMap;

use maxout_console::{Emulator, Rom};
use maxout_engine::ram::RamMap;
use maxout_lab::survey::{CheckResult, Discovery, Layer, Program, Settings, Validation, discover, validate};

fn discovered(rom: &Rom) -> Discovery {
    let mut console = Emulator::new(rom).expect("it runs");
    discover(rom.prg(), &mut console, |_| {}).expect("it keeps step with the rules")
}

fn validated(rom: &Rom, map: &RamMap, frames: u64) -> Validation {
    let mut console = Emulator::new(rom).expect("it runs");
    let program = Program {
        name: rom.name(),
        description: rom.identity.description(),
        sha1: &rom.sha1,
        is_known: rom.identity.is_known(),
        prg: rom.prg(),
    };
    validate(&program, &mut console, map, Settings { frames, ..Settings::default() }, |_, _| {}).expect("it runs")
}

#[test]
#[ignore = "experiments on the emulator for a minute; .ci/run runs it"]
fn the_cartridge_proves_the_built_in_map_in_all_layers() {
    let map = RamMap::tetris_ntsc();
    let report = validated(&Rom::cartridge(), &map, 20_000);
    assert!(report.passed(), "{:#?}", report.failures().collect::<Vec<_>>());
    for entry in map.entries() {
        let rows: Vec<_> = report.rows.iter().filter(|row| row.name == entry.name).collect();
        assert!(
            rows.iter().any(|row| row.layer == Layer::Behavioural && row.verdict == CheckResult::Ok),
            "{} has an experiment: {rows:?}",
            entry.name
        );
        let unpromised = ["scratch", "verticalBlankFlag", "generalCounter"].contains(&entry.name.as_str());
        let agrees = rows.iter().any(|row| row.layer == Layer::Agreement && row.verdict == CheckResult::Ok);
        assert_eq!(agrees, !unpromised, "{rows:?}");
    }
    let unchecked = report.rows.iter().filter(|row| row.evidence.contains("not checked"));
    assert_eq!(unchecked.count(), 0);
}

#[test]
#[ignore = "experiments on the emulator for a minute; .ci/run runs it"]
fn five_wrong_addresses_are_named_with_the_right_ones() {
    // A working copy, a twin that follows, an old copy, a neighbour, and nothing at all.
    let wrong: BTreeMap<&str, u16> = BTreeMap::from([
        ("tetriminoX", 0x40),
        ("tetriminoY", 0x41),
        ("nextPiece", 0xA6),
        ("lines", 0x71),
        ("gameMode", 0x07E0),
    ]);
    let right = RamMap::tetris_ntsc();
    let map = right.relocated("wrong", |entry| Some(*wrong.get(entry.name.as_str()).unwrap_or(&entry.address)));
    let report = validated(&Rom::cartridge(), &map, 500);
    assert!(!report.passed());
    let failed: BTreeMap<&str, Option<u16>> = report
        .failures()
        .filter(|row| row.layer == Layer::Behavioural)
        .map(|row| (row.name.as_str(), row.suggestion))
        .collect();
    let expected = wrong.keys().map(|&name| (name, right.entry(name).map(|entry| entry.address))).collect();
    assert_eq!(failed, expected);
    for row in report.failures() {
        assert!(wrong.contains_key(row.name.as_str()), "{row:?}");
    }
    // Rules between other entries are asked all the same.
    let asked = |name: &str| {
        report
            .rows
            .iter()
            .any(|row| row.name == name && row.verdict == CheckResult::Ok && row.evidence.contains("times:"))
    };
    assert!(asked("rng") && asked("newButtons") && !asked("tetriminoX"));
    let seen = |name: &str| report.failures().find(|row| row.name == name).map(|row| row.evidence.clone());
    assert!(seen("gameMode").is_some_and(|evidence| evidence.contains("expected 01 02 at $07E0, saw 00")));
    assert!(seen("tetriminoY").is_some_and(|evidence| evidence.contains("follow a poke")));
}

#[test]
#[ignore = "experiments on the emulator for a minute; .ci/run runs it"]
fn every_entry_of_the_built_in_map_is_found_from_nothing() {
    let discovery = discovered(&Rom::cartridge());
    assert!(discovery.is_complete(), "{discovery:#?}");
    assert_eq!(discovery.map("tetris-ntsc"), RamMap::tetris_ntsc());
}

#[test]
fn a_game_with_other_rules_fails_and_the_static_layer_tells_why() {
    // Frames per drop of level 19, at $898E + 19: 2 becomes 3.
    let mut bytes = Rom::cartridge().bytes().to_vec();
    let at = 16 + 0x98E + 19;
    assert_eq!(bytes[at], 2);
    bytes[at] = 3;
    let rom = Rom::from_bytes("slow.nes", bytes).expect("a ROM");
    let report = validated(&rom, &RamMap::tetris_ntsc(), 0);
    let failed: Vec<_> = report.failures().map(|row| row.name.as_str()).collect();
    assert_eq!(failed, ["frames per drop", "the game"]);
    let mut console = Emulator::new(&rom).expect("it runs");
    let error = discover(rom.prg(), &mut console, |_| {}).expect_err("it does not keep step");
    assert!(error.to_string().contains("does not keep step"), "{error}");
}
