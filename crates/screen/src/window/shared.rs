//! What the run and the window share: the requests of the window, the moments of the run.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use crate::Speed;
use crate::model::ViewModel;
use maxout_engine::console::Picture;

/// A moment of a run, to be shown.
#[derive(Debug, Clone)]
pub(super) struct Moment {
    pub(super) model: ViewModel,
    /// `None` where the console draws none.
    pub(super) picture: Option<Picture>,
}

/// How far the run is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stage {
    /// It waits for the window.
    Waiting,
    /// It goes on.
    Running,
    /// It is over, and its last moment is still shown.
    Ended,
    /// It is gone, and nothing is shown.
    Gone,
}

/// Everything that both sides see.
#[derive(Debug)]
pub(super) struct State {
    /// The latest moment that the window has not taken.
    pub(super) latest: Option<Moment>,
    pub(super) stage: Stage,
    /// Does the window hold the run?
    pub(super) is_paused: bool,
    /// Frames that may pass while it is paused.
    pub(super) steps: u32,
    pub(super) speed: Speed,
    /// Presses of the key that begins and ends a film, since the run has looked.
    pub(super) record_presses: u32,
    /// The names of the screenshots.
    pub(super) screenshots: Vec<String>,
    /// Is the run to end?
    pub(super) quits: bool,
}

/// The state behind a lock, and a bell for a run that waits for its window.
#[derive(Debug)]
pub(super) struct Shared {
    state: Mutex<State>,
    bell: Condvar,
}

impl Shared {
    pub(super) fn new(speed: Speed) -> Shared {
        let state = State {
            latest: None,
            stage: Stage::Waiting,
            is_paused: false,
            steps: 0,
            speed,
            record_presses: 0,
            screenshots: Vec::new(),
            quits: false,
        };
        Shared { state: Mutex::new(state), bell: Condvar::new() }
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, State> {
        // A side that has panicked leaves complete values behind.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes what the run has to know, and wakes it if it waits for its window.
    pub(super) fn wish(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.lock());
        self.bell.notify_all();
    }

    /// Waits for the window, and says whether there will be one.
    pub(super) fn wait_for_window(&self) -> bool {
        let mut state = self.lock();
        while state.stage == Stage::Waiting && !state.quits {
            state = self.wait(state);
        }
        !state.quits
    }

    fn wait<'a>(&self, state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        self.bell.wait(state).unwrap_or_else(PoisonError::into_inner)
    }
}
