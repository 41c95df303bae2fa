//! Errors with their exit codes.

use std::io;
use std::process::ExitCode;

use maxout_formats as formats;

/// The goal was missed, or the run failed.
pub(crate) const FAILED: u8 = 1;
/// Bad usage or input.
pub(crate) const BAD_INPUT: u8 = 2;

/// Why the program ends without having done what was asked.
#[derive(Debug)]
pub struct Failure {
    /// What to tell people.
    pub error: anyhow::Error,
    /// How the program ends.
    pub code: ExitCode,
}

impl Failure {
    /// What went wrong and what to do next, on one line.
    pub fn line(&self) -> String {
        let advice = self.error.chain().find_map(advice).map_or(String::new(), |advice| format!("; {advice}"));
        format!("{:#}{advice}", self.error)
    }

    /// The user can mend it: usage, a file, a setting.
    pub(crate) fn input(error: impl Into<anyhow::Error>) -> Failure {
        Failure { error: error.into(), code: ExitCode::from(BAD_INPUT) }
    }

    /// It went wrong on the way.
    pub(crate) fn run(error: impl Into<anyhow::Error>) -> Failure {
        Failure { error: error.into(), code: ExitCode::from(FAILED) }
    }
}

/// What to do where the system or a file says no: the same wherever it happens.
fn advice(cause: &(dyn std::error::Error + 'static)) -> Option<&'static str> {
    if let Some(error) = cause.downcast_ref::<formats::Error>() {
        return match error {
            formats::Error::Syntax { .. } => Some("mend that line, or make the file again"),
            formats::Error::Content { .. } => Some("is its format the one that its name tells?"),
            formats::Error::Cheats { .. } | formats::Error::Io { .. } => None,
        };
    }
    use io::ErrorKind as Kind;
    Some(match cause.downcast_ref::<io::Error>()?.kind() {
        Kind::NotFound => "check the path",
        Kind::PermissionDenied | Kind::ReadOnlyFilesystem => "choose a place where you may read and write",
        Kind::IsADirectory => "give a file, not a folder",
        Kind::NotADirectory => "a part of the path is a file: check it",
        Kind::StorageFull | Kind::QuotaExceeded => "make room there, or choose another place",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use anyhow::Context;

    use super::*;

    #[test]
    fn what_the_system_refuses_comes_with_advice() {
        let nowhere = std::fs::read("/no/such/file").context("cannot read it").map_err(Failure::input).unwrap_err();
        let line = nowhere.line();
        assert!(line.starts_with("cannot read it: ") && line.ends_with("; check the path"), "{line}");
        let inside = formats::Error::Io { path: "x".into(), source: io::Error::from(io::ErrorKind::StorageFull) };
        assert!(Failure::run(inside).line().contains("make room"));
        assert_eq!(Failure::input(anyhow::anyhow!("plain")).line(), "plain");
    }
}
