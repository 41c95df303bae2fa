//! Command lines quoted for a shell.

/// The command line of this run.
pub(crate) fn command_line() -> String {
    let arguments = std::env::args_os().skip(1).map(|argument| quoted(&argument.to_string_lossy()));
    std::iter::once("maxout".to_owned()).chain(arguments).collect::<Vec<_>>().join(" ")
}

/// A word, in quotes where a shell would change it.
pub(crate) fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "._-/:=".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_with_odd_characters_are_quoted() {
        for (word, text) in [("a-b/c.toml", "a-b/c.toml"), ("my file", "'my file'"), ("it's", r"'it'\''s'"), ("", "''")]
        {
            assert_eq!(quoted(word), text);
        }
        assert_eq!(quoted("--seed=4"), "--seed=4");
        assert_eq!(quoted("it's $HOME"), r"'it'\''s $HOME'");
    }
}
