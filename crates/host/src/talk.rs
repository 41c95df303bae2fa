//! Messages over a link, with a time limit for the other side.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::link::Link;

/// How long a call of the system waits: a signal that ends the program is noticed within this time.
const SLICE: Duration = Duration::from_millis(50);

/// Why the other side cannot be talked to.
#[derive(Debug)]
pub(crate) enum Trouble {
    /// This program was asked to end.
    Stopped,
    /// The other side was not done in time.
    TooSlow,
    /// The other side has closed the link.
    Gone,
    /// Anything else.
    System(io::Error),
}

/// A link whose other side may take its time, but not for ever.
pub(crate) struct Talk {
    pub(crate) link: Box<dyn Link>,
    /// The longest time from [`Talk::begin`] to the last byte.
    pub(crate) patience: Duration,
    /// When the other side's time began.
    since: Instant,
    /// Set when the program is to end.
    stop: Arc<AtomicBool>,
}

impl Talk {
    pub(crate) fn new(link: Box<dyn Link>, patience: Duration, stop: Arc<AtomicBool>) -> Talk {
        Talk { link, patience, since: Instant::now(), stop }
    }

    /// Begins the time for the next exchange.
    pub(crate) fn begin(&mut self) {
        self.since = Instant::now();
    }

    /// Is the program to end? Asked between the parts of a message: bytes that trickle in keep a signal
    /// from being noticed otherwise.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Calls `act` until it has something to say, the limit is over, or the program is to end.
    fn until_done(
        &mut self,
        mut act: impl FnMut(&mut dyn Link, Duration) -> io::Result<usize>,
    ) -> Result<usize, Trouble> {
        loop {
            let left = self.patience.saturating_sub(self.since.elapsed());
            match act(&mut *self.link, left.min(SLICE)) {
                Ok(bytes) => return Ok(bytes),
                Err(error) if error.kind() != io::ErrorKind::TimedOut => {
                    let is_gone = matches!(error.kind(), io::ErrorKind::BrokenPipe | io::ErrorKind::ConnectionReset);
                    return Err(if is_gone { Trouble::Gone } else { Trouble::System(error) });
                }
                Err(_) if self.is_stopped() => return Err(Trouble::Stopped),
                Err(_) if left.is_zero() => return Err(Trouble::TooSlow),
                Err(_) => {}
            }
        }
    }

    /// Writes all of these bytes.
    pub(crate) fn send(&mut self, bytes: &[u8]) -> Result<(), Trouble> {
        let mut sent = 0;
        while sent < bytes.len() {
            sent += match self.until_done(|link, wait| link.send(&bytes[sent..], wait))? {
                0 => return Err(Trouble::Gone),
                some => some,
            };
        }
        Ok(())
    }

    /// Reads some bytes; 0 at the end of the stream.
    pub(crate) fn receive(&mut self, bytes: &mut [u8]) -> Result<usize, Trouble> {
        match self.until_done(|link, wait| link.receive(bytes, wait)) {
            Err(Trouble::Gone) => Ok(0),
            received => received,
        }
    }

    /// Has something come that nobody waited for? The bytes that came; 0 at the end of the stream.
    pub(crate) fn unasked(&mut self) -> Option<usize> {
        self.link.receive(&mut [0; 64], Duration::ZERO).ok()
    }

    /// Writes these bytes if the other side takes them at once.
    pub(crate) fn send_at_once(&mut self, bytes: &[u8]) {
        // The last message: nobody is there to hear of an error.
        let _ = self.link.send(bytes, SLICE);
    }
}
