//! The thread that listens to the keyboard, so that the run never waits for it.

use std::io::{self, IsTerminal as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crossterm::event::{self, Event};

use super::Keys;
use super::keys::{Command, command};
use super::mailbox::Mailbox;

/// Longest time that the thread goes on after the view has ended. Chosen by hand, not measured.
const LOOK: Duration = Duration::from_millis(50);

/// Starts the thread; it ends when the mailbox is closed, or when nothing can be read any more.
/// A change of the terminal's size goes to the mailbox at once, and a key that ends the run sets `stop`.
pub(super) fn spawn(mailbox: Arc<Mailbox>, stop: Option<Arc<AtomicBool>>) -> io::Result<(JoinHandle<()>, Keys)> {
    let (sender, receiver) = channel();
    let stop = stop.unwrap_or_default();
    let thread = thread::Builder::new().name("keys".to_owned()).spawn(move || listen(&mailbox, &stop, &sender))?;
    Ok((thread, Box::new(move || next(&receiver))))
}

/// Waits for the thread to end, but not for ever: on a terminal that hangs up while crossterm 0.29
/// reads from it, crossterm never returns.
pub(super) fn join(thread: JoinHandle<()>) {
    let patience = Instant::now() + 4 * LOOK;
    while !thread.is_finished() {
        if Instant::now() >= patience {
            return;
        }
        thread::sleep(LOOK / 10);
    }
    // The result of a thread that has panicked says nothing more.
    let _ = thread.join();
}

fn listen(mailbox: &Mailbox, stop: &AtomicBool, sender: &Sender<io::Result<Event>>) {
    // Asked only here: a terminal that has hung up says that it is none.
    let is_terminal = io::stdin().is_terminal();
    let mut wait = LOOK;
    while !mailbox.is_closed() {
        let left = if is_terminal { wait_for_input(wait) } else { Ok(wait) };
        let event = match left.and_then(event::poll) {
            Ok(false) => {
                // Input of which crossterm makes no event must not keep this thread busy.
                thread::sleep(LOOK / 10);
                wait = LOOK;
                continue;
            }
            Ok(true) => event::read(),
            Err(error) => Err(error),
        };
        // One input may be several events.
        wait = Duration::ZERO;
        if matches!(event, Ok(Event::Resize(..))) {
            mailbox.again();
        }
        if event.as_ref().is_ok_and(|event| command(event) == Some(Command::Quit)) {
            stop.store(true, Ordering::Relaxed);
        }
        let is_last = event.is_err();
        if sender.send(event).is_err() || is_last {
            return;
        }
    }
}

/// Waits for input from the terminal of standard input, and says how long crossterm may wait after
/// that. crossterm waits only where this cannot: from a terminal that hangs up it never returns.
///
/// # Errors
/// When the terminal has hung up.
#[cfg(unix)]
fn wait_for_input(wait: Duration) -> io::Result<Duration> {
    use std::os::fd::AsFd as _;

    use nix::errno::Errno;
    use nix::poll::{PollFd, PollFlags, PollTimeout, poll};

    let stdin = io::stdin();
    let mut watched = [PollFd::new(stdin.as_fd(), PollFlags::POLLIN)];
    match poll(&mut watched, PollTimeout::try_from(wait).unwrap_or(PollTimeout::ZERO)) {
        // A signal has come, such as that of a new size.
        Ok(_) | Err(Errno::EINTR) => {}
        Err(error) => return Err(error.into()),
    }
    let found = watched[0].revents().unwrap_or(PollFlags::empty());
    if found.intersects(PollFlags::POLLHUP | PollFlags::POLLERR) {
        return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the terminal has hung up"));
    }
    // Some systems poll no terminals.
    Ok(if found.contains(PollFlags::POLLNVAL) { wait } else { Duration::ZERO })
}

#[cfg(not(unix))]
fn wait_for_input(wait: Duration) -> io::Result<Duration> {
    Ok(wait)
}

fn next(receiver: &Receiver<io::Result<Event>>) -> io::Result<Option<Event>> {
    match receiver.try_recv() {
        Ok(event) => event.map(Some),
        Err(TryRecvError::Empty) => Ok(None),
        Err(TryRecvError::Disconnected) => {
            Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the keyboard can no longer be read"))
        }
    }
}
