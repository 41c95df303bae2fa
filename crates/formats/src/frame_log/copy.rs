//! A log in the other shape, row by row.

use super::column::{LogColumn, LogOptions, written_columns};
use super::reader::{LogReader, csv_row};
use super::shape::LogShape;
use crate::Error;
use crate::text::MAX_BYTES;

/// Most bytes of a copy that is in memory until it is whole: some nine hours of a log in CSV. Chosen
/// so that all of it takes less than 256 MB.
const MOST: usize = 208 * 1024 * 1024;

/// Copies a log into a shape: its head and then every row; nothing is played. Only CSV from JSON lines
/// is in memory until it is whole, because its head names the columns of all rows.
///
/// A part is an error when the log is malformed, or it or a line of it would be too long. What comes
/// after an error means nothing.
pub fn copy_log<'r>(
    reader: &'r mut LogReader,
    shape: LogShape,
) -> Box<dyn Iterator<Item = Result<Vec<u8>, Error>> + 'r> {
    let columns = match (shape, reader.columns()) {
        (LogShape::Csv, columns) if columns.is_empty() => return Box::new(std::iter::once(collected(reader))),
        (LogShape::Csv, columns) => columns,
        // In JSON lines the head names none.
        (LogShape::JsonLines, _) => LogColumn::ALL.to_vec(),
    };
    let head = reader.checked(shape.head(reader.provenance(), &columns));
    let mut length = head.as_ref().map_or(0, Vec::len);
    let rows = std::iter::from_fn(move || {
        let mut next = || {
            let Some((_, row)) = reader.next_row()? else { return Ok(None) };
            let row = reader.checked(shape.row(&row, &columns))?;
            length += row.len();
            // A longer file is not read.
            reader.check_length(length, MAX_BYTES as usize)?;
            Ok(Some(row))
        };
        next().transpose()
    });
    Box::new(std::iter::once(head).chain(rows))
}

/// The whole copy of JSON lines as CSV.
fn collected(reader: &mut LogReader) -> Result<Vec<u8>, Error> {
    let shape = LogShape::Csv;
    let mut columns = Vec::new();
    let mut rows = Vec::new();
    while let Some((_, row)) = reader.next_row()? {
        if row.columns().any(|(column, _)| !columns.contains(&column)) {
            let has = |column: &LogColumn| columns.contains(column) || row.get(*column).is_some();
            let wider: Vec<_> = LogColumn::ALL.into_iter().filter(has).collect();
            reader.check_length(2 * rows.len(), MOST)?;
            rows = with_columns(&rows, &columns, &wider);
            columns = wider;
        }
        rows.extend(reader.checked(shape.row(&row, &columns))?);
        reader.check_length(rows.len(), MOST)?;
    }
    if columns.is_empty() {
        columns = written_columns(LogOptions::default());
    }
    let head = reader.checked(shape.head(reader.provenance(), &columns))?;
    // In the same memory.
    rows.splice(..0, head);
    Ok(rows)
}

/// Rows of CSV with other columns.
fn with_columns(rows: &[u8], columns: &[LogColumn], wanted: &[LogColumn]) -> Vec<u8> {
    let columns: Vec<_> = columns.iter().copied().map(Some).collect();
    let rows = String::from_utf8_lossy(rows);
    let rows = rows.lines().filter_map(|line| csv_row(line, &columns).ok());
    rows.flat_map(|row| LogShape::Csv.row(&row, wanted)).collect()
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;
    use std::path::Path;

    use super::*;

    #[test]
    fn rows_are_copied_before_the_next_one_is_read() {
        let csv = "# format: maxout-log 1\ncall,buttons\n0,00\n1,xx\n";
        for (shape, head, row) in [
            (LogShape::JsonLines, "{\"format\":\"maxout-log 1\"}\n", "{\"call\":0,\"buttons\":\"00\"}\n"),
            (LogShape::Csv, "# format: maxout-log 1\ncall,buttons\n", "0,00\n"),
        ] {
            let text = Box::new(Cursor::new(csv));
            let mut reader = LogReader::new(Path::new("file"), text, LogShape::Csv).unwrap();
            let mut parts = copy_log(&mut reader, shape);
            assert_eq!(parts.next().unwrap().unwrap(), head.as_bytes());
            assert_eq!(parts.next().unwrap().unwrap(), row.as_bytes());
            assert!(parts.next().unwrap().is_err());
        }
    }
}
