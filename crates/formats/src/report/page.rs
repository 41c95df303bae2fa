//! The page around the lines of a game: markup, style and script are files beside this one.

use crate::Provenance;
use maxout_engine::game::memory::tile;
use maxout_engine::game::{Orientation, Piece};
use maxout_engine::text::is_hidden;

const MARKUP: &str = include_str!("page.html");
/// The style of the pages of maxout.
pub const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// How the line of a placement begins.
pub(super) const PLACEMENT: &str = "{\"placement\":";
/// What ends a finished page. A browser shows a page that lacks it all the same: the end of the file
/// ends the script and the page.
pub(super) const TAIL: &str = "</script>\n</body>\n</html>\n";

/// The title of a page of grades. Such a page is a file of another kind than the page of a game.
pub const GRADED_TITLE: &str = "maxout: graded games";

/// The page of a game up to its first line.
pub(super) fn head(provenance: &Provenance) -> String {
    let title = match provenance.get("rom") {
        Some(rom) => format!("maxout on {}", escaped(rom)),
        None => "maxout".to_owned(),
    };
    titled(&title, provenance)
}

/// A page with this title up to its first line.
pub(super) fn titled(title: &str, provenance: &Provenance) -> String {
    let rows = provenance
        .entries()
        .map(|(key, value)| format!("<tr><th scope=\"row\">{}</th><td>{}</td></tr>\n", escaped(key), escaped(value)));
    // Inserted text is not searched again.
    let parts =
        [("{style}", STYLE), ("{script}", SCRIPT), ("{title}", title), ("{provenance}", &rows.collect::<String>())]
            .map(|(place, content)| (place, content.to_owned()));
    let mut page = String::new();
    let mut rest = MARKUP;
    while let Some((at, (place, content))) =
        parts.iter().filter_map(|part| Some((rest.find(part.0)?, part))).min_by_key(|(at, _)| *at)
    {
        page += &rest[..at];
        page += content;
        rest = &rest[at + place.len()..];
    }
    page + rest.trim_end() + "\n" + &pieces() + "\n"
}

/// The first line: what the script needs to know about pieces.
fn pieces() -> String {
    let cells: Vec<_> = Orientation::all().map(Orientation::cells).collect();
    let letters: String = Orientation::all().map(|orientation| orientation.piece().letter()).collect();
    let tiles: Vec<_> = Orientation::all().map(|orientation| orientation.tile() - (tile::WHITE - 1)).collect();
    let spawns: Vec<_> = Piece::ALL.map(|piece| piece.spawn().id()).to_vec();
    serde_json::json!({ "pieces": { "cells": cells, "letters": letters, "tiles": tiles, "spawns": spawns } })
        .to_string()
}

/// Escapes a text, for use between tags and in attributes.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '"' => escaped += "&quot;",
            '\'' => escaped += "&#39;",
            // HTML has no place for most of these.
            hidden if is_hidden(hidden) => escaped.push('\u{FFFD}'),
            other => escaped.push(other),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_from_outside_stays_text() {
        let provenance =
            Provenance::default().with("rom", "<script>alert('\"&')</script>{script}\u{1b}").with("<b>", "x");
        let page = head(&provenance);
        assert!(
            page.contains(
                "maxout on &lt;script&gt;alert(&#39;&quot;&amp;&#39;)&lt;/script&gt;{script}\u{FFFD}</title>"
            )
        );
        assert!(page.contains("<th scope=\"row\">&lt;b&gt;</th>"));
        // The script itself, and the one that holds the lines.
        assert_eq!(page.matches("<script").count(), 2);
        assert_eq!(page.matches("</script").count(), 1);
    }

    #[test]
    fn a_page_asks_for_nothing_from_elsewhere() {
        let page = head(&Provenance::default()) + TAIL;
        for word in ["http:", "https:", "src=", "url(", "@import", "<link", "fetch(", "import(", "innerHTML", "eval("] {
            assert!(!page.contains(word), "{word}");
        }
    }
}
