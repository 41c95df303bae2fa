//! Results on standard output, and words on standard error.

use std::io::{self, Write};

use anyhow::Context;

use super::failure::Failure;

/// The name that means standard output where a file can be given.
pub(crate) const STDOUT: &str = "-";

/// Standard output. When its reader has closed the pipe, as `head` does, its error is a
/// [`PipeClosed`].
pub(crate) fn stdout() -> Stdout {
    Stdout(io::stdout())
}

/// See [`stdout`].
#[derive(Debug)]
pub(crate) struct Stdout(io::Stdout);

/// The reader of standard output has all that it wanted: the program ends and says nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the reader has closed the pipe")]
pub(crate) struct PipeClosed;

fn told_apart(error: io::Error) -> io::Error {
    if error.kind() == io::ErrorKind::BrokenPipe { io::Error::new(error.kind(), PipeClosed) } else { error }
}

impl Write for Stdout {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes).map_err(told_apart)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush().map_err(told_apart)
    }
}

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
