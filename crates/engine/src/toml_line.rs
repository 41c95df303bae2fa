//! What is wrong with a TOML text, in one line. Imports nothing, so that every room may use it.

/// `line 3: unknown field ...`: the parser's message with the line where it stands.
pub fn describe(error: &toml::de::Error, text: &str) -> String {
    let message = error.message().lines().map(str::trim).collect::<Vec<_>>().join(" ");
    match error.span() {
        Some(span) => {
            let line = 1 + text.bytes().take(span.start).filter(|&byte| byte == b'\n').count();
            format!("line {line}: {message}")
        }
        None => message,
    }
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
