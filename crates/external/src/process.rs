//! A child process that reads and writes lines, with a time limit on every answer.
//!
//! Writing and reading happen on threads of their own, so that a child that neither reads nor
//! answers cannot hold the game up for longer than the limit.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::answer::shortened;

/// The longest line that is read, in bytes, including its end. Chosen by hand, not measured: an
/// answer is less than a kilobyte.
const LONGEST_LINE: usize = 1 << 20;
/// How long a child may take to end after its input has ended. Chosen by hand, not measured.
const GRACE: Duration = Duration::from_secs(1);

/// What came from the child. Nothing comes after `TooLong` or `Unreadable`.
enum Received {
    Line(Vec<u8>),
    TooLong(Vec<u8>),
    Unreadable(io::Error),
}

/// The process ids of the children that run.
static RUNNING: Mutex<Vec<u32>> = Mutex::new(Vec::new());

fn running() -> MutexGuard<'static, Vec<u32>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Kills all players that run, with everything that they have started. For a program that ends without dropping them.
pub fn kill_all() {
    running().drain(..).for_each(kill_group);
}

/// Kills the process group of the child with this number, where there are groups. The child was started as the first process of
/// its group.
pub fn kill_group(child: u32) {
    #[cfg(unix)]
    if let Ok(group) = i32::try_from(child) {
        let _ = nix::sys::signal::killpg(nix::unistd::Pid::from_raw(group), nix::sys::signal::Signal::SIGKILL);
    }
    #[cfg(not(unix))]
    let _ = child;
}

/// A running child; dropped, it is killed and reaped.
pub(super) struct Process {
    child: Child,
    /// Lines to write; `None` once the child's input has been closed.
    input: Option<Sender<String>>,
    output: Receiver<Received>,
    timeout: Duration,
    /// Number of the line that was read last, from 1.
    line_number: u64,
    /// Has its exit status been read? After that, another process may have its process id.
    reaped: bool,
}

impl Process {
    /// Starts a command line through the system's shell; it inherits this program's standard error.
    pub(super) fn start(command: &str, timeout: Duration) -> io::Result<Process> {
        let mut child = shell(command).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        running().push(child.id());
        let pipes = child.stdin.take().zip(child.stdout.take());
        let (input, to_write) = mpsc::channel();
        // At most one line waits: a child that writes too much has to wait itself.
        let (read, output) = mpsc::sync_channel(1);
        let process = Process { child, input: Some(input), output, timeout, line_number: 0, reaped: false };
        let (stdin, stdout) = pipes.ok_or_else(|| io::Error::other("the child has no pipes"))?;
        thread::Builder::new().name("player input".to_owned()).spawn(move || write_lines(stdin, &to_write))?;
        thread::Builder::new().name("player output".to_owned()).spawn(move || read_lines(stdout, &read))?;
        Ok(process)
    }

    /// Sends a line, which must end with a newline. A lost line is noticed when its answer is missing.
    pub(super) fn send(&self, line: String) {
        if let Some(input) = &self.input {
            // The writer has ended when the child has closed its input.
            let _ = input.send(line);
        }
    }

    /// The child's next line; `expected` describes it in error messages.
    pub(super) fn receive(&mut self, expected: &str) -> Result<Vec<u8>, String> {
        self.line_number += 1;
        let found = match self.output.recv_timeout(self.timeout) {
            Ok(Received::Line(line)) => return Ok(line),
            Ok(Received::TooLong(start)) => {
                format!("more than {LONGEST_LINE} bytes in one line, which begins {}", shortened(&start))
            }
            Ok(Received::Unreadable(error)) => format!("an error: {error}"),
            Err(RecvTimeoutError::Timeout) => {
                format!("nothing for {} s (--player-timeout gives it longer)", self.timeout.as_secs_f64())
            }
            Err(RecvTimeoutError::Disconnected) => match self.ended(Instant::now() + GRACE) {
                Some(status) => format!("the end of the program ({status})"),
                None => "the end of its output, though it is still running".to_owned(),
            },
        };
        Err(self.at_line(&format!("expected {expected}, found {found}")))
    }

    /// A problem with the line that was read last.
    pub(super) fn at_line(&self, problem: &str) -> String {
        format!("line {} of its output: {problem}", self.line_number)
    }

    /// Kills it at once, together with everything that it has started in its process group.
    pub(super) fn kill(&mut self) {
        self.input = None;
        if self.reaped {
            return;
        }
        kill_group(self.child.id());
        let _ = self.child.kill();
        self.reaped = self.child.wait().is_ok();
        self.forget();
    }

    /// It has been reaped: another process may get its process id.
    fn forget(&self) {
        running().retain(|&id| id != self.child.id());
    }

    /// Its exit status, if it ends before the deadline.
    fn ended(&mut self, deadline: Instant) -> Option<ExitStatus> {
        loop {
            if let Ok(Some(status)) = self.child.try_wait() {
                self.reaped = true;
                self.forget();
                return Some(status);
            }
            if Instant::now() >= deadline {
                return None;
            }
            thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if self.input.take().is_some() {
            // The end of its input asks the child to end. The end of its output shows that no
            // process of its group is left that would have to be killed.
            let deadline = Instant::now() + GRACE;
            let left = || deadline.saturating_duration_since(Instant::now());
            while let Ok(Received::Line(_)) = self.output.recv_timeout(left()) {}
            if !left().is_zero() {
                self.ended(deadline);
            }
        }
        self.kill();
    }
}

/// In a process group of its own, so that it can be killed with everything that it starts, and so
/// that Ctrl-C does not end it before it gets the goodbye message.
#[cfg(unix)]
fn shell(command: &str) -> Command {
    use std::os::unix::process::CommandExt;
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(command).process_group(0);
    shell
}

#[cfg(windows)]
fn shell(command: &str) -> Command {
    use std::os::windows::process::CommandExt;
    let mut shell = Command::new("cmd");
    shell.arg("/C").raw_arg(command);
    shell
}

/// Ends when no more lines come, or when the child has closed its input.
fn write_lines(mut stdin: ChildStdin, lines: &Receiver<String>) {
    for line in lines {
        if stdin.write_all(line.as_bytes()).and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

/// Ends at the end of the output, or after a line that is too long or unreadable.
fn read_lines(stdout: ChildStdout, lines: &SyncSender<Received>) {
    let mut reader = BufReader::new(stdout);
    loop {
        let mut line = Vec::new();
        let output = match reader.by_ref().take(LONGEST_LINE as u64 + 1).read_until(b'\n', &mut line) {
            Ok(0) => return,
            Ok(_) if line.len() > LONGEST_LINE => Received::TooLong(line),
            Ok(_) => Received::Line(line),
            Err(error) => Received::Unreadable(error),
        };
        let is_last = !matches!(output, Received::Line(_));
        if lines.send(output).is_err() || is_last {
            return;
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_line_after_the_time_limit_is_not_waited_for() {
        // Read with a limit twenty times as long, it would be the answer.
        let mut process = Process::start("sleep 9; echo late; sleep 60", Duration::from_millis(500)).expect("a shell");
        let problem = process.receive("a line").expect_err("too late");
        assert!(problem.contains("nothing for 0.5 s"), "{problem}");
    }

    #[test]
    fn lines_are_counted_and_the_end_of_the_program_is_told_from_that_of_its_output() {
        let limit = Duration::from_secs(60);
        let mut process = Process::start("read word; echo \"$word, too\"; exit 3", limit).expect("a shell");
        process.send("hello\n".to_owned());
        assert_eq!(process.receive("an echo"), Ok(b"hello, too\n".to_vec()));
        assert_eq!(process.at_line("odd"), "line 1 of its output: odd");
        let problem = process.receive("more").expect_err("it ends");
        assert_eq!(problem, "line 2 of its output: expected more, found the end of the program (exit status: 3)");
        let mut silent = Process::start("exec >&-; sleep 60", limit).expect("a shell");
        let problem = silent.receive("more").expect_err("no output");
        assert!(problem.ends_with("found the end of its output, though it is still running"), "{problem}");
    }

    #[test]
    fn a_line_of_the_longest_length_is_read_and_a_longer_one_is_not() {
        let written = |bytes: usize| format!("head -c {bytes} /dev/zero | tr '\\0' x; echo");
        let receive =
            |bytes| Process::start(&written(bytes), Duration::from_secs(60)).expect("a shell").receive("a line");
        // The end of the line counts.
        assert_eq!(receive(LONGEST_LINE - 1).map(|line| line.len()), Ok(LONGEST_LINE));
        let problem = receive(LONGEST_LINE).expect_err("too long");
        assert!(problem.contains(&format!("more than {LONGEST_LINE} bytes in one line")), "{problem}");
    }
}
