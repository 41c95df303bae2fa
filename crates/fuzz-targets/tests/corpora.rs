//! The committed files, a few mutations of them, and the driver itself.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::Ordering;
use std::time::Duration;

use maxout_fuzz_targets::driver::{Limit, Seeds, Witness, broken, give, load};
use maxout_fuzz_targets::{TARGETS, Target, target};

/// Mutated inputs of each target: enough to notice a reader that no longer takes its corpus. The
/// driver gives them millions.
const INPUTS: u64 = 100;
/// Targets that take milliseconds an input: they read megabytes each time.
const SLOW: [&str; 2] = ["learned_weights", "td_checkpoint"];

fn fuzz() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz")
}

#[test]
fn every_target_takes_its_files_and_some_damage() {
    for target in TARGETS {
        let seeds = load(&fuzz(), target.name).expect("a corpus");
        let inputs = if SLOW.contains(&target.name) { 3 } else { INPUTS };
        let given = give(target, &seeds, 1, Limit::Inputs(inputs), &Witness::default()).expect("no file is written");
        assert_eq!(given.finding, None, "{}", target.name);
        assert_eq!(given.inputs, inputs + seeds.files.len() as u64);
    }
}

/// The workspace for libFuzzer has the same targets.
#[test]
fn libfuzzer_gets_every_target() {
    for Target { name, .. } in TARGETS {
        let file = fuzz().join("fuzz_targets").join(name).with_extension("rs");
        let code = std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        assert!(code.contains(&format!("run(\"{name}\", bytes)")), "{code}");
        let manifest = std::fs::read_to_string(fuzz().join("Cargo.toml")).expect("a manifest");
        assert!(manifest.contains(&format!("name = \"{name}\"\n")), "{name}");
    }
    assert!(target("nothing").is_none());
}

/// A reader with a fault that only one damage in some thousands meets.
fn faulty(bytes: &[u8]) {
    assert!(!bytes.windows(4).any(|part| part == b"7\0\0\0"), "the planted fault");
}

#[test]
fn a_planted_fault_is_found_with_its_input_and_the_same_one_again() {
    let planted = Target { name: "planted", run: faulty };
    let seeds = Seeds { files: vec![("a".to_owned(), b"length 7\0\0size\0\0\0\0\0".to_vec())] };
    let found = |seed| {
        let given = give(planted, &seeds, seed, Limit::Inputs(1_000_000), &Witness::default()).expect("given");
        let (bytes, words) = given.finding.expect("the fault is found");
        assert!(words.contains("the planted fault"), "{words}");
        assert!(broken(planted, &bytes).is_some() && given.inputs > 1);
        bytes
    };
    assert_eq!(found(1), found(1));
    assert_ne!(found(1), found(2));
}

#[test]
fn the_program_says_what_it_gave_and_what_is_missing() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = |arguments: &[&str]| {
        let mut program = Command::new(env!("CARGO_BIN_EXE_maxout-fuzz-targets"));
        let output = program.arg("--folder").arg(folder.path()).args(arguments).output().expect("it runs");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (output.status.code(), text(&output.stdout), text(&output.stderr))
    };
    let (code, _, error) = run(&["--inputs", "5", "r08"]);
    assert!(code == Some(2) && error.contains("r08"), "{code:?} {error}");
    std::fs::create_dir_all(folder.path().join("corpus/r08")).expect("a folder");
    std::fs::write(folder.path().join("corpus/r08/one"), [1, 0]).expect("a file");
    let (code, printed, error) = run(&["--inputs", "5", "r08"]);
    assert!(code == Some(0) && printed.contains("r08 ") && printed.contains("6 inputs"), "{code:?} {printed} {error}");
    assert!(printed.contains("nothing found") && !folder.path().join("findings").exists(), "{printed}");
    assert_eq!(run(&["r09"]).0, Some(2));
}

#[test]
fn the_witness_is_the_input_that_a_target_has() {
    let file = tempfile::NamedTempFile::new().expect("a file");
    let witness = Witness::new(file.path()).expect("a file");
    let seeds = Seeds { files: vec![("a".to_owned(), b"longer".to_vec()), ("b".to_owned(), b"end".to_vec())] };
    let quiet = Target { name: "quiet", run: |_| {} };
    give(quiet, &seeds, 1, Limit::Inputs(0), &witness).expect("given");
    assert_eq!(std::fs::read(file.path()).expect("a file"), b"end");
    give(quiet, &seeds, 1, Limit::Time(Duration::ZERO), &witness).expect("given");
    assert_eq!(witness.count.load(Ordering::Relaxed), 4);
}
