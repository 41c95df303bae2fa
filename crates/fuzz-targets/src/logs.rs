//! Frame logs.

use std::io::Cursor;
use std::path::Path;

use maxout_formats::Error;
use maxout_formats::fm2::Step;
use maxout_formats::frame_log::{LogReader, LogRow, LogShape, copy_log};

use crate::check;

/// A log as CSV.
pub(crate) fn csv(bytes: &[u8]) {
    log(bytes, LogShape::Csv);
}

/// A log as JSON lines.
pub(crate) fn json_lines(bytes: &[u8]) {
    log(bytes, LogShape::JsonLines);
}

fn open(bytes: &[u8], shape: LogShape) -> Result<LogReader, Error> {
    LogReader::new(Path::new("file"), Box::new(Cursor::new(bytes.to_vec())), shape)
}

fn rows(bytes: &[u8], shape: LogShape) -> Result<Vec<(Vec<Step>, LogRow)>, Error> {
    let mut log = open(bytes, shape)?;
    let mut rows = Vec::new();
    while let Some(row) = log.next_row()? {
        rows.push(row);
    }
    Ok(rows)
}

fn copied(bytes: &[u8], from: LogShape, to: LogShape) -> Result<Vec<u8>, Error> {
    let parts: Result<Vec<_>, _> = copy_log(&mut open(bytes, from)?, to).collect();
    Ok(parts?.concat())
}

fn log(bytes: &[u8], shape: LogShape) {
    check::read(open(bytes, shape).and_then(LogReader::steps));
    let Some(read) = check::read(rows(bytes, shape)) else { return };
    for other in [LogShape::Csv, LogShape::JsonLines] {
        // A row may be too long in the other shape.
        let Some(copy) = check::read(copied(bytes, shape, other)) else { continue };
        let found = rows(&copy, other).expect("a copy can be read");
        assert_eq!(found.len(), read.len(), "as many rows");
        assert!(found.iter().zip(&read).all(|(found, read)| found.0 == read.0), "the same resets");
        assert!(other != shape || found == read, "the same rows in the same shape");
        let again = copied(&copy, other, other).expect("a copy can be copied");
        // An object of JSON has no order: there, the entries of the header may move. And its keys may be
        // texts that a header of CSV reads otherwise, such as one that begins with a space.
        let is_csv = shape == LogShape::Csv && other == LogShape::Csv;
        assert!(!is_csv || again == copy, "a copy of a copy is the same");
        assert!(rows(&again, other).expect("a copy of a copy can be read") == found, "the same rows again");
    }
}
