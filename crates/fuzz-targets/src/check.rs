//! What every reader promises.

use std::error::Error;
use std::fs;
use std::path::PathBuf;

/// Most characters of a message.
const LONGEST: usize = 400;

/// The targets whose messages quote what is in a file as it is: the program escapes and shortens them
/// where it prints them.
const UNCHECKED: &[&str] = &[
    "fm2",
    "bk2",
    "log_csv",
    "log_jsonl",
    "gzip",
    "trace",
    "trace_zst",
    "rom",
    "rom_archive",
    "config",
    "ram_map",
    "weights",
    "schedule",
    "pattern",
    "pso_checkpoint",
    "td_checkpoint",
    "games",
    "player_answer",
    "saved_run",
];

/// Checks that an error, with its causes, is one line of at most [`LONGEST`] characters in which no
/// character commands a terminal.
///
/// `MAXOUT_FUZZ_MESSAGES=all` checks the targets of [`UNCHECKED`], too.
pub(crate) fn message(target: &str, error: &dyn Error) {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text = format!("{text}: {error}");
        cause = error.source();
    }
    words(target, &text);
}

/// The same of a message that is a text.
pub(crate) fn words(target: &str, text: &str) {
    if UNCHECKED.contains(&target) && std::env::var_os("MAXOUT_FUZZ_MESSAGES").is_none() {
        return;
    }
    assert!(!text.is_empty(), "an empty message");
    let length = text.chars().count();
    assert!(length <= LONGEST, "a message of {length} characters: {text:?}");
    assert!(!text.chars().any(commands), "a message with a control character: {text:?}");
}

/// Does a terminal obey this character: control characters and those that turn the direction of text?
fn commands(letter: char) -> bool {
    letter.is_control() || matches!(letter, '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

/// A value, or `None` after its error has been checked.
pub(crate) fn read<T, E: Error>(target: &str, result: Result<T, E>) -> Option<T> {
    result.map_err(|error| message(target, &error)).ok()
}

/// The path of a file with these bytes, for readers that take only paths. It is written again at the
/// next call from the same thread with the same ending.
pub(crate) fn file(ending: &str, bytes: &[u8]) -> PathBuf {
    thread_local! {
        static FOLDER: tempfile::TempDir = tempfile::tempdir().expect("a folder for files");
    }
    let path = FOLDER.with(|folder| folder.path().join(format!("file.{ending}")));
    fs::write(&path, bytes).unwrap_or_else(|error| panic!("cannot write {}: {error}", path.display()));
    path
}
