//! Time, as a host lends it: the engine has no clock of its own.

use std::time::Duration;

/// A clock that only goes forward.
pub trait Clock: Send + Sync {
    /// Time since a moment that the clock chooses and keeps.
    fn now(&self) -> Duration;
}
