//! The rules of the trainer for graphics cards are those of the program.

#[path = "../examples/gpu_net/cases.rs"]
mod cases;
#[path = "../../../tests/skipped/mod.rs"]
mod skipped;

use std::fs;
use std::process::Command;

use maxout_engine::judge::learned::QuickNet;

const NUMBER: usize = 100;

#[test]
fn the_rules_for_graphics_cards_are_those_of_the_program() {
    let Some(compiler) = skipped::program("c++") else { return };
    let folder = tempfile::tempdir().unwrap();
    let [cases, check] = ["cases", "check"].map(|name| folder.path().join(name));
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/gpu/check.cpp");
    let status = Command::new(compiler).args(["-O1", "-o"]).arg(&check).arg(source).status().unwrap();
    assert!(status.success(), "{source} does not compile");
    let mut bytes = cases::cases(&QuickNet::by_rule(), NUMBER);
    let run = |bytes: &[u8]| {
        fs::write(&cases, bytes).unwrap();
        Command::new(&check).arg(&cases).arg(NUMBER.to_string()).output().unwrap()
    };
    let right = run(&bytes);
    assert!(right.status.success(), "{}", String::from_utf8_lossy(&right.stdout));
    // A cell of the first playfield: its placements, or what follows from them, are others.
    bytes[2 * 21] ^= 0b10;
    assert_eq!(run(&bytes).status.code(), Some(1));
}

/// Its name sorts after all others.
#[test]
fn zz_what_was_skipped() {
    skipped::say_all();
}
