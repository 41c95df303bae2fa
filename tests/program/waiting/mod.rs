//! Waiting for a program that runs beside a test.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use std::{fs, thread};

/// Starts the program in a folder, with its output and messages in pipes.
pub fn started(arguments: &[&str], folder: &Path) -> Child {
    Command::new(env!("CARGO_BIN_EXE_maxout"))
        .args(arguments)
        .current_dir(folder)
        .env_remove("RUST_LOG")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts")
}

/// Waits until this is true, for `seconds` at most.
pub fn wait(seconds: u64, what: &str, holds: impl Fn() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(seconds);
    while !holds() {
        assert!(Instant::now() < deadline, "{what} within {seconds} s");
        thread::sleep(Duration::from_millis(20));
    }
}

/// Waits until a file has this many lines.
pub fn wait_for_lines(path: &Path, lines: usize, seconds: u64) {
    let found = || fs::read_to_string(path).map_or(0, |text| text.lines().count());
    wait(seconds, "the file grows as the run goes", || found() >= lines);
}

/// Sends a signal to a process: `-INT`.
#[cfg(unix)]
pub fn signal(name: &str, process: u32) {
    let kill = Command::new("kill").args([name, &process.to_string()]).status();
    assert!(kill.expect("kill starts").success());
}
