//! Bytes to a host and back.

#[cfg(unix)]
mod descriptors;
#[cfg(any(not(unix), test))]
mod threads;

use std::io;
use std::time::Duration;

#[cfg(unix)]
pub(crate) use descriptors::Descriptors;
#[cfg(not(unix))]
pub(crate) use threads::Threads;

/// Bytes in both directions, neither of which waits for longer than it is told.
pub trait Link: Send {
    /// Writes some of these bytes; says how many.
    ///
    /// # Errors
    /// `TimedOut` when the other side takes none for so long; what the system says.
    fn send(&mut self, bytes: &[u8], wait: Duration) -> io::Result<usize>;

    /// Reads some bytes; says how many. 0 is the end.
    ///
    /// # Errors
    /// `TimedOut` when none come for so long; what the system says.
    fn receive(&mut self, bytes: &mut [u8], wait: Duration) -> io::Result<usize>;
}
