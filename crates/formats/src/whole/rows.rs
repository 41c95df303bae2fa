//! Rows that are appended while a run goes on.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use super::claim::Claim;
use super::storage::Target;

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

/// A file of rows that holds whole rows only, also after a write that fails: what was written of the
/// last row is cut off again. It takes whole rows.
pub struct RowFile {
    target: Target,
    unit: &'static str,
    /// Rows in the file: lines that begin with a digit, unlike those of a header.
    rows: usize,
    failed: Option<(io::ErrorKind, String)>,
}

impl RowFile {
    /// Starts a claimed file. `unit` is what a row is, in the plural.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn start(claim: Claim, unit: &'static str) -> io::Result<RowFile> {
        Ok(RowFile { target: Target::start(claim)?, unit, rows: 0, failed: None })
    }

    /// Goes on with a claimed file after its first `length` bytes, which have this many rows.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn resume(claim: Claim, unit: &'static str, length: u64, rows: usize) -> io::Result<RowFile> {
        Ok(RowFile { target: Target::resume(claim, length)?, unit, rows, failed: None })
    }

    #[cfg(test)]
    pub(crate) fn on(storage: Box<dyn super::storage::Storage>, unit: &'static str) -> RowFile {
        RowFile { target: Target::File(super::storage::WholeFile::new(storage)), unit, rows: 0, failed: None }
    }
}

impl Write for RowFile {
    fn write(&mut self, rows: &[u8]) -> io::Result<usize> {
        if let Some((kind, words)) = &self.failed {
            return Err(io::Error::new(*kind, words.clone()));
        }
        let file = match &mut self.target {
            Target::File(file) => file,
            Target::Stream(stream) => return stream.write(rows),
        };
        let (added, result) = file.append_lines(rows);
        let lines = rows[..added].split(|&byte| byte == b'\n');
        self.rows += lines.filter(|line| line.first().is_some_and(u8::is_ascii_digit)).count();
        result.map_err(|error| {
            let words = format!("{error}; the file holds {} {}", self.rows, self.unit);
            self.failed = Some((error.kind(), words.clone()));
            io::Error::new(error.kind(), words)
        })?;
        Ok(added)
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.target {
            Target::File(file) => file.flush(),
            Target::Stream(stream) => stream.flush(),
        }
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
    use crate::whole::{Fault, TestDisk};

    #[test]
    fn whole_rows_survive_a_fault_at_every_byte() {
        let head = "# games\ngame,points\n";
        let rows: Vec<String> = (0..12).map(|row| format!("{row},{}\n", row * row * 1234)).collect();
        let all = head.to_owned() + &rows.concat();
        for place in 0..=all.len() as u64 {
            for fault in Fault::all_at(place) {
                let disk = TestDisk::new(Some(fault));
                let mut writer = RowWriter::new(RowFile::on(Box::new(disk.clone()), "games"));
                let begun = writer.push(head.as_bytes()).and_then(|()| writer.flush());
                let pushed = rows.iter().try_for_each(|row| {
                    writer.push(row.as_bytes())?;
                    // Some of them together.
                    if row.len() % 2 == 0 { writer.flush() } else { Ok(()) }
                });
                let flushed = pushed.and_then(|()| writer.flush());
                drop(writer);
                let found = String::from_utf8(disk.content()).unwrap();
                assert!(all.starts_with(&found), "{fault:?}");
                if fault.kills() {
                    continue;
                }
                assert!(found.is_empty() || found.ends_with('\n'), "{fault:?}: {found:?}");
                // A row more would not have fitted.
                let next = all[found.len()..].find('\n').map_or(0, |end| end + 1);
                assert!(found.len() + next > place as usize || found == all, "{fault:?}");
                if let Err(error) = flushed.and(begun) {
                    let count = found.lines().filter(|line| line.starts_with(char::is_numeric)).count();
                    assert!(error.to_string().ends_with(&format!("; the file holds {count} games")), "{error}");
                }
            }
        }
    }

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
