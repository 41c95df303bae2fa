//! What is wrong with a TOML text, in one line. Imports nothing of this crate.

use std::ops::Range;

/// `line 3: unknown field ...`: the parser's message after the line of the error.
pub fn describe(error: &toml::de::Error, text: &str) -> String {
    describe_after(error, text, 0)
}

/// The same of a text that stands after `before` lines of another.
pub fn describe_after(error: &toml::de::Error, text: &str, before: usize) -> String {
    let message = error.message().lines().map(str::trim).collect::<Vec<_>>().join(" ");
    match error.span() {
        Some(place) => format!("line {}: {message}", before + line_of(text, &place)),
        None => message,
    }
}

/// `line 3: ...`: a problem after the line of its place.
pub(crate) fn at(text: &str, place: &Range<usize>, problem: &str) -> String {
    format!("line {}: {problem}", line_of(text, place))
}

/// The line in which a place begins, from 1.
pub(crate) fn line_of(text: &str, place: &Range<usize>) -> usize {
    1 + text.bytes().take(place.start).filter(|&byte| byte == b'\n').count()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn the_message_is_one_line_that_begins_with_its_place() {
        let text = "a = 1\nb = 2\nc = \n";
        let error = toml::from_str::<BTreeMap<String, i64>>(text).expect_err("no value");
        let described = describe(&error, text);
        assert!(described.starts_with("line 3: ") && !described.contains('\n'), "{described}");
    }
}
