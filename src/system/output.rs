//! Results on standard output, and words on standard error.

use std::io::{self, Write};

use anyhow::Context;

use super::failure::Failure;

/// Writes a finished result. A closed standard output is an error, not a panic.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    stdout
        .write_all(text.as_bytes())
        .and_then(|()| stdout.flush())
        .context("cannot write the result to standard output")
        .map_err(Failure::run)
}

/// Writes one JSON object on one line.
pub(crate) fn print_json(value: &impl serde::Serialize) -> Result<(), Failure> {
    let text = serde_json::to_string(value).expect("results hold nothing that JSON cannot say");
    print(&(text + "\n"))
}

/// Prints a line on standard error. A closed standard error does not end the run.
pub(crate) fn say(text: &str) {
    let _ = writeln!(io::stderr(), "{text}");
}
