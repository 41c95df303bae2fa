//! RAM maps checked against ROMs and found on them: on the cartridge, on the same program with its
//! variables at other addresses (moved), and on one with the same map that does everything else in
//! another way (habits). Recordings of the original are judged in `crates/lab/src/survey/recorded.rs`.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use maxout_console::{Emulator, Rom};
use maxout_engine::ram::RamMap;
use maxout_lab::survey::{
    Check, CheckResult, Discovery, Experiments, Layer, Program, Settings, Validation, discover, validate,
};

/// A program and what the experiments on it have shown. They are made once for all tests.
struct Subject {
    rom: Rom,
    experiments: Experiments,
}

impl Subject {
    fn new(rom: Rom) -> Subject {
        let experiments =
            Experiments::run(rom.prg(), &mut console(&rom), |_| {}).expect("it keeps step with the rules");
        Subject { rom, experiments }
    }

    fn built(name: &str, bytes: &[u8]) -> Subject {
        Subject::new(Rom::from_bytes(name, bytes.to_vec()).expect("a ROM"))
    }

    fn discovered(&self) -> Discovery {
        Discovery::of(&self.experiments)
    }

    fn validated(&self, map: &RamMap, frames: u64) -> Validation {
        let (program, mut console, settings) = (program(&self.rom), console(&self.rom), settings(frames));
        self.experiments.validate(&program, &mut console, map, settings, |_| {}).expect("it runs")
    }
}

static CARTRIDGE: LazyLock<Subject> = LazyLock::new(|| Subject::new(Rom::cartridge()));
static HABITS: LazyLock<Subject> =
    LazyLock::new(|| Subject::built("habits", include_bytes!("../data/maxout-habits.nes")));
static MOVED: LazyLock<Subject> = LazyLock::new(|| Subject::built("moved", include_bytes!("../data/maxout-moved.nes")));

fn console(rom: &Rom) -> Emulator {
    Emulator::new(rom).expect("it runs")
}

fn program(rom: &Rom) -> Program<'_> {
    Program {
        name: rom.name(),
        description: rom.identity.description(),
        sha1: &rom.sha1,
        is_known: rom.identity.is_known(),
        prg: rom.prg(),
    }
}

fn settings(frames: u64) -> Settings {
    Settings { frames, ..Settings::default() }
}

#[test]
#[ignore = "experiments on the emulator for a minute; .ci/run runs it"]
fn the_built_in_map_passes_all_layers_on_the_cartridge() {
    let map = RamMap::tetris_ntsc();
    let report = CARTRIDGE.validated(&map, 20_000);
    assert!(report.passed(), "{:#?}", report.failures().collect::<Vec<_>>());
    for entry in map.entries() {
        let rows: Vec<_> = report.rows.iter().filter(|row| row.name == entry.name).collect();
        assert!(
            rows.iter().any(|row| row.layer == Layer::Behavioural && row.verdict == CheckResult::Ok),
            "{} has an experiment: {rows:?}",
            entry.name
        );
        // Scratch, what the demo uses, and what a game does not show.
        let not_in_a_game = entry.name.starts_with("demo")
            || ["scratch", "verticalBlankFlag", "nameEntry"].contains(&entry.name.as_str());
        let agrees = rows.iter().any(|row| row.layer == Layer::Agreement && row.verdict == CheckResult::Ok);
        assert_eq!(agrees, !not_in_a_game, "{rows:?}");
    }
    let unchecked = report.rows.iter().filter(|row| row.evidence.contains("not checked"));
    assert_eq!(unchecked.count(), 0);
}

#[test]
#[ignore = "experiments on the emulator for a minute; .ci/run runs it"]
fn five_wrong_addresses_are_reported_with_the_right_addresses() {
    // The wrong addresses: a working copy, a twin that follows, an old copy, a neighbour, an unused byte.
    let wrong: BTreeMap<&str, u16> = BTreeMap::from([
        ("tetriminoX", 0x40),
        ("tetriminoY", 0x41),
        ("nextPiece", 0xA6),
        ("lines", 0x71),
        ("gameMode", 0x07E0),
    ]);
    let right = RamMap::tetris_ntsc();
    let map = right.relocated("wrong", |entry| Some(*wrong.get(entry.name.as_str()).unwrap_or(&entry.address)));
    let report = CARTRIDGE.validated(&map, 500);
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
    // Rules between other entries are still checked.
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
fn every_entry_of_the_built_in_map_is_found_by_experiments() {
    for subject in [&*CARTRIDGE, &HABITS] {
        let (rom, discovery) = (&subject.rom, subject.discovered());
        let missing: Vec<_> = discovery.findings.iter().filter(|finding| finding.address.is_none()).collect();
        assert!(missing.is_empty(), "{}: {missing:#?}", rom.name());
        assert_eq!(discovery.map("tetris-ntsc"), RamMap::tetris_ntsc(), "{}", rom.name());
    }
}

#[test]
#[ignore = "experiments on the emulator for a minute; .ci/run runs it"]
fn a_program_with_other_habits_passes_with_the_built_in_map_and_a_moved_one_with_its_own() {
    let its_own = MOVED.discovered().map("moved");
    assert_eq!(its_own.entries().len(), RamMap::tetris_ntsc().entries().len());
    for (subject, map) in [(&*HABITS, RamMap::tetris_ntsc()), (&*MOVED, its_own)] {
        let (rom, report) = (&subject.rom, subject.validated(&map, 8_000));
        assert!(report.passed(), "{}: {:#?}", rom.name(), report.failures().collect::<Vec<_>>());
        let undecided =
            report.rows.iter().filter(|row| row.layer == Layer::Behavioural && row.verdict == CheckResult::Unknown);
        assert_eq!(undecided.count(), 0, "{}", rom.name());
    }
}

/// The entry's own row among the behavioural checks.
fn row<'a>(rows: &'a [Check], name: &str) -> &'a Check {
    rows.iter().find(|row| row.name == name && row.layer == Layer::Behavioural).expect("a row")
}

/// One wrong entry in the built-in map, in the form of a file: `key` of the entry gets another value.
fn with_wrong(name: &str, key: &str, value: &str) -> String {
    let text = RamMap::tetris_ntsc().to_toml();
    let start = text.find(&format!("name = \"{name}\"")).expect("the entry");
    let from = start + text[start..].find(&format!("\n{key} = ")).expect("the key") + 1;
    let end = from + text[from..].find('\n').expect("a line");
    format!("{}{key} = {value}{}", &text[..from], &text[end..])
}

/// Copies of the variables in the program with other habits: `cartridge/src/habits.s`.
fn copy_in_habits(address: u16) -> Option<u16> {
    match address {
        0x0017..0x0100 => Some(address + 0x0600),
        0x03F0 => Some(0x05C0),
        0x0400 => Some(0x0320),
        0x0700..0x0755 => Some(address + 0x0080),
        _ => None,
    }
}

/// The standard program's working copy of player 1's block.
fn copy_in_standard(address: u16) -> Option<u16> {
    (0x60..0x80).contains(&address).then(|| address - 0x20)
}

fn each_wrong_entry_is_named(experiments: &Experiments, copy: fn(u16) -> Option<u16>) {
    let right = RamMap::tetris_ntsc();
    let mut tried = 0;
    for entry in right.entries() {
        let beside = [entry.address.checked_sub(1), Some(entry.address + 1)];
        for wrong in beside.into_iter().flatten().chain(copy(entry.address)) {
            let map = right.relocated("wrong", |it| Some(if it.name == entry.name { wrong } else { it.address }));
            let rows = experiments.judge(&map);
            let found = row(&rows, &entry.name);
            assert_eq!(found.verdict, CheckResult::Failed, "${wrong:04X}: {found:?}");
            assert_eq!(found.suggestion, Some(entry.address), "${wrong:04X}: {found:?}");
            let others = rows.iter().filter(|row| row.verdict == CheckResult::Failed && row.name != entry.name);
            assert_eq!(others.count(), 0, "{}", entry.name);
            tried += 1;
        }
        let encoding = if format!("{:?}", entry.encoding) == "Bytes" { "tiles" } else { "bytes" };
        for (key, value) in [("size", (entry.size + 1).to_string()), ("encoding", format!("\"{encoding}\""))] {
            match RamMap::from_toml(&with_wrong(&entry.name, key, &value)) {
                // The file itself is refused: the encoding fixes the size.
                Err(error) => assert!(error.to_string().contains(&format!("\"{}\"", entry.name)), "{error}"),
                Ok(map) => {
                    let rows = experiments.judge(&map);
                    let found = row(&rows, &entry.name);
                    assert_eq!(
                        (found.verdict, found.suggestion),
                        (CheckResult::Failed, Some(entry.address)),
                        "{found:?}"
                    );
                    assert!(found.evidence.contains(&format!("expected {} bytes", entry.size)), "{found:?}");
                }
            }
        }
    }
    assert!(tried > 2 * 60, "{tried}");
}

#[test]
#[ignore = "experiments on the emulator for a minute; .ci/run runs it"]
fn each_wrong_entry_is_named_with_the_right_address_on_the_cartridge() {
    each_wrong_entry_is_named(&CARTRIDGE.experiments, copy_in_standard);
}

#[test]
#[ignore = "experiments on the emulator for a minute; .ci/run runs it"]
fn each_wrong_entry_is_named_with_the_right_address_among_many_copies() {
    each_wrong_entry_is_named(&HABITS.experiments, copy_in_habits);
}

#[test]
#[ignore = "experiments on the emulator; .ci/run runs it"]
fn a_game_with_other_rules_fails_and_the_static_layer_says_why() {
    // Frames per drop of level 19, at $898E + 19: 2 becomes 3.
    let mut bytes = Rom::cartridge().bytes().to_vec();
    let at = 16 + 0x98E + 19;
    assert_eq!(bytes[at], 2);
    bytes[at] = 3;
    let rom = Rom::from_bytes("slow.nes", bytes).expect("a ROM");
    let report = validate(&program(&rom), &mut console(&rom), &RamMap::tetris_ntsc(), settings(0), |_, _| {});
    let report = report.expect("it runs");
    let failed: Vec<_> = report.failures().map(|row| row.name.as_str()).collect();
    assert_eq!(failed, ["frames per drop", "the game"]);
    let error = discover(rom.prg(), &mut console(&rom), |_| {}).expect_err("it does not keep step");
    assert!(error.to_string().contains("does not keep step"), "{error}");
}
