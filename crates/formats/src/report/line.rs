//! The lines of a page: JSON, one value a line, inside a `<script>` element whose type browsers do
//! not run.

use serde::{Deserialize, Serialize};

/// Orientation id, column and row of the origin.
pub(super) type PiecePlace = (u8, i8, i8);

/// One line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum PageLine {
    /// A new game: the frame of its first spawn, and the level there.
    Game { frame: u64, level: u8 },
    /// A piece that locked.
    Placement(Box<PlacementLine>),
    /// The grade of the piece of the line before.
    Grade(Box<GradeLine>),
    /// An event: frame and words.
    Note(u64, String),
    /// Frames in [runs](super::runs), on from those of the line before.
    Frames(String),
    /// How the run ended, in words: the last line of a page that was finished.
    End(String),
}

/// A piece from its spawn to the next.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct PlacementLine {
    /// Frame of the spawn.
    pub spawn: u64,
    /// Frame of the lock; none of a piece that is still falling at the end.
    pub lock: Option<u64>,
    /// Where it locked; of a piece that is still falling at the end, where it was.
    pub at: PiecePlace,
    /// Letter of the next piece.
    pub next: Option<char>,
    /// Rows cleared.
    pub clears: u8,
    /// Before and after.
    pub score: (u32, u32),
    /// The score without the cap before and after; only where it differs from the score.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub uncapped: Option<(u64, u64)>,
    /// Before and after.
    pub lines: (u16, u16),
    /// Before and after.
    pub level: (u8, u8),
    /// The playfield before, three cells a letter; none where it is not known.
    pub field: Option<String>,
    /// The playfield after; only for the last piece.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub after: Option<String>,
    /// The bot's plan; a log does not have it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub plan: Option<PlanLine>,
}

/// A plan.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct PlanLine {
    /// The placement that it wants.
    pub at: PiecePlace,
    /// Its value; none where it is not finite.
    pub value: Option<f64>,
    /// Where it would put the next piece.
    pub next: Option<PiecePlace>,
    /// Placements that the piece could reach.
    pub reachable: usize,
    /// The best other placements with their values, best first.
    pub others: Vec<(PiecePlace, Option<f64>)>,
}

/// The grade of a piece. Points are rounded.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct GradeLine {
    /// Name of its class.
    pub class: String,
    /// Expected points that it lost.
    pub loss: i64,
    /// Of which other kinds the error is: `misdrop`, `misjudgement`, `unknown` (cause), `burn`,
    /// `missed tetris`, `tuck not seen`, `out of reach`.
    pub kinds: Vec<String>,
    /// The best placement within reach.
    pub best: PiecePlace,
    /// What a misdrop aimed at.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub aimed: Option<PiecePlace>,
    /// The final score that was to be expected at the spawn, and after the lock.
    pub expected: (i64, i64),
    /// What the next piece added to it.
    pub luck: i64,
    /// Placements within reach, and those of them that are worth more.
    pub reachable: (u32, u32),
    /// What play-outs say of the loss: points, and the 95 % interval.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub checked: Option<(i64, i64, i64)>,
}

impl PageLine {
    /// Its text, without `<`, which might end the script around it.
    pub(super) fn text(&self) -> String {
        let json = serde_json::to_string(self).expect("numbers, texts and lists are JSON");
        // In JSON these occur inside strings only.
        json.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_line_can_end_the_script_that_it_stands_in() {
        let line = PageLine::Note(7, "</script><!-- & ]]>".to_owned());
        let text = line.text();
        assert!(!text.contains(['<', '>', '&', '\n']), "{text}");
        assert_eq!(serde_json::from_str::<PageLine>(&text).unwrap(), line);
    }
}
