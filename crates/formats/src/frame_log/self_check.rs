//! The check that a log's buttons are those that the game read.

use maxout_engine::ram::GameMode;

use super::column::LogColumn;
use super::note::Note;
use super::row::LogRow;

/// Checks rows while they are written.
#[derive(Debug, Clone, Default)]
pub(crate) struct SelfCheck {
    was_demo: bool,
}

impl SelfCheck {
    /// The violation of a row, in words.
    pub(crate) fn violation(&mut self, row: &LogRow) -> Option<String> {
        let mode = row.get(LogColumn::Mode).and_then(|mode| mode.parse().ok()).unwrap_or(0);
        let counts = presses_count(mode) && !std::mem::replace(&mut self.was_demo, !presses_count(mode));
        // What a saved state or a reset leaves in RAM was not pressed before.
        let jumped = row.get(LogColumn::Note).is_some_and(|notes| Note::all_of(notes).contains(&Note::Jump));
        let counts = counts && !jumped;
        let (buttons, held) = (row.get(LogColumn::Buttons)?, row.get(LogColumn::Held)?);
        (counts && row.polled() == Some(true) && !buttons.eq_ignore_ascii_case(held)).then(|| {
            format!("expected buttons {buttons} to be what the polled game holds, found held {held}: the log contradicts itself")
        })
    }
}

/// Must pressed buttons equal polled ones in this mode? The demo presses by itself.
fn presses_count(mode: u8) -> bool {
    mode != GameMode::Demo as u8 && mode != GameMode::DemoStart as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn after_a_jump_the_game_may_hold_what_was_not_pressed() {
        for (note, is_wrong) in [("", true), ("jump", false), ("jump; lock", false), ("lock", true)] {
            let mut row = LogRow::default();
            for (column, text) in [
                (LogColumn::Mode, "4"),
                (LogColumn::Buttons, "01"),
                (LogColumn::Held, "02"),
                (LogColumn::Polled, "1"),
                (LogColumn::Note, note),
            ] {
                row.set(column, text);
            }
            assert_eq!(SelfCheck::default().violation(&row).is_some(), is_wrong, "{note:?}");
        }
    }
}
