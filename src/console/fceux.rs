//! FCEUX as it is installed on this machine.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::system::programs;

/// The names of the program.
pub(crate) const PROGRAMS: &[&str] = &["fceux", "fceux-qt"];
/// How to install it.
pub(crate) const INSTALL: &str = "install it (apt install fceux, brew install fceux)";

/// FCEUX, which can run a script.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fceux {
    pub path: PathBuf,
    /// As it says itself, or `of an unknown version`.
    pub version: String,
}

/// Why a program cannot be driven.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Unfit {
    #[error("{} does not start", .0.display())]
    DoesNotStart(PathBuf),
    #[error("{} {} is built without Lua: expected an FCEUX with the option --loadlua", .0.display(), .1)]
    NoLua(PathBuf, String),
}

impl Fceux {
    /// Asks the program what it is. Its help names the version and, if it can run scripts, their option.
    pub(crate) fn look(path: &Path) -> Result<Fceux, Unfit> {
        let mut command = Command::new(path);
        // The help needs no display. Without one, the windowing library would end the program.
        command.env("QT_QPA_PLATFORM", "offscreen");
        let help = programs::printed(command, "--help").ok_or_else(|| Unfit::DoesNotStart(path.to_owned()))?;
        Fceux::read(path, &help)
    }

    /// Reads the help of the program.
    fn read(path: &Path, help: &str) -> Result<Fceux, Unfit> {
        let version = help.lines().find_map(|line| line.strip_prefix("Starting FCEUX ")?.strip_suffix("..."));
        let version = version.map_or("of an unknown version".to_owned(), programs::shown);
        if help.contains("--loadlua") {
            Ok(Fceux { path: path.to_owned(), version })
        } else {
            Err(Unfit::NoLua(path.to_owned(), version))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_help_tells_the_version_and_whether_there_are_scripts() {
        let path = Path::new("/opt/fceux");
        let read = |help: &str| Fceux::read(path, help).map(|fceux| fceux.version);
        let help = "Starting FCEUX 2.6.5...\n\nUsage is as follows:\n--loadlua      f       Loads lua script\n";
        assert_eq!(read(help), Ok("2.6.5".to_owned()));
        assert_eq!(read("--loadlua f"), Ok("of an unknown version".to_owned()));
        let without = read(&help.replace("--loadlua", "--palette")).expect_err("it runs no script").to_string();
        assert!(without.starts_with("/opt/fceux 2.6.5 is built without Lua"), "{without}");
        assert_eq!(Fceux::look(Path::new("/no/such/fceux")), Err(Unfit::DoesNotStart("/no/such/fceux".into())));
    }
}
