//! The terminal's alternate screen, taken and always given back.

use std::io::{self, IsTerminal as _, stdout};
use std::panic;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, Once, TryLockError};
use std::thread;
use std::time::Duration;

use crossterm::cursor::{Hide, Show};
use crossterm::execute;
use crossterm::terminal::{
    Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};

/// Has this program taken the terminal? A process has one terminal, so this is one for all.
static TAKEN: AtomicBool = AtomicBool::new(false);

/// Has it been given back since? Then nothing is drawn any more.
static LOST: AtomicBool = AtomicBool::new(false);

/// Held while something is drawn.
static DRAWING: Mutex<()> = Mutex::new(());

/// How long giving back waits for a drawing, in milliseconds: the thread that draws may be the one
/// that panics, and then its drawing never ends. Chosen by hand, not measured.
const DRAWING_WAIT: u64 = 100;

/// Holds the alternate screen and raw mode; dropping it gives both back.
#[derive(Debug)]
pub struct Screen(());

impl Screen {
    /// Takes the terminal. From now on a panic gives it back before its message is printed.
    ///
    /// # Errors
    /// When standard output is not a terminal, or the terminal refuses.
    pub fn take() -> io::Result<Screen> {
        if !stdout().is_terminal() {
            return Err(io::Error::new(io::ErrorKind::Unsupported, "standard output is not a terminal"));
        }
        give_back_on_panic();
        enable_raw_mode()?;
        TAKEN.store(true, Ordering::SeqCst);
        LOST.store(false, Ordering::SeqCst);
        let screen = Screen(());
        execute!(stdout(), EnterAlternateScreen, Hide)?;
        Ok(screen)
    }
}

/// The right to draw: while it is held, the terminal is not given back.
pub(super) struct Turn(#[expect(dead_code, reason = "held, not read")] MutexGuard<'static, ()>);

impl Turn {
    /// Waits for the right to draw; `None` once the terminal was given back.
    pub(super) fn take() -> Option<Turn> {
        // Poisoned by a panic in a drawing, which has given the terminal back.
        let guard = DRAWING.lock().ok()?;
        (!LOST.load(Ordering::SeqCst)).then_some(Turn(guard))
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        give_back();
    }
}

/// Gives the terminal back, if a view has taken it; nothing is drawn after that. For a program that ends without dropping the view.
/// Errors are ignored.
pub fn give_back() {
    if TAKEN.swap(false, Ordering::SeqCst) {
        LOST.store(true, Ordering::SeqCst);
        wait_for_drawing();
        // Some terminals keep a part of the view when their size has changed.
        let _ = execute!(stdout(), Clear(ClearType::All), Show, LeaveAlternateScreen);
        let _ = disable_raw_mode();
    }
}

fn wait_for_drawing() {
    for _ in 0..DRAWING_WAIT {
        match DRAWING.try_lock() {
            Err(TryLockError::WouldBlock) => thread::sleep(Duration::from_millis(1)),
            Ok(_) | Err(TryLockError::Poisoned(_)) => return,
        }
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
