//! Traces.

use std::io::Cursor;

use maxout_formats::trace::{TraceReader, TraceRow, TraceWriter};

use crate::check;

/// A trace as text.
pub(crate) fn plain(bytes: &[u8]) {
    let open = || TraceReader::new("file", Cursor::new(bytes.to_vec()));
    let Some(trace) = check::read(open()) else { return };
    let Some(rows) = rows(trace) else { return };
    let header = open().expect("it was read before").header().clone();
    // A trace that is written begins with frame 0.
    let mut writer = TraceWriter::new(Vec::new(), &header).expect("memory can be written");
    for row in &rows {
        writer.write(row.buttons, row.busy, &row.ram).expect("memory can be written");
    }
    let written = writer.finish().expect("memory can be written");
    let mut again = TraceReader::new("file", Cursor::new(written)).expect("a trace that was written can be read");
    assert_eq!(again.header(), &header);
    for (frame, row) in (0_u64..).zip(&rows) {
        let found = again.next_row().expect("a row that was written can be read").expect("as many rows");
        assert_eq!((found.frame, found.buttons, found.busy), (frame, row.buttons, row.busy));
        for (address, byte) in row.known_bytes() {
            assert_eq!(found.ram[usize::from(address)], byte, "frame {frame}, ${address:04X}");
        }
    }
    assert!(again.next_row().expect("the end can be read").is_none());
}

/// The rows, `None` where one is malformed.
pub(crate) fn rows(mut trace: TraceReader) -> Option<Vec<TraceRow>> {
    let mut rows = Vec::new();
    loop {
        match check::read(trace.next_row())? {
            Some(row) => rows.push(row.clone()),
            None => return Some(rows),
        }
    }
}
