//! Time from the host: the engine has no clock of its own.

use std::time::Duration;

/// A clock that only goes forward.
pub trait Clock: Send + Sync {
    /// Time since a moment that the clock chooses once.
    fn now(&self) -> Duration;
}
