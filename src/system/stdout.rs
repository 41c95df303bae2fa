//! Standard output, whose reader may close the pipe.

use std::io::{self, Write};
use std::path::Path;

/// The name that means standard output where a file can be given.
pub(crate) const STDOUT: &str = "-";

/// Does this name mean standard output? What Unix calls it counts, too: opened by such a name, a file that standard output
/// goes to would be written over from its start.
pub(crate) fn is_stdout(path: &Path) -> bool {
    const UNIX: [&str; 3] = ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"];
    path == Path::new(STDOUT) || cfg!(unix) && UNIX.iter().any(|name| path == Path::new(name))
}

/// Standard output. When its reader has closed the pipe, as `head` does, its error is a
/// [`PipeClosed`].
pub(crate) fn stdout() -> Stdout {
    Stdout(io::stdout())
}

/// See [`stdout`].
#[derive(Debug)]
pub(crate) struct Stdout(io::Stdout);

/// The reader of standard output has all that it wanted: the program ends and says nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the reader has closed the pipe")]
pub(crate) struct PipeClosed;

fn told_apart(error: io::Error) -> io::Error {
    if error.kind() == io::ErrorKind::BrokenPipe { io::Error::new(error.kind(), PipeClosed) } else { error }
}

impl Write for Stdout {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes).map_err(told_apart)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush().map_err(told_apart)
    }
}
