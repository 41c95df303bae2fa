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

#[cfg(test)]
mod tests {
    use std::net::{TcpListener, TcpStream};

    use super::*;

    #[test]
    fn bytes_go_both_ways_and_no_wait_is_longer_than_told() {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let mut host = TcpStream::connect(listener.local_addr().expect("an address")).expect("a connection");
        let (stream, _) = listener.accept().expect("a connection");
        let mut link = Threads::start(stream.try_clone().expect("a copy"), stream).expect("threads");
        let mut bytes = [0; 4];
        let nothing = link.receive(&mut bytes, Duration::from_millis(10)).expect_err("nothing came");
        assert_eq!(nothing.kind(), io::ErrorKind::TimedOut);
        let long = Duration::from_secs(20);
        assert_eq!(link.send(b"buttons", long).expect("sent"), 7);
        let mut got = [0; 7];
        host.read_exact(&mut got).expect("they come");
        assert_eq!(&got, b"buttons");
        host.write_all(b"memory").expect("sent");
        assert_eq!((link.receive(&mut bytes, long).expect("bytes"), &bytes), (4, b"memo"));
        assert_eq!((link.receive(&mut bytes, long).expect("the rest"), &bytes[..2]), (2, &b"ry"[..]));
        drop(host);
        assert_eq!(link.receive(&mut bytes, long).expect("the end"), 0);
    }
}
