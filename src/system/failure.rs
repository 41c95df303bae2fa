//! Errors with their exit codes.

use std::io;
use std::process::ExitCode;

use super::message::LONGEST_MESSAGE;
use super::stdout::PipeClosed;
use maxout_engine::text;
use maxout_formats::{self as formats, whole::Held};

/// Exit code: the goal was missed, or the run failed.
pub(crate) const FAILED: u8 = 1;
/// Exit code: bad usage or input.
pub(crate) const BAD_INPUT: u8 = 2;

/// Exit code: the reader of standard output has closed the pipe. It is the one that shells give for
/// programs that are ended by the signal of a closed pipe, which this program does not get.
pub const PIPE_CLOSED: u8 = 141;

/// What an error is shown with.
pub const PROGRAM: &str = "maxout: ";

/// An error that ends the program, with its exit code.
#[derive(Debug)]
pub struct Failure {
    /// What went wrong.
    pub error: anyhow::Error,
    /// The exit code.
    pub code: ExitCode,
}

impl Failure {
    /// What went wrong and what to do next, on one line. With the program's name before it, it has at
    /// most 400 characters.
    pub fn line(&self) -> String {
        let advice = self.error.chain().find_map(advice).map_or(String::new(), |advice| format!("; {advice}"));
        let problem = format!("{:#}", self.error);
        let most = LONGEST_MESSAGE - PROGRAM.len() - advice.len();
        format!("{}{advice}", text::shortened(&text::visible(&problem), most))
    }

    /// Did the reader of standard output close the pipe? Then there is nothing to say.
    pub fn is_pipe_closed(&self) -> bool {
        let io_errors = self.error.chain().filter_map(|cause| cause.downcast_ref::<io::Error>());
        io_errors.filter_map(io::Error::get_ref).any(|inner| inner.is::<PipeClosed>())
    }

    /// An error that the user can correct: usage, a file, a setting.
    pub(crate) fn input(error: impl Into<anyhow::Error>) -> Failure {
        Failure { error: error.into(), code: ExitCode::from(BAD_INPUT) }
    }

    /// An error in the course of the run.
    pub(crate) fn run(error: impl Into<anyhow::Error>) -> Failure {
        Failure { error: error.into(), code: ExitCode::from(FAILED) }
    }
}

/// Advice for an error of the system or of a file, the same for every command.
fn advice(cause: &(dyn std::error::Error + 'static)) -> Option<&'static str> {
    if let Some(error) = cause.downcast_ref::<formats::Error>() {
        return match error {
            formats::Error::Syntax { .. } => Some("correct that line, or write the file again"),
            formats::Error::Content { .. } => Some("check that its format is the one that its name says"),
            formats::Error::Cheats { .. } | formats::Error::Read { .. } | formats::Error::Write { .. } => None,
        };
    }
    use io::ErrorKind as Kind;
    let error = cause.downcast_ref::<io::Error>()?;
    Some(match error.kind() {
        Kind::NotFound => "check the path",
        Kind::PermissionDenied | Kind::ReadOnlyFilesystem => "choose a place where you may read and write",
        Kind::IsADirectory => "give a file, not a folder",
        Kind::AlreadyExists => "give another name",
        Kind::NotADirectory => "a part of the path is a file: check it",
        Kind::FileTooLarge => "check that this is the right file",
        Kind::ResourceBusy if error.get_ref().is_some_and(|inner| inner.is::<Held>()) => {
            "wait until it ends, or give another name"
        }
        Kind::StorageFull | Kind::QuotaExceeded => "make room there, or choose another disk",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use anyhow::Context;
    use maxout_formats::whole::Lock;

    use super::*;

    #[test]
    fn what_the_system_refuses_comes_with_advice() {
        let nowhere = std::fs::read("/no/such/file").context("cannot read it").map_err(Failure::input).unwrap_err();
        let line = nowhere.line();
        assert!(line.starts_with("cannot read it: ") && line.ends_with("; check the path"), "{line}");
        let inside = formats::Error::Read { path: "x".into(), source: io::Error::from(io::ErrorKind::StorageFull) };
        assert!(Failure::run(inside).line().contains("make room"));
        let error = io::Error::from(io::ErrorKind::StorageFull);
        let line = Failure::run(maxout_lab::plot::Error::Write { path: "x.svg".into(), error }).line();
        assert!(line.starts_with("cannot write x.svg: no storage space; make room"), "{line}");
        let taken = io::Error::new(io::ErrorKind::AlreadyExists, "the file exists");
        assert_eq!(Failure::input(taken).line(), "the file exists; give another name");
        assert_eq!(Failure::input(anyhow::anyhow!("plain")).line(), "plain");
    }

    #[test]
    fn only_a_run_that_holds_the_file_is_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("game.csv");
        let _lock = Lock::take(&path).unwrap();
        let held = Failure::input(Lock::take(&path).unwrap_err()).line();
        assert!(held.ends_with("; wait until it ends, or give another name"), "{held}");
        let busy = Failure::input(io::Error::from(io::ErrorKind::ResourceBusy)).line();
        assert!(!busy.contains("wait"), "{busy}");
    }

    #[test]
    fn a_message_shows_the_end_of_a_long_path_and_the_advice() {
        let path = format!("/\u{1B}]0;planted\u{7}/{}game.csv", "long/".repeat(1000));
        let source = io::Error::from(io::ErrorKind::NotFound);
        let line = Failure::input(formats::Error::Read { path: path.into(), source }).line();
        assert_eq!(PROGRAM.len() + line.chars().count(), LONGEST_MESSAGE, "{line}");
        assert!(line.starts_with(r"cannot read /\u{1b}]0;planted\u{7}/long/"), "{line}");
        assert!(line.ends_with("long/game.csv: entity not found; check the path"), "{line}");
    }
}
