//! What a key means to the view.

use crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

/// What a watcher can ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Command {
    /// Hold the run, or let it go on.
    TogglePause,
    /// Pause, and let one frame pass.
    Step,
    /// The next higher speed.
    Faster,
    /// The next lower speed.
    Slower,
    /// Show or hide the list of keys.
    ToggleHelp,
    /// The next view.
    NextView,
    /// Write a picture.
    Screenshot,
    /// Begin a film, or end it.
    Record,
    /// Draw again: the terminal has another size.
    Redraw,
    /// End the run.
    Quit,
    /// A key without a meaning of its own.
    Other,
}

impl Command {
    /// Does it leave the view of a run that is over? Only keys do that have nothing else to do there,
    /// and that nobody holds down or presses again and again during a run.
    pub(super) fn leaves_the_end(self) -> bool {
        matches!(self, Command::TogglePause | Command::Quit | Command::Other)
    }
}

/// The command of a terminal event, if it has one.
pub(super) fn command(event: &Event) -> Option<Command> {
    match event {
        Event::Key(key) if key.kind != KeyEventKind::Release => of_key(*key),
        Event::Resize(..) => Some(Command::Redraw),
        _ => None,
    }
}

fn of_key(key: KeyEvent) -> Option<Command> {
    if key.modifiers.contains(KeyModifiers::CONTROL) {
        return matches!(key.code, KeyCode::Char('c' | 'C')).then_some(Command::Quit);
    }
    Some(match key.code {
        KeyCode::Char(' ' | 'p' | 'P') | KeyCode::Esc => Command::TogglePause,
        KeyCode::Char('.' | 'n' | 'N') => Command::Step,
        KeyCode::Char('+' | '=') => Command::Faster,
        KeyCode::Char('-' | '_') => Command::Slower,
        KeyCode::Char('?' | 'h' | 'H') => Command::ToggleHelp,
        KeyCode::Char('v' | 'V') => Command::NextView,
        KeyCode::Char('r' | 'R') => Command::Record,
        KeyCode::Char('s' | 'S') => Command::Screenshot,
        KeyCode::Char('q' | 'Q') => Command::Quit,
        _ => Command::Other,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn press(code: KeyCode, modifiers: KeyModifiers) -> Option<Command> {
        command(&Event::Key(KeyEvent::new(code, modifiers)))
    }

    #[test]
    fn control_c_quits_and_c_alone_does_nothing() {
        assert_eq!(press(KeyCode::Char('c'), KeyModifiers::CONTROL), Some(Command::Quit));
        assert_eq!(press(KeyCode::Char('c'), KeyModifiers::NONE), Some(Command::Other));
        assert_eq!(press(KeyCode::Char('s'), KeyModifiers::CONTROL), None);
    }

    #[test]
    fn shift_does_not_change_a_meaning() {
        assert_eq!(press(KeyCode::Char('?'), KeyModifiers::SHIFT), Some(Command::ToggleHelp));
        assert_eq!(press(KeyCode::Char('+'), KeyModifiers::SHIFT), Some(Command::Faster));
    }

    #[test]
    fn letting_a_key_go_means_nothing() {
        let mut key = KeyEvent::new(KeyCode::Char('q'), KeyModifiers::NONE);
        key.kind = KeyEventKind::Release;
        assert_eq!(command(&Event::Key(key)), None);
    }
}
