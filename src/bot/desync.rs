//! The promise of a plan against what RAM shows.

use std::fmt;

use crate::game::control::ControlOutcome;
use crate::planner::Promise;
use crate::ram::{PlayState, RamSnapshot};

/// A frame in which RAM did not show what the plan promised.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Desync {
    /// Number of the frame since power-on.
    pub frame: u64,
    /// What was promised and what was found, in words.
    pub difference: String,
}

impl fmt::Display for Desync {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "desync in frame {}: {}", self.frame, self.difference)
    }
}

/// Compares one sample with its promise.
pub(super) fn check(frame: u64, promise: &Promise, snapshot: &RamSnapshot) -> Option<Desync> {
    let play_state = match promise.outcome {
        ControlOutcome::Falling => PlayState::Control,
        ControlOutcome::Landed => PlayState::Lock,
    };
    let promised = (promise.x, promise.y, Some(promise.orientation), play_state);
    let found = (snapshot.x, snapshot.y, snapshot.piece, snapshot.play_state);
    (promised != found).then(|| Desync {
        frame,
        difference: format!(
            "promised x {} y {} orientation ${:02X} {:?}, found x {} y {} orientation {} {:?}",
            promise.x,
            promise.y,
            promise.orientation.id(),
            play_state,
            snapshot.x,
            snapshot.y,
            snapshot.piece.map_or("none".to_owned(), |piece| format!("${:02X}", piece.id())),
            snapshot.play_state
        ),
    })
}
