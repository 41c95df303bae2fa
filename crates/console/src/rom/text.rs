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
