//! The terminal's alternate screen, taken and always given back.

use std::io::{self, IsTerminal as _, stdout};
use std::panic;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

use crossterm::cursor::{Hide, Show};
use crossterm::execute;
use crossterm::terminal::{EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode};

/// Is the terminal ours at the moment? A process has one terminal, so this is one for all.
static TAKEN: AtomicBool = AtomicBool::new(false);

/// Holds the alternate screen and raw mode; dropping it gives both back.
#[derive(Debug)]
pub(super) struct Screen(());

impl Screen {
    /// Takes the terminal. From now on a panic gives it back before its message is printed.
    pub(super) fn take() -> io::Result<Screen> {
        if !stdout().is_terminal() {
            return Err(io::Error::new(io::ErrorKind::Unsupported, "standard output is not a terminal"));
        }
        give_back_on_panic();
        enable_raw_mode()?;
        TAKEN.store(true, Ordering::SeqCst);
        let screen = Screen(());
        execute!(stdout(), EnterAlternateScreen, Hide)?;
        Ok(screen)
    }

    /// A panic anywhere in the program has given the terminal back.
    pub(super) fn is_lost(&self) -> bool {
        !TAKEN.load(Ordering::SeqCst)
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        give_back();
    }
}

/// Gives the terminal back, once. What fails here cannot be helped.
fn give_back() {
    if TAKEN.swap(false, Ordering::SeqCst) {
        let _ = execute!(stdout(), Show, LeaveAlternateScreen);
        let _ = disable_raw_mode();
    }
}

fn give_back_on_panic() {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            give_back();
            before(info);
        }));
    });
}
