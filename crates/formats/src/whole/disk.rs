//! A disk that breaks where a test wants it to.

use std::io::{self, Seek, SeekFrom, Write};
use std::sync::{Arc, Mutex, PoisonError};

use super::storage::Storage;

/// How a disk breaks. Bytes are counted over all writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    /// Every write takes at most this many bytes.
    Short(u64),
    /// The file cannot become longer than this; writing below works.
    Full(u64),
    /// The write that reaches this byte fails after a part; later ones work.
    Once(u64),
    /// The same, and all later ones fail, too. Cutting works.
    Dead(u64),
    /// The program is killed at this byte: nothing happens after it.
    Kill(u64),
    /// The program is killed before this call (a write or a cut).
    KillBefore(u64),
}

impl Fault {
    /// Is the program gone, so that nothing repairs the file?
    pub(crate) fn kills(self) -> bool {
        matches!(self, Fault::Kill(_) | Fault::KillBefore(_))
    }

    /// All faults at this byte or call. Short writes are the only ones without harm.
    pub(crate) fn all_at(place: u64) -> [Fault; 5] {
        [Fault::Full(place), Fault::Once(place), Fault::Dead(place), Fault::Kill(place), Fault::KillBefore(place)]
    }
}

#[derive(Debug)]
struct State {
    fault: Option<Fault>,
    content: Vec<u8>,
    position: u64,
    /// Bytes written.
    taken: u64,
    /// Writes and cuts.
    calls: u64,
    /// The next write fails.
    fails: bool,
}

/// A disk with one file, which the test can look at.
#[derive(Debug, Clone)]
pub(crate) struct TestDisk(Arc<Mutex<State>>);

impl TestDisk {
    pub(crate) fn new(fault: Option<Fault>) -> TestDisk {
        let state = State { fault, content: Vec::new(), position: 0, taken: 0, calls: 0, fails: false };
        TestDisk(Arc::new(Mutex::new(state)))
    }

    fn state<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        change(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// What is on it.
    pub(crate) fn content(&self) -> Vec<u8> {
        self.state(|state| state.content.clone())
    }

    /// Bytes written, and calls made.
    pub(crate) fn load(&self) -> (u64, u64) {
        self.state(|state| (state.taken, state.calls))
    }
}

impl State {
    /// Is there a call that this disk no longer gets?
    fn is_killed(&mut self) -> bool {
        self.calls += 1;
        match self.fault {
            Some(Fault::Kill(_)) => self.fails,
            Some(Fault::KillBefore(call)) => self.calls > call,
            _ => false,
        }
    }

    fn put(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.is_killed() {
            return Err(io::Error::other("killed"));
        }
        if std::mem::take(&mut self.fails) {
            let is_over = matches!(self.fault, Some(Fault::Once(_)));
            self.fails = !is_over;
            self.fault = self.fault.filter(|_| !is_over);
            return Err(io::ErrorKind::StorageFull.into());
        }
        let wanted = bytes.len() as u64;
        let room = match self.fault {
            None | Some(Fault::KillBefore(_)) => wanted,
            Some(Fault::Short(most)) => most,
            Some(Fault::Full(end)) => end.saturating_sub(self.position),
            Some(Fault::Once(end) | Fault::Dead(end) | Fault::Kill(end)) => end.saturating_sub(self.taken),
        };
        let taken = room.min(wanted) as usize;
        // A later write finds the error. A full disk says it by its length.
        self.fails = room < wanted && matches!(self.fault, Some(Fault::Once(_) | Fault::Dead(_) | Fault::Kill(_)));
        let at = self.position as usize;
        self.content.resize(self.content.len().max(at + taken), 0);
        self.content[at..at + taken].copy_from_slice(&bytes[..taken]);
        (self.position, self.taken) = (self.position + taken as u64, self.taken + taken as u64);
        if taken > 0 || wanted == 0 {
            return Ok(taken);
        }
        self.fails &= !matches!(self.fault, Some(Fault::Once(_)));
        self.fault = self.fault.filter(|fault| !matches!(fault, Fault::Once(_)));
        Err(io::ErrorKind::StorageFull.into())
    }
}

impl Write for TestDisk {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.state(|state| state.put(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Seek for TestDisk {
    fn seek(&mut self, position: SeekFrom) -> io::Result<u64> {
        let SeekFrom::Start(position) = position else { return Err(io::ErrorKind::Unsupported.into()) };
        self.state(|state| state.position = position);
        Ok(position)
    }
}

impl Storage for TestDisk {
    fn cut(&mut self, length: u64) -> io::Result<()> {
        self.state(|state| {
            if state.is_killed() {
                return Err(io::Error::other("killed"));
            }
            state.content.resize(length as usize, 0);
            Ok(())
        })
    }
}
