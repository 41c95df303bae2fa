//! Results on standard output, and words on standard error.

use std::io::{self, Write};

use anyhow::Context;

use super::drawn::above;
use super::failure::{Failure, PROGRAM};
use super::message::message;
use super::stdout::stdout;
use maxout_engine::text;

/// Writes a finished result; what a terminal would obey is escaped. A closed standard output is an
/// error, not a panic.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    let write = || {
        let mut stdout = stdout();
        stdout.write_all(text::visible_lines(text).as_bytes()).and_then(|()| stdout.flush())
    };
    above(write).context("cannot write the result to standard output").map_err(Failure::run)
}

/// Writes a result of one line. Its end is added.
pub(crate) fn print_line(text: &str) -> Result<(), Failure> {
    print(&(message(text) + "\n"))
}

/// Writes one JSON object on one line.
pub(crate) fn print_json(value: &impl serde::Serialize) -> Result<(), Failure> {
    print(&json_line(value))
}

/// One JSON object as a line.
pub(crate) fn json_line(value: &impl serde::Serialize) -> String {
    let json = serde_json::to_string(value).expect("results hold nothing that JSON cannot say");
    // What is hidden is in a string, and not a control character: those are escaped by now.
    let mut line = String::with_capacity(json.len() + 1);
    for letter in json.chars() {
        if text::is_hidden(letter) {
            line += &format!("\\u{:04x}", u32::from(letter));
        } else {
            line.push(letter);
        }
    }
    line + "\n"
}

/// Writes a finished result: to standard error where standard output belongs to rows.
pub(crate) fn print_beside(rows_on_stdout: bool, text: &str) -> Result<(), Failure> {
    if !rows_on_stdout {
        return print(text);
    }
    // A closed standard error does not end the run.
    let _ = above(|| io::stderr().write_all(text::visible_lines(text).as_bytes()));
    Ok(())
}

/// Prints a line on standard error, of at most 400 characters. A closed standard error does not end
/// the run.
pub(crate) fn say(text: &str) {
    let _ = above(|| writeln!(io::stderr(), "{}", message(text)));
}

/// Prints an error in the same way, with the program's name before it.
pub(crate) fn say_failure(failure: &Failure) {
    say(&(PROGRAM.to_owned() + &failure.line()));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_means_the_same_with_its_hidden_characters_escaped() {
        let planted = "\u{1B}]0;x\u{7}\u{7F}\u{9B}\u{202E}\u{FEFF}\n ä \" \\ 日";
        let line = json_line(&[planted]);
        assert!(line.trim_end().chars().all(|letter| !text::is_hidden(letter)), "{line:?}");
        assert!(line.contains(r"\u202e") && line.contains("ä"), "{line}");
        let back: Vec<String> = serde_json::from_str(&line).expect("JSON");
        assert_eq!(back, [planted]);
    }
}
