//! A lock with its verdict, for people and for programs.

use serde::Serialize;

use maxout_engine::game::Piece;
use maxout_engine::game::crash::{Lock, PHASES, PushdownRows, Remedy, Verdict};
use maxout_engine::text::thousands;

/// A lock with its verdict; as JSON, one object with these keys.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Judged {
    /// The game in its file, from 1; none for a position and a trace.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub game: Option<usize>,
    /// The piece in the game, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub piece: Option<usize>,
    /// Of a log or movie the frame in which the piece landed, of a trace the frame that scored it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub frame: Option<u64>,
    /// The placement of a position.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub placement: Option<String>,
    /// Rows cleared.
    pub clears: u8,
    /// The level after the lock.
    pub level: u8,
    /// Lines after the lock.
    pub lines: u16,
    /// Is the next box hidden?
    pub next_hidden: bool,
    /// Rows of pushdown.
    pub pushdown: u8,
    /// T.
    pub cycles: u32,
    /// `safe`, `crash`, `hang-until-counter` or `hang-until-button`.
    pub verdict: &'static str,
    /// The share of the console's phases in which it comes, 0 to 1: 0 for what is only near.
    pub chance: f64,
    /// Cycles to the nearest danger; 0 inside of it.
    pub margin: u32,
    /// What would have been safe.
    pub remedies: Vec<RemedyJson>,
    #[serde(skip)]
    verdict_of: Verdict,
}

/// What would have been safe.
#[derive(Debug, Clone, Serialize)]
pub(super) struct RemedyJson {
    /// `select`, `pushdown`, `select-and-pushdown`, `clear` or `press-a`.
    pub kind: &'static str,
    /// Rows of pushdown, the fewest and the most.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pushdown: Option<[u8; 2]>,
    /// Rows cleared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clears: Option<u8>,
    #[serde(skip)]
    words: String,
}

/// Where a lock was found.
#[derive(Debug, Clone, Default)]
pub(super) struct Found {
    pub game: Option<usize>,
    pub piece: Option<usize>,
    /// Which piece locked, if that is known.
    pub of: Option<Piece>,
    pub frame: Option<u64>,
    pub placement: Option<String>,
}

impl Judged {
    pub(super) fn new(found: Found, lock: &Lock) -> Judged {
        let verdict = Verdict::of(lock);
        let Found { game, piece, of, frame, placement } = found;
        Judged {
            game,
            piece,
            frame,
            placement,
            clears: lock.rows,
            level: lock.level,
            lines: lock.lines,
            next_hidden: lock.next_hidden,
            pushdown: lock.pushdown,
            cycles: verdict.cycles,
            verdict: verdict.danger.map_or("safe", |danger| danger.name()),
            chance: verdict.chance(),
            margin: verdict.margin,
            remedies: lock.remedies(of).into_iter().map(|remedy| RemedyJson::new(remedy, lock)).collect(),
            verdict_of: verdict,
        }
    }

    pub(super) fn is_safe(&self) -> bool {
        self.verdict_of.is_safe()
    }

    /// `crash`, `may crash (5 of 8 phases)`, `safe by 212`.
    pub(super) fn words(&self) -> String {
        let Verdict { danger, phases, margin, .. } = self.verdict_of;
        let Some(danger) = danger else { return format!("safe by {} cycles", thousands(margin.into())) };
        let what = match danger.name() {
            "crash" => "crash",
            "hang-until-counter" => "hang (up to 255 frames)",
            _ => "hang (until a button)",
        };
        match phases {
            PHASES => what.to_owned(),
            0 => format!("near a {what}: {margin} cycles"),
            phases => format!("{what} in {phases} of {PHASES} phases"),
        }
    }

    /// What would have been safe, in words; a dash for nothing.
    pub(super) fn remedy_words(&self) -> String {
        match self.remedies.as_slice() {
            [] if self.is_safe() => String::new(),
            [] => "nothing of Select, pushdown, or another clear".to_owned(),
            remedies => remedies.iter().map(|remedy| remedy.words.as_str()).collect::<Vec<_>>().join(", "),
        }
    }
}

impl RemedyJson {
    fn new(remedy: Remedy, lock: &Lock) -> RemedyJson {
        let select = if lock.next_hidden { "show the next box (Select)" } else { "hide the next box (Select)" };
        let rows = |rows: PushdownRows| match rows {
            PushdownRows::None => ("no pushdown", [0, 1]),
            PushdownRows::Few => ("2 to 7 rows of pushdown", [2, 7]),
            PushdownRows::Many => ("8 or more rows of pushdown", [8, 20]),
        };
        let (kind, pushdown, clears, words) = match remedy {
            Remedy::Select => ("select", None, None, select.to_owned()),
            Remedy::Pushdown(pushed) => ("pushdown", Some(rows(pushed).1), None, rows(pushed).0.to_owned()),
            Remedy::SelectAndPushdown(pushed) => {
                let (words, range) = rows(pushed);
                ("select-and-pushdown", Some(range), None, format!("{select} with {words}"))
            }
            Remedy::Clear(clears) => ("clear", None, Some(clears), clear(clears).to_owned()),
            Remedy::PressA => ("press-a", None, None, "hold A".to_owned()),
        };
        RemedyJson { kind, pushdown, clears, words }
    }
}

/// A clear in words.
pub(super) fn clear(rows: u8) -> &'static str {
    match rows {
        0 => "no clear",
        1 => "a single",
        2 => "a double",
        3 => "a triple",
        _ => "a tetris",
    }
}
