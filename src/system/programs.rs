//! Other programs on this machine.

use std::env;
use std::ffi::OsStr;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use maxout_engine::text;

/// Debian installs games here, and not every `PATH` contains it.
const GAMES: &str = "/usr/games";
/// Characters that are kept of the version line of another program. Chosen by hand, not measured.
const MAX_VERSION: usize = 60;

/// The first of these programs that is in `PATH` or in the folder of games.
pub(crate) fn find(names: &[&str]) -> Option<PathBuf> {
    find_in(names, &env::var_os("PATH").unwrap_or_default())
}

fn find_in(names: &[&str], path: &OsStr) -> Option<PathBuf> {
    let folders: Vec<PathBuf> = env::split_paths(path).chain([PathBuf::from(GAMES)]).collect();
    let files = names.iter().flat_map(|name| {
        let file = format!("{name}{}", env::consts::EXE_SUFFIX);
        folders.iter().map(move |folder| folder.join(&file))
    });
    files.into_iter().find(|program| program.is_file())
}

/// What a program prints with this argument; `None` when it does not start or fails.
pub(crate) fn printed(mut command: Command, argument: &str) -> Option<String> {
    let output = command.arg(argument).stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

/// A version as one short line that can be shown.
pub(crate) fn shown(version: &str) -> String {
    text::shortened(&text::visible(version.trim()), MAX_VERSION).into_owned()
}
