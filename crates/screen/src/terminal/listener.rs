//! The thread that listens to the keyboard, so that the run never waits for it.

use std::io;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crossterm::event::{self, Event};

use super::Keys;
use super::mailbox::Mailbox;

/// Longest time that the thread goes on after the view has ended. Chosen by hand, not measured.
const LOOK: Duration = Duration::from_millis(50);

/// Starts the thread; it ends when the mailbox is closed, or when nothing can be read any more.
/// A change of the terminal's size goes to the mailbox at once.
pub(super) fn spawn(mailbox: Arc<Mailbox>) -> io::Result<(JoinHandle<()>, Keys)> {
    let (sender, receiver) = channel();
    let thread = thread::Builder::new().name("keys".to_owned()).spawn(move || listen(&mailbox, &sender))?;
    Ok((thread, Box::new(move || next(&receiver))))
}

/// Waits for the thread to end, but not for ever: on a terminal that has hung up, crossterm 0.29
/// never returns from reading the keyboard.
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

fn listen(mailbox: &Mailbox, sender: &Sender<io::Result<Event>>) {
    while !mailbox.is_closed() {
        let event = match event::poll(LOOK) {
            Ok(false) => continue,
            Ok(true) => event::read(),
            Err(error) => Err(error),
        };
        if matches!(event, Ok(Event::Resize(..))) {
            mailbox.again();
        }
        let is_last = event.is_err();
        if sender.send(event).is_err() || is_last {
            return;
        }
    }
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
