//! What a report tells, line by line: JSON between the tags of a script that is none.

use serde::{Deserialize, Serialize};

/// Orientation id, column and row of the origin.
pub(super) type Place = (u8, i8, i8);

/// One line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Line {
    /// A new game, with what is true at its first spawn.
    Game { frame: u64, level: u8 },
    /// A piece that locked.
    Placement(Box<Placement>),
    /// Something worth a word: frame and words.
    Note(u64, String),
    /// Frames in [runs](super::runs), on from those of the line before.
    Frames(String),
}

/// A piece from its spawn to the next.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Placement {
    /// Frame of the spawn.
    pub spawn: u64,
    /// Frame of the lock; none of a piece that is still falling at the end.
    pub lock: Option<u64>,
    /// Where it locked; at the end, where it was.
    pub at: Place,
    /// Letter of the next piece.
    pub next: Option<char>,
    /// Rows cleared.
    pub clears: u8,
    /// Before and after.
    pub score: (u32, u32),
    /// Before and after.
    pub lines: (u16, u16),
    /// Before and after.
    pub level: (u8, u8),
    /// The playfield before, three cells a letter; none where the log does not tell.
    pub field: Option<String>,
    /// The playfield after; only of a piece after which nothing comes.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub after: Option<String>,
    /// What the bot thought; not known from a log.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub plan: Option<Plan>,
}

/// A plan.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Plan {
    /// Where it wants the piece.
    pub at: Place,
    /// Its value; none where it is no number.
    pub value: Option<f64>,
    /// Where it would put the next piece.
    pub next: Option<Place>,
    /// Placements that the piece could reach.
    pub reachable: usize,
    /// The best others, best first.
    pub others: Vec<(Place, Option<f64>)>,
}

impl Line {
    /// As text that can stand inside a script: without `<`, which might end it.
    pub(super) fn text(&self) -> String {
        let json = serde_json::to_string(self).expect("a told line holds nothing that JSON cannot say");
        // In JSON these stand inside strings only.
        json.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_line_can_end_the_script_that_it_stands_in() {
        let line = Line::Note(7, "</script><!-- & ]]>".to_owned());
        let text = line.text();
        assert!(!text.contains(['<', '>', '&', '\n']), "{text}");
        assert_eq!(serde_json::from_str::<Line>(&text).unwrap(), line);
    }
}
