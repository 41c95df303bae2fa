//! Ctrl-C: the first one asks the run to end.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context;

use super::failure::{FAILED, Failure};

/// What a second Ctrl-C does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Second {
    /// The same as the first: the terminal view must give the terminal back before the end.
    AsksAgain,
    /// Ends the program at once.
    Kills,
}

/// A flag that Ctrl-C sets.
pub(crate) fn stop_on_interrupt(second: Second) -> Result<Arc<AtomicBool>, Failure> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    let handler = move || {
        if flag.swap(true, Ordering::Relaxed) && second == Second::Kills {
            std::process::exit(i32::from(FAILED));
        }
    };
    ctrlc::set_handler(handler).context("cannot listen for Ctrl-C").map_err(Failure::run)?;
    Ok(stop)
}
