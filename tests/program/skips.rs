//! What tests skip is seen: this binary runs two of its own tests again where nothing is installed.

use std::process::{Command, Output};
use std::{env, fs};

/// Needs python3.
const TEST: &str = "external_player::the_lines_on_the_page_are_from_a_real_game";
const LAST: &str = "zz_what_was_skipped";

/// Runs both tests with an empty PATH, and gives back what was noted in MAXOUT_TESTS_SKIPPED, too.
fn without_programs(must_run: &str) -> (Output, Option<String>) {
    let folder = tempfile::tempdir().expect("a folder");
    let noted = folder.path().join("skipped");
    let output = Command::new(env::current_exe().expect("this test"))
        .args(["--exact", TEST, LAST, "--test-threads=1"])
        .env("PATH", "")
        .env("MAXOUT_TESTS_MUST_RUN", must_run)
        .env("MAXOUT_TESTS_SKIPPED", &noted)
        .output()
        .expect("it runs");
    (output, fs::read_to_string(noted).ok())
}

#[test]
fn a_skip_is_seen_although_the_harness_hides_what_passed_tests_print() {
    let (output, noted) = without_programs("fceux,ffmpeg");
    let line = format!("SKIPPED {TEST}: needs python3 (apt install python3)\n");
    assert!(output.status.success());
    assert_eq!(String::from_utf8_lossy(&output.stderr), format!("{line}\n1 skipped:\n{line}"));
    assert_eq!(noted.as_deref(), Some(&*line));
}

#[test]
fn a_skip_that_is_not_allowed_fails() {
    let (output, noted) = without_programs("fceux,python3");
    let said = String::from_utf8_lossy(&output.stdout);
    assert_eq!((output.status.code(), noted), (Some(101), None), "{said}");
    let reason = "needs python3 (apt install python3), which MAXOUT_TESTS_MUST_RUN forbids";
    assert!(said.contains(&format!("SKIPPED {TEST}: {reason}")), "{said}");
    assert!(said.contains("1 passed; 1 failed"), "{said}");
}
