//! What every reader promises.

use std::error::Error;
use std::fs;
use std::path::PathBuf;

use maxout_engine::text::{is_hidden, shortened, visible};

/// Most characters of a message, as the program shows it.
const LONGEST: usize = 400;

/// What a message has that shows a value as Rust writes it for programmers. No file of the corpus has such words.
const DEBUG_TEXT: &[&str] = &["Error {", "kind: ", "Os {", "Custom {", "Some("];

/// Checks what the program shows of an error with its causes.
pub(crate) fn message(error: &dyn Error) {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text = format!("{text}: {error}");
        cause = error.source();
    }
    words(&text);
}

/// The same of a message that is a text. It may quote a file as it is: the program escapes and
/// shortens messages where it prints them.
pub(crate) fn words(text: &str) {
    let visible = visible(text);
    let shown = shortened(&visible, LONGEST);
    assert!(!shown.trim().is_empty(), "an empty message");
    let length = shown.chars().count();
    assert!(length <= LONGEST, "a message of {length} characters: {text:?}");
    assert!(!shown.contains(is_hidden), "a message with a hidden character: {text:?}");
    for debug in DEBUG_TEXT {
        assert!(!text.contains(debug), "a message with text for programmers, {debug:?}: {text:?}");
    }
}

/// A value, or `None` after its error has been checked.
pub(crate) fn read<T, E: Error>(result: Result<T, E>) -> Option<T> {
    result.map_err(|error| message(&error)).ok()
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

#[cfg(test)]
mod tests {
    use super::*;

    fn is_refused(text: &str) -> bool {
        std::panic::catch_unwind(|| words(text)).is_err()
    }

    #[test]
    fn messages_that_are_empty_or_for_programmers_are_refused() {
        assert!(is_refused("") && is_refused(" "));
        let io = std::io::Error::other("no room");
        assert!(is_refused(&format!("cannot read: {io:?}")) && !is_refused(&format!("cannot read: {io}")));
        assert!(is_refused(&format!("expected 3, found {:?}", Some(4))));
        assert!(!is_refused(&format!("expected a number, found \u{1B}[2J\n{}", "long".repeat(200))));
    }
}
