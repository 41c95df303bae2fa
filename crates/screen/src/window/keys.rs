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
}

impl Command {
    /// Whether it is repeated while its key stays down.
    pub(super) fn repeats(self) -> bool {
        self == Command::Step
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
        _ => return None,
    })
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
        assert_eq!(press("c", ModifiersState::empty()), None);
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
    fn alt_enter_fills_the_screen_and_enter_does_nothing() {
        let enter = Key::Named(NamedKey::Enter);
        assert_eq!(command(&enter, ModifiersState::ALT), Some(Command::ToggleFullscreen));
        assert_eq!(command(&enter, ModifiersState::empty()), None);
    }
}
