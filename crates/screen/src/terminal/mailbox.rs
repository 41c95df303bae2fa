//! Hands models from the run to the thread that draws: a new model replaces one that waits, and the
//! run never waits for a drawing.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use crate::model::ViewModel;

/// A place for one model.
#[derive(Debug, Default)]
pub(super) struct Mailbox {
    state: Mutex<State>,
    news: Condvar,
}

#[derive(Debug, Default)]
struct State {
    model: Option<Box<ViewModel>>,
    again: bool,
    closed: bool,
}

/// What the drawing thread is to do.
#[derive(Debug, PartialEq)]
pub(super) enum Mail {
    /// Draw this.
    Model(Box<ViewModel>),
    /// Draw the last one again: the terminal has another size.
    Again,
    /// Nothing comes any more.
    Closed,
}

impl Mailbox {
    /// Puts a model there; a model that still waits there is dropped, undrawn.
    pub(super) fn put(&self, model: Box<ViewModel>) {
        self.change(|state| state.model = Some(model));
    }

    /// Asks for the last model once more.
    pub(super) fn again(&self) {
        self.change(|state| state.again = true);
    }

    /// Ends the drawing thread.
    pub(super) fn close(&self) {
        self.change(|state| state.closed = true);
    }

    /// Has the last model been taken?
    pub(super) fn is_empty(&self) -> bool {
        self.state().model.is_none()
    }

    /// Has it been closed?
    pub(super) fn is_closed(&self) -> bool {
        self.state().closed
    }

    /// Waits for something to do.
    pub(super) fn take(&self) -> Mail {
        let mut state = self.state();
        loop {
            if state.closed {
                return Mail::Closed;
            }
            let again = std::mem::take(&mut state.again);
            if let Some(model) = state.model.take() {
                return Mail::Model(model);
            }
            if again {
                return Mail::Again;
            }
            state = self.news.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn change(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.state());
        self.news.notify_all();
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn model(frame: u64) -> Box<ViewModel> {
        Box::new(ViewModel { frame, ..ViewModel::default() })
    }

    #[test]
    fn only_the_latest_is_drawn() {
        let mailbox = Mailbox::default();
        (1..=3).for_each(|frame| mailbox.put(model(frame)));
        assert!(!mailbox.is_empty());
        assert_eq!(mailbox.take(), Mail::Model(model(3)));
        assert!(mailbox.is_empty());
    }

    #[test]
    fn another_size_draws_the_last_once_more_and_the_end_goes_before_all() {
        let mailbox = Mailbox::default();
        mailbox.again();
        assert_eq!(mailbox.take(), Mail::Again);
        mailbox.again();
        mailbox.put(model(1));
        assert_eq!(mailbox.take(), Mail::Model(model(1)));
        mailbox.put(model(2));
        mailbox.close();
        assert_eq!(mailbox.take(), Mail::Closed);
    }

    #[test]
    fn whoever_waits_is_woken() {
        let mailbox = Mailbox::default();
        std::thread::scope(|scope| {
            let taken = scope.spawn(|| mailbox.take());
            mailbox.put(model(7));
            assert_eq!(taken.join().expect("no panic"), Mail::Model(model(7)));
        });
    }
}
