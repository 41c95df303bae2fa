//! Errors with their exit codes.

use std::process::ExitCode;

/// The goal was missed, or the run failed.
pub(super) const FAILED: u8 = 1;
/// Bad usage or input.
pub(super) const BAD_INPUT: u8 = 2;

/// Why the program ends without having done what was asked.
#[derive(Debug)]
pub struct Failure {
    /// What to tell people.
    pub error: anyhow::Error,
    /// How the program ends.
    pub code: ExitCode,
}

impl Failure {
    /// The user can mend it: usage, a file, a setting.
    pub(super) fn input(error: impl Into<anyhow::Error>) -> Failure {
        Failure { error: error.into(), code: ExitCode::from(BAD_INPUT) }
    }

    /// It went wrong on the way.
    pub(super) fn run(error: impl Into<anyhow::Error>) -> Failure {
        Failure { error: error.into(), code: ExitCode::from(FAILED) }
    }
}
