//! Messages: one line, of a length that people read.

use maxout_engine::text;

/// Most characters of a message: five lines of a terminal. Chosen by hand, not measured.
pub(crate) const LONGEST_MESSAGE: usize = 400;

/// A message as it is shown: on one line, with what a file or a stranger planted in it escaped, and not
/// longer than [`LONGEST_MESSAGE`].
pub(crate) fn message(text: &str) -> String {
    text::shortened(&text::visible(text), LONGEST_MESSAGE).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_one_short_line() {
        assert_eq!(message("a\u{1B}[2J\nb"), r"a\u{1b}[2J\nb");
        let long = message(&format!("cannot read /{}/end", "x".repeat(5000)));
        assert_eq!(long.chars().count(), LONGEST_MESSAGE);
        assert!(long.starts_with("cannot read /") && long.ends_with("/end"), "{long}");
    }
}
