//! The bar of progress that stands on the terminal: other lines are written above it.

use std::sync::{Mutex, MutexGuard, PoisonError};

use indicatif::ProgressBar;

static DRAWN: Mutex<Option<ProgressBar>> = Mutex::new(None);

/// A bar that other lines are written above, until it is dropped.
#[derive(Debug)]
pub(super) struct Drawn(pub(super) ProgressBar);

impl Drawn {
    pub(super) fn new(bar: ProgressBar) -> Drawn {
        *drawn() = Some(bar.clone());
        Drawn(bar)
    }
}

impl Drop for Drawn {
    fn drop(&mut self) {
        *drawn() = None;
        self.0.finish_and_clear();
    }
}

/// Writes lines above the bar, if there is one.
pub(super) fn above<T>(write: impl FnOnce() -> T) -> T {
    let bar = drawn().clone();
    match bar {
        Some(bar) => bar.suspend(write),
        None => write(),
    }
}

fn drawn() -> MutexGuard<'static, Option<ProgressBar>> {
    DRAWN.lock().unwrap_or_else(PoisonError::into_inner)
}
