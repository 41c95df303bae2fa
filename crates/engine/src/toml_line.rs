//! What is wrong with a TOML text, in one line. Imports nothing of this crate.

use std::ops::Range;

/// `line 3: unknown field ...`: the parser's message after the line of the error.
pub fn describe(error: &toml::de::Error, text: &str) -> String {
    describe_after(error, text, 0)
}

/// The same of a text that stands after `before` lines of another.
pub fn describe_after(error: &toml::de::Error, text: &str, before: usize) -> String {
    let message = error.message().lines().map(str::trim).collect::<Vec<_>>().join(" ");
    let message = wrong_value(&message).unwrap_or(message);
    match error.span() {
        Some(place) => format!("line {}: {message}", before + line_of(text, &place)),
        None => message,
    }
}

/// `expected true or false, found 3`: what the parser says of a wrong value, in plain words; `None` for other messages.
fn wrong_value(message: &str) -> Option<String> {
    let said = message.strip_prefix("invalid type: ").or_else(|| message.strip_prefix("invalid value: "))?;
    let (found, expected) = said.split_once(", expected ")?;
    let found = match found.split_once(['`', '"']) {
        Some((_, value)) if found.contains('`') => value.split('`').next()?.to_owned(),
        Some((_, value)) => format!("\"{value}"),
        None if found == "map" => "a table".to_owned(),
        None if found == "sequence" => "an array".to_owned(),
        None => found.to_owned(),
    };
    let expected = match expected {
        "i8" | "i16" | "i32" | "i64" | "i128" | "isize" => "a whole number".to_owned(),
        "u8" => format!("a whole number, 0 to {}", u8::MAX),
        "u16" => format!("a whole number, 0 to {}", u16::MAX),
        "u32" => format!("a whole number, 0 to {}", u32::MAX),
        "u64" | "u128" | "usize" => "a whole number from 0 on".to_owned(),
        "f32" | "f64" => "a number".to_owned(),
        "a boolean" => "true or false".to_owned(),
        "a sequence" => "an array".to_owned(),
        "a map" => "a table".to_owned(),
        other if other.starts_with("a nonzero ") => "a whole number from 1 on".to_owned(),
        other => other.to_owned(),
    };
    Some(format!("expected {expected}, found {found}"))
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

    #[test]
    fn a_wrong_value_is_told_in_plain_words() {
        /// The message for the line `a = VALUE`, where `a` has another type.
        macro_rules! said {
            ($kind:ty, $value:expr) => {{
                let text = format!("a = {}", $value);
                describe(&toml::from_str::<BTreeMap<String, $kind>>(&text).expect_err("another type"), &text)
            }};
        }
        assert_eq!(said!(u64, "-1"), "line 1: expected a whole number from 0 on, found -1");
        assert_eq!(said!(u8, "300"), "line 1: expected a whole number, 0 to 255, found 300");
        assert_eq!(said!(u32, "true"), "line 1: expected a whole number, 0 to 4294967295, found true");
        assert_eq!(
            said!(u64, "99999999999999999999"),
            "line 1: expected a whole number from 0 on, found 99999999999999999999"
        );
        assert_eq!(said!(u64, "19.5"), "line 1: expected a whole number from 0 on, found 19.5");
        assert_eq!(said!(i32, "\"x\""), "line 1: expected a whole number, found \"x\"");
        assert_eq!(said!(f32, "[1]"), "line 1: expected a number, found an array");
        assert_eq!(said!(bool, "1"), "line 1: expected true or false, found 1");
        assert_eq!(said!(String, "{b = 1}"), "line 1: expected a string, found a table");
        assert_eq!(said!(Vec<u8>, "1"), "line 1: expected an array, found 1");
        assert_eq!(said!(std::num::NonZeroU32, "0"), "line 1: expected a whole number from 1 on, found 0");
    }
}
