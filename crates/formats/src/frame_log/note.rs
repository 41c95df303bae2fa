//! The notes of a log: what happened in a frame.

use std::fmt;

use maxout_engine::bot::{Event, FrameReport};
use maxout_engine::game::crash::Danger;

/// The separator of two notes of the same frame.
pub(super) const NOTE_SEPARATOR: &str = "; ";

/// One note.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Note {
    /// `reset`: the reset button was pressed before this frame.
    Reset,
    /// `power`: power went off and on before this frame.
    Power,
    /// `start`: the first control frame of a game is next.
    Start,
    /// `lock`: a piece has locked.
    Lock,
    /// `clear 4`: this many rows were cleared and scored.
    Clear(u8),
    /// `level 19`: the level went up to this.
    Level(u8),
    /// `999999`: the score has reached 999,999.
    Maxout,
    /// `topout`: the game topped out.
    Topout,
    /// `jump`: the console's state jumped before this frame: a reset, a saved state that was loaded, a
    /// rewind.
    Jump,
    /// `person`: a person presses the buttons from this frame on.
    Person,
    /// `bot`: the bot presses the buttons again from this frame on.
    Bot,
    /// `T 29597 safe 212`: the piece was planned in this frame; T of its lock in cycles, what comes of it, and the
    /// cycles to the nearest danger. From level 130 on, where the game can crash. Of two for a piece the later one holds.
    Pass {
        /// T.
        cycles: u32,
        /// What comes of it; `None` for a safe lock.
        danger: Option<Danger>,
        /// Cycles to the nearest danger, 0 inside of it.
        margin: u32,
    },
}

/// The first word of [`Note::Pass`].
const PASS: &str = "T";
/// The verdict of a safe lock.
const SAFE: &str = "safe";
const DANGERS: [Danger; 3] = [Danger::Crash, Danger::HangUntilCounter, Danger::HangUntilButton];

impl Note {
    /// The note of an event; none of what only the bot knows.
    pub(super) fn of(event: &Event) -> Option<Note> {
        Some(match event {
            Event::GameStart => Note::Start,
            Event::Lock => Note::Lock,
            Event::Clear(rows) => Note::Clear(*rows),
            Event::LevelUp(level) => Note::Level(*level),
            Event::Maxout => Note::Maxout,
            Event::Topout => Note::Topout,
            Event::Jump => Note::Jump,
            Event::TakenOver => Note::Person,
            Event::HandedBack => Note::Bot,
            Event::Planned | Event::Desync(_) => return None,
        })
    }

    /// The note of a plan that was made in this frame.
    pub(crate) fn of_plan(report: &FrameReport<'_>) -> Option<Note> {
        let plan = report.plan.filter(|_| report.events.contains(&Event::Planned))?;
        let verdict = plan.lock?.verdict();
        Some(Note::Pass { cycles: verdict.cycles, danger: verdict.danger, margin: verdict.margin })
    }

    /// The notes in a text of the column that a replay can show: without the plans of the bot.
    pub(crate) fn without_plans(text: &str) -> String {
        let is_plan = |note: &&str| matches!(Note::parse(note), Some(Note::Pass { .. }));
        text.split(NOTE_SEPARATOR).filter(|note| !is_plan(note)).collect::<Vec<_>>().join(NOTE_SEPARATOR)
    }

    /// The notes in a text of the column; words of other programs are left out.
    pub(super) fn all_of(text: &str) -> Vec<Note> {
        text.split(NOTE_SEPARATOR).filter_map(Note::parse).collect()
    }

    pub(super) fn parse(text: &str) -> Option<Note> {
        Some(match text {
            "reset" => Note::Reset,
            "power" => Note::Power,
            "start" => Note::Start,
            "lock" => Note::Lock,
            "999999" => Note::Maxout,
            "topout" => Note::Topout,
            "jump" => Note::Jump,
            "person" => Note::Person,
            "bot" => Note::Bot,
            _ => match text.split_once(' ')? {
                ("clear", rows) => Note::Clear(rows.parse().ok()?),
                ("level", level) => Note::Level(level.parse().ok()?),
                (PASS, rest) => {
                    let (cycles, rest) = rest.split_once(' ')?;
                    let (name, margin) = rest.split_once(' ')?;
                    let danger = DANGERS.into_iter().find(|danger| danger.name() == name);
                    if danger.is_none() && name != SAFE {
                        return None;
                    }
                    Note::Pass { cycles: cycles.parse().ok()?, danger, margin: margin.parse().ok()? }
                }
                _ => return None,
            },
        })
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Note::Reset => f.write_str("reset"),
            Note::Power => f.write_str("power"),
            Note::Start => f.write_str("start"),
            Note::Lock => f.write_str("lock"),
            Note::Clear(rows) => write!(f, "clear {rows}"),
            Note::Level(level) => write!(f, "level {level}"),
            Note::Maxout => f.write_str("999999"),
            Note::Topout => f.write_str("topout"),
            Note::Jump => f.write_str("jump"),
            Note::Person => f.write_str("person"),
            Note::Bot => f.write_str("bot"),
            Note::Pass { cycles, danger, margin } => {
                write!(f, "{PASS} {cycles} {} {margin}", danger.map_or(SAFE, Danger::name))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_survive_their_text_and_other_words_are_left_out() {
        let all = [
            Note::Reset,
            Note::Power,
            Note::Start,
            Note::Lock,
            Note::Clear(4),
            Note::Level(255),
            Note::Maxout,
            Note::Topout,
            Note::Jump,
            Note::Person,
            Note::Bot,
            Note::Pass { cycles: 29_385, danger: None, margin: 212 },
            Note::Pass { cycles: 29_597, danger: Some(Danger::Crash), margin: 0 },
            Note::Pass { cycles: 30_996, danger: Some(Danger::HangUntilButton), margin: 0 },
        ];
        let text = all.map(|note| note.to_string()).join(NOTE_SEPARATOR);
        assert_eq!(Note::all_of(&text), all);
        assert_eq!(Note::all_of("hello; lock; clear x; level 256; "), [Note::Lock]);
        assert_eq!(Note::all_of("T 1 soft 2; T 1 safe; T x safe 2"), []);
        assert_eq!(Note::without_plans("T 29385 safe 212; lock; hello"), "lock; hello");
        assert_eq!(Note::without_plans("T 29385 safe 212"), "");
        assert_eq!(Note::all_of(""), []);
    }
}
