//! Results on standard output, and words on standard error.

use std::io::{self, Write};

use anyhow::Context;

use super::failure::Failure;
use super::stdout::stdout;

/// Writes a finished result. A closed standard output is an error, not a panic.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    let mut stdout = stdout();
    stdout
        .write_all(text.as_bytes())
        .and_then(|()| stdout.flush())
        .context("cannot write the result to standard output")
        .map_err(Failure::run)
}

/// Writes one JSON object on one line.
pub(crate) fn print_json(value: &impl serde::Serialize) -> Result<(), Failure> {
    print(&json_line(value))
}

/// One JSON object as a line.
pub(crate) fn json_line(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).expect("results hold nothing that JSON cannot say") + "\n"
}

/// Writes a finished result: to standard error where standard output belongs to rows.
pub(crate) fn print_beside(rows_on_stdout: bool, text: &str) -> Result<(), Failure> {
    if !rows_on_stdout {
        return print(text);
    }
    // A closed standard error does not end the run.
    let _ = io::stderr().write_all(text.as_bytes());
    Ok(())
}

/// Prints a line on standard error. A closed standard error does not end the run.
pub(crate) fn say(text: &str) {
    let _ = writeln!(io::stderr(), "{text}");
}
