//! The page: markup, style and script are files beside this one; the style begins with that of the report.

use maxout_engine::game::Piece;
use maxout_formats::report::STYLE;

const MARKUP: &str = include_str!("page.html");
const OWN_STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// The page.
pub(crate) fn page() -> String {
    let style = STYLE.to_owned() + OWN_STYLE;
    MARKUP.replace("{style}", &style).replace("{known}", &pieces()).replace("{script}", SCRIPT)
}

/// What the script needs to know about pieces: letters, and cells as rows and columns at the spawn.
fn pieces() -> String {
    let pieces = Piece::ALL.map(|piece| {
        let cells = piece.spawn().cells().map(|(row, column)| [row, column]);
        serde_json::json!({ "letter": piece.letter().to_string(), "cells": cells })
    });
    serde_json::json!({ "pieces": pieces, "spawnColumn": maxout_engine::game::SPAWN_X }).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_asks_this_server_alone() {
        let page = page();
        for word in
            ["http:", "https:", "src=", "url(", "@import", "import(", "innerHTML", "eval(", "{style}", "{known}"]
        {
            assert!(!page.contains(word), "{word}");
        }
        let asked: Vec<&str> = page.split("fetch(").skip(1).map(|rest| &rest[..9]).collect();
        assert!(!asked.is_empty() && asked.iter().all(|start| start.starts_with("\"/")), "{asked:?}");
    }
}
