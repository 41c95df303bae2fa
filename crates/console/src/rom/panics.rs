//! Foreign code that may panic on a damaged file.

use std::cell::Cell;
use std::panic::{self, UnwindSafe};
use std::sync::Once;

thread_local! {
    /// Does this thread run such code now?
    static QUIET: Cell<bool> = const { Cell::new(false) };
}

/// Runs `work`; `None` if it panics. Its panic prints nothing.
///
/// The panic hook of the process is wrapped at the first call: it stays as it is for all panics
/// outside `work` and for all other threads.
pub(super) fn caught<T>(work: impl FnOnce() -> T + UnwindSafe) -> Option<T> {
    static WRAPPED: Once = Once::new();
    WRAPPED.call_once(|| {
        let hook = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !QUIET.get() {
                hook(info);
            }
        }));
    });
    let outer = QUIET.replace(true);
    let result = panic::catch_unwind(work);
    QUIET.set(outer);
    result.ok()
}

#[cfg(test)]
mod tests {
    use super::caught;

    #[test]
    fn a_panic_is_caught_and_a_value_is_returned() {
        assert_eq!(caught(|| 7), Some(7));
        assert_eq!(caught(|| -> u8 { panic!("inside") }), None);
        assert_eq!(caught(|| caught(|| -> u8 { panic!("inside") })), Some(None));
    }
}
