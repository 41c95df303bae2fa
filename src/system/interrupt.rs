//! Ctrl-C, and the signals that end programs: the first one asks the run to end, the second one ends it at once.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context;

use super::failure::{FAILED, Failure};
use super::output::say;
use maxout_formats::whole;

/// A signal that comes this soon after the first one is the same: `timeout` sends its signal to the program and to the
/// program's group. Chosen by hand: nobody presses Ctrl-C twice so fast.
const SAME: Duration = Duration::from_millis(200);

/// How long the program waits until the terminal is given back and its last line is written. Chosen by hand: a terminal takes both
/// at once, and a drawing that is under way is waited for, too.
const LAST_WORD: Duration = Duration::from_millis(400);

/// The command that runs, if it ends by itself when it is asked to.
static RUN: OnceLock<Arc<AtomicBool>> = OnceLock::new();

/// When the first signal came.
static FIRST: OnceLock<Instant> = OnceLock::new();

/// Begins to listen for Ctrl-C. A command that does not call [`stop_on_interrupt`] is ended at once.
pub(crate) fn listen() -> Result<(), Failure> {
    listener::start(asked_to_end).context("cannot listen for Ctrl-C").map_err(Failure::run)
}

/// A flag that Ctrl-C sets.
pub(crate) fn stop_on_interrupt() -> Arc<AtomicBool> {
    Arc::clone(RUN.get_or_init(Arc::default))
}

fn asked_to_end() {
    let since_first = FIRST.get_or_init(Instant::now).elapsed();
    if !RUN.get().is_some_and(|stop| goes_on(stop.swap(true, Ordering::Relaxed), since_first)) {
        end_at_once();
    }
}

/// Does a run go on to its own end after a signal?
fn goes_on(was_asked: bool, since_first: Duration) -> bool {
    !was_asked || since_first < SAME
}

/// Leaves no player or emulator that nobody plays with, no file of a run that has not begun, no lock, and no terminal in the
/// state of a view.
fn end_at_once() -> ! {
    maxout_external::kill_all();
    last_acts().drain(..).for_each(|(_, act)| act());
    whole::remove_unstarted();
    whole::remove_locks();
    give_back_and_say();
    std::process::exit(i32::from(FAILED));
}

type Act = Box<dyn FnOnce() + Send>;

/// What else is done when the program ends at once, with their numbers.
static LAST_ACTS: Mutex<Vec<(u64, Act)>> = Mutex::new(Vec::new());

fn last_acts() -> MutexGuard<'static, Vec<(u64, Act)>> {
    LAST_ACTS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Something that is to be done if the program ends at once while this lives.
#[derive(Debug)]
pub(crate) struct LastAct(u64);

impl LastAct {
    pub(crate) fn new(act: impl FnOnce() + Send + 'static) -> LastAct {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        last_acts().push((number, Box::new(act)));
        LastAct(number)
    }
}

impl Drop for LastAct {
    fn drop(&mut self) {
        last_acts().retain(|(number, _)| *number != self.0);
    }
}

/// Gives the terminal back and says that the program was stopped, on another thread: whoever does not read what is written must
/// not keep the program from ending.
fn give_back_and_say() {
    let (said, wait) = mpsc::channel();
    let speaker = thread::Builder::new().spawn(move || {
        maxout_screen::give_back_terminal();
        say("stopped");
        // Nobody waits any more if it took too long.
        let _ = said.send(());
    });
    // If no thread can be started, there is no message.
    if speaker.is_ok() {
        let _ = wait.recv_timeout(LAST_WORD);
    }
}

#[cfg(unix)]
mod listener {
    use std::{fs, io, thread};

    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;

    /// Calls this for each signal, on a thread of its own. After `nohup`, which ignores the signal for a terminal that is closed,
    /// that one stays ignored.
    pub(super) fn start(asked: impl Fn() + Send + 'static) -> io::Result<()> {
        let mut signals = Signals::new([SIGINT, SIGTERM])?;
        if !ignores(SIGHUP) {
            signals.add_signal(SIGHUP)?;
        }
        thread::Builder::new().name("signals".to_owned()).spawn(move || signals.forever().for_each(|_| asked()))?;
        Ok(())
    }

    /// Does this process ignore the signal? `false` where the system does not say it in a file, as Linux does (proc_pid_status(5)).
    fn ignores(signal: i32) -> bool {
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        let mask = status.lines().find_map(|line| u64::from_str_radix(line.strip_prefix("SigIgn:")?.trim(), 16).ok());
        mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
    }
}

#[cfg(not(unix))]
mod listener {
    pub(super) fn start(asked: impl Fn() + Send + 'static) -> Result<(), ctrlc::Error> {
        ctrlc::set_handler(asked)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_signal_kills_unless_it_comes_with_the_first() {
        let [soon, later] = [20, 300].map(Duration::from_millis);
        assert!(goes_on(false, Duration::ZERO) && goes_on(true, soon) && !goes_on(true, later));
    }
}
