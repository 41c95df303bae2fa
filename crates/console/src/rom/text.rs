//! Names that strangers chose, as they may be shown.

use maxout_engine::text::is_hidden;

/// Members that an error lists. Chosen by hand, not measured.
const MAX_LISTED: usize = 5;
/// Letters of a name that are kept. Chosen by hand, not measured.
const MAX_NAME: usize = 80;

/// A list that stays on its line.
pub(super) fn listed(names: &[String]) -> String {
    match names {
        [] => "nothing".to_owned(),
        _ => {
            let more = names.len().saturating_sub(MAX_LISTED);
            let shown = names.iter().take(MAX_LISTED).map(String::as_str).collect::<Vec<_>>().join(", ");
            if more > 0 { format!("{shown} and {more} more") } else { shown }
        }
    }
}

/// A name that a stranger chose, without anything that a terminal would obey.
pub(super) fn plain(name: &str) -> String {
    name.chars().take(MAX_NAME).map(|letter| if is_hidden(letter) { '?' } else { letter }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn five_names_are_listed_and_the_others_counted() {
        let names: Vec<String> = ["a", "b", "c", "d", "e", "f", "g"].map(str::to_owned).to_vec();
        assert_eq!((listed(&[]), listed(&names[..1])), ("nothing".to_owned(), "a".to_owned()));
        assert_eq!(listed(&names[..5]), "a, b, c, d, e");
        assert_eq!(listed(&names), "a, b, c, d, e and 2 more");
    }

    #[test]
    fn a_name_has_at_most_80_letters_and_none_that_a_terminal_obeys() {
        assert_eq!(plain("a\u{1b}[1m\u{202e}b"), "a?[1m?b");
        assert_eq!(plain(&"é".repeat(100)), "é".repeat(80));
    }
}
