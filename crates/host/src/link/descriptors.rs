//! A link over two file descriptors of Unix: pipes, sockets, standard input and output.

use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::time::Duration;

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};

use super::Link;

/// One descriptor to read, one to write. Either may be one that waits, or one that does not.
pub(crate) struct Descriptors {
    pub(crate) input: File,
    pub(crate) output: File,
}

/// Returns once the file can be read or written without waiting.
fn wait_until(file: &File, flags: PollFlags, wait: Duration) -> io::Result<()> {
    let timeout = PollTimeout::try_from(wait).unwrap_or(PollTimeout::MAX);
    match poll(&mut [PollFd::new(file.as_fd(), flags)], timeout) {
        Ok(0) | Err(Errno::EINTR) => Err(io::ErrorKind::TimedOut.into()),
        Ok(_) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// Another reader of the same pipe may have been quicker.
fn timed_out(error: io::Error) -> io::Error {
    match error.kind() {
        io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted => io::ErrorKind::TimedOut.into(),
        _ => error,
    }
}

impl Link for Descriptors {
    fn send(&mut self, bytes: &[u8], wait: Duration) -> io::Result<usize> {
        wait_until(&self.output, PollFlags::POLLOUT, wait)?;
        self.output.write(bytes).map_err(timed_out)
    }

    fn receive(&mut self, bytes: &mut [u8], wait: Duration) -> io::Result<usize> {
        wait_until(&self.input, PollFlags::POLLIN, wait)?;
        self.input.read(bytes).map_err(timed_out)
    }
}
