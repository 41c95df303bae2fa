//! The commands of the keys in the window: those of the terminal view and a few more.

use winit::keyboard::{Key, ModifiersState, NamedKey};

/// What a watcher can ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Command {
    /// Pause the run, or let it go on.
    TogglePause,
    /// Pause, and let one frame pass.
    Step,
    /// The next higher speed.
    Faster,
    /// The next lower speed.
    Slower,
    /// Show or hide the panel.
    TogglePanel,
    /// Show or hide the placements of the plan.
    ToggleGhost,
    /// Enter or leave full screen.
    ToggleFullscreen,
    /// Show or hide the list of keys.
    ToggleHelp,
    /// Write a picture.
    Screenshot,
    /// Begin a film, or end it.
    Record,
    /// End the run.
    Quit,
    /// A key without a meaning of its own.
    Other,
}

impl Command {
    /// Whether it is repeated while its key stays down.
    pub(super) fn repeats(self) -> bool {
        self == Command::Step
    }

    /// Does it leave a run that is over? The same keys do in the terminal.
    pub(super) fn leaves_the_end(self) -> bool {
        matches!(self, Command::TogglePause | Command::Quit | Command::Other)
    }
}

/// The command of a key that went down, if it has one.
pub(super) fn command(key: &Key, modifiers: ModifiersState) -> Option<Command> {
    let text = match key {
        Key::Named(NamedKey::Space | NamedKey::Escape) => return Some(Command::TogglePause),
        Key::Named(NamedKey::F11) => return Some(Command::ToggleFullscreen),
        Key::Named(NamedKey::F12) => return Some(Command::Screenshot),
        Key::Named(NamedKey::F1) => return Some(Command::ToggleHelp),
        Key::Named(NamedKey::Enter) if modifiers.alt_key() => return Some(Command::ToggleFullscreen),
        Key::Named(named) => return is_plain(*named).then_some(Command::Other).filter(|_| !modifiers.alt_key()),
        Key::Character(text) => text.as_str(),
        _ => return None,
    };
    if modifiers.control_key() || modifiers.super_key() {
        return matches!(text, "c" | "C" | "q" | "Q" | "w" | "W").then_some(Command::Quit);
    }
    Some(match text {
        " " | "p" | "P" => Command::TogglePause,
        "." | "n" | "N" => Command::Step,
        "+" | "=" => Command::Faster,
        "-" | "_" => Command::Slower,
        "v" | "V" => Command::TogglePanel,
        "g" | "G" => Command::ToggleGhost,
        "f" | "F" => Command::ToggleFullscreen,
        "?" | "h" | "H" => Command::ToggleHelp,
        "s" | "S" => Command::Screenshot,
        "r" | "R" => Command::Record,
        "q" | "Q" => Command::Quit,
        _ => Command::Other,
    })
}

/// Is it a key of its own? Not Shift, not those of the sound, not Print Screen.
fn is_plain(key: NamedKey) -> bool {
    use NamedKey::{
        ArrowDown, ArrowLeft, ArrowRight, ArrowUp, Backspace, Delete, End, Enter, Home, Insert, PageDown, PageUp, Tab,
    };
    matches!(
        key,
        ArrowDown
            | ArrowLeft
            | ArrowRight
            | ArrowUp
            | Backspace
            | Delete
            | End
            | Enter
            | Home
            | Insert
            | PageDown
            | PageUp
            | Tab
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn press(text: &str, modifiers: ModifiersState) -> Option<Command> {
        command(&Key::Character(text.into()), modifiers)
    }

    #[test]
    fn control_c_quits_and_c_alone_does_nothing() {
        assert_eq!(press("c", ModifiersState::CONTROL), Some(Command::Quit));
        assert_eq!(press("c", ModifiersState::empty()), Some(Command::Other));
        assert_eq!(press("s", ModifiersState::CONTROL), None);
    }

    #[test]
    fn shift_does_not_change_a_meaning() {
        assert_eq!(press("?", ModifiersState::SHIFT), Some(Command::ToggleHelp));
        assert_eq!(press("V", ModifiersState::SHIFT), press("v", ModifiersState::empty()));
    }

    #[test]
    fn escape_pauses() {
        let escape = Key::Named(NamedKey::Escape);
        assert_eq!(command(&escape, ModifiersState::empty()), Some(Command::TogglePause));
    }

    #[test]
    fn alt_enter_fills_the_screen_and_enter_has_no_meaning_of_its_own() {
        let enter = Key::Named(NamedKey::Enter);
        assert_eq!(command(&enter, ModifiersState::ALT), Some(Command::ToggleFullscreen));
        assert_eq!(command(&enter, ModifiersState::empty()), Some(Command::Other));
    }

    #[test]
    fn the_end_is_left_by_the_keys_that_have_nothing_to_do_there() {
        let leaves = |key: Key| command(&key, ModifiersState::empty()).is_some_and(Command::leaves_the_end);
        let named = |key| leaves(Key::Named(key));
        assert!(["q", "x", "p", "1"].iter().all(|text| leaves(Key::Character((*text).into()))));
        assert!([NamedKey::Enter, NamedKey::Space, NamedKey::Escape, NamedKey::ArrowDown].into_iter().all(named));
        assert!(
            !["v", "g", "f", "s", "?", "r", "+", "-", "."].iter().any(|text| leaves(Key::Character((*text).into())))
        );
        assert!(![NamedKey::Shift, NamedKey::PrintScreen, NamedKey::AudioVolumeUp].into_iter().any(named));
        assert_eq!(command(&Key::Named(NamedKey::Tab), ModifiersState::ALT), None);
    }
}
