//! What tests skip because a program or a file is not here, said where a person sees it.
//!
//! The test harness hides what a passed test prints, but not what is written to standard error past
//! the print macros. Each skip is written there at once, and all of them again by the last test of
//! the binary. Two environment variables are for `.ci/run`:
//!
//! - `MAXOUT_TESTS_MUST_RUN=fceux,ffmpeg`: to skip for want of one of these fails the test.
//! - `MAXOUT_TESTS_SKIPPED=FILE`: each skip adds a line to this file.

#![allow(dead_code, reason = "not every test binary asks for everything")]

use std::collections::BTreeSet;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::{env, io, thread};

/// The lines of this run of this binary.
static SAID: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

/// The installed program, or nothing after saying that the running test skips what needs it.
pub fn program(name: &str) -> Option<PathBuf> {
    let found = installed(name, &env::var_os("PATH").unwrap_or_default());
    if found.is_none() {
        let package = match name {
            "c++" => "g++",
            "ffprobe" => "ffmpeg",
            "script" => "bsdutils",
            name => name,
        };
        skipped(name, &format!("apt install {package}"));
    }
    found
}

/// A file or folder beside the repository, or nothing after saying that the running test skips what
/// needs it. `what` is its short name.
pub fn beside(what: &str, path: &Path) -> Option<PathBuf> {
    if !path.exists() {
        skipped(what, &format!("put them at {}", path.display()));
    }
    path.exists().then(|| path.to_owned())
}

/// Says that the running test skips what needs `what`, and `how` to have it.
///
/// # Panics
///
/// When `MAXOUT_TESTS_MUST_RUN` names `what`.
pub fn skipped(what: &str, how: &str) {
    let running = thread::current();
    // The harness names a test's thread after it.
    let test = running.name().unwrap_or("a test");
    let line = format!("SKIPPED {test}: needs {what} ({how})");
    let must_run = env::var("MAXOUT_TESTS_MUST_RUN").unwrap_or_default();
    assert!(!must_run.split(',').any(|name| name.trim() == what), "{line}, which MAXOUT_TESTS_MUST_RUN forbids");
    if !SAID.lock().expect("no test fails while it says this").insert(line.clone()) {
        return;
    }
    say(&line);
    if let Some(file) = env::var_os("MAXOUT_TESTS_SKIPPED") {
        let mut file = OpenOptions::new().create(true).append(true).open(file).expect("MAXOUT_TESTS_SKIPPED is a file");
        // In one write: test binaries may run at the same time.
        file.write_all(format!("{line}\n").as_bytes()).expect("written");
    }
}

/// Says everything again. For the test that starts last: tests start in the order of their names,
/// and a test looks for what it needs when it starts.
pub fn say_all() {
    let said = SAID.lock().expect("no test fails while it says this");
    if said.is_empty() {
        return;
    }
    let mut text = format!("\n{} skipped:", said.len());
    said.iter().for_each(|line| text += &format!("\n{line}"));
    say(&text);
}

fn say(text: &str) {
    // `eprintln` would be captured.
    let _ = writeln!(io::stderr().lock(), "{text}");
}

fn installed(name: &str, path: &std::ffi::OsStr) -> Option<PathBuf> {
    // Debian installs games in a folder that not every PATH contains.
    let folders = env::split_paths(path).chain([PathBuf::from("/usr/games")]);
    folders.map(|folder| folder.join(name)).find(|program| program.is_file())
}
