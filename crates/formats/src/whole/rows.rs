//! Rows that are appended while a run goes on.

use std::io::{self, Write};
use std::time::{Duration, Instant};

/// The longest time that rows wait in memory while others follow. A run that is killed loses at
/// most the rows of one second, and a fast run does not call the system for every row. Chosen by
/// hand, not measured.
const FLUSH_INTERVAL: Duration = Duration::from_secs(1);
/// Bytes of rows after which they are written even within that second: about a hundred rows of
/// games. Chosen by hand, not measured.
const MAX_PENDING: usize = 64 * 1024;

/// Writes whole rows, some of them together.
#[derive(Debug)]
pub struct RowWriter<W: Write> {
    output: W,
    pending: Vec<u8>,
    flushed: Instant,
}

impl<W: Write> RowWriter<W> {
    /// Writes to a file or to any other output.
    pub fn new(output: W) -> RowWriter<W> {
        RowWriter { output, pending: Vec::new(), flushed: Instant::now() }
    }

    /// Adds a row with its line end. It is written within a second if others follow.
    ///
    /// # Errors
    /// When the output fails.
    pub fn push(&mut self, row: &[u8]) -> io::Result<()> {
        self.pending.extend_from_slice(row);
        let waits = self.pending.len() < MAX_PENDING && self.flushed.elapsed() < FLUSH_INTERVAL;
        if waits { Ok(()) } else { self.flush() }
    }

    /// Writes all rows that wait.
    ///
    /// # Errors
    /// When the output fails.
    pub fn flush(&mut self) -> io::Result<()> {
        self.flushed = Instant::now();
        let pending = std::mem::take(&mut self.pending);
        self.output.write_all(&pending)?;
        self.output.flush()
    }
}

impl<W: Write> Drop for RowWriter<W> {
    /// A run that fails keeps its rows.
    fn drop(&mut self) {
        // No caller can take an error here.
        let _ = self.flush();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Keeps every call apart.
    #[derive(Default)]
    struct Calls(Vec<Vec<u8>>);

    impl Write for &mut Calls {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.push(bytes.to_vec());
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn rows_are_written_together_and_never_in_parts() {
        let mut calls = Calls::default();
        let mut writer = RowWriter::new(&mut calls);
        let row = [&[b'x'; 999][..], b"\n"].concat();
        for _ in 0..150 {
            writer.push(&row).unwrap();
        }
        drop(writer);
        assert_eq!(calls.0.concat(), row.repeat(150));
        assert!(calls.0.len() < 150 && calls.0.iter().all(|call| call.len() % row.len() == 0));
    }
}
