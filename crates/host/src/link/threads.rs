//! A link over any reader and writer, each on a thread of its own: for systems on which a program
//! cannot wait for bytes with a time limit.

use std::io::{self, Read, Write};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

use super::Link;

/// Bytes that are read at once: more than a frame.
const CHUNK: usize = 4096;

/// The threads end when their stream does. One that waits for bytes that never come ends with the
/// program.
pub(crate) struct Threads {
    input: Receiver<io::Result<Vec<u8>>>,
    /// What has been read and not yet been taken.
    waiting: Vec<u8>,
    output: Sender<Vec<u8>>,
    /// One for each message that has been written.
    written: Receiver<io::Result<()>>,
    /// Bytes of the message that is being written: a caller that has been told to wait sends it again.
    in_flight: usize,
}

impl Threads {
    pub(crate) fn start(input: impl Read + Send + 'static, output: impl Write + Send + 'static) -> io::Result<Threads> {
        // At most one chunk waits: a host that writes too much has to wait itself.
        let (read, from_input) = mpsc::sync_channel(1);
        let (to_output, to_write) = mpsc::channel::<Vec<u8>>();
        let (wrote, written) = mpsc::channel();
        let mut input = input;
        let reader = move || {
            loop {
                let mut chunk = vec![0; CHUNK];
                let found = match input.read(&mut chunk) {
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                    found => found,
                };
                let is_last = !matches!(found, Ok(1..));
                let found = found.map(|length| {
                    chunk.truncate(length);
                    chunk
                });
                if read.send(found).is_err() || is_last {
                    return;
                }
            }
        };
        let mut output = output;
        let writer = move || {
            for bytes in to_write {
                if wrote.send(output.write_all(&bytes).and_then(|()| output.flush())).is_err() {
                    return;
                }
            }
        };
        thread::Builder::new().name("host input".to_owned()).spawn(reader)?;
        thread::Builder::new().name("host output".to_owned()).spawn(writer)?;
        Ok(Threads { input: from_input, waiting: Vec::new(), output: to_output, written, in_flight: 0 })
    }
}

impl Link for Threads {
    fn send(&mut self, bytes: &[u8], wait: Duration) -> io::Result<usize> {
        if self.in_flight == 0 {
            self.output.send(bytes.to_vec()).map_err(|_| io::Error::from(io::ErrorKind::BrokenPipe))?;
            self.in_flight = bytes.len();
        }
        match self.written.recv_timeout(wait) {
            Ok(written) => written.map(|()| std::mem::take(&mut self.in_flight)),
            Err(RecvTimeoutError::Timeout) => Err(io::ErrorKind::TimedOut.into()),
            Err(RecvTimeoutError::Disconnected) => Err(io::ErrorKind::BrokenPipe.into()),
        }
    }

    fn receive(&mut self, bytes: &mut [u8], wait: Duration) -> io::Result<usize> {
        if self.waiting.is_empty() {
            self.waiting = match self.input.recv_timeout(wait) {
                Ok(found) => found?,
                Err(RecvTimeoutError::Timeout) => return Err(io::ErrorKind::TimedOut.into()),
                Err(RecvTimeoutError::Disconnected) => return Ok(0),
            };
        }
        let length = bytes.len().min(self.waiting.len());
        bytes[..length].copy_from_slice(&self.waiting[..length]);
        self.waiting.drain(..length);
        Ok(length)
    }
}
