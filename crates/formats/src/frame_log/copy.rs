//! A log in the other shape, row by row.

use super::column::{LogColumn, LogOptions, written_columns};
use super::reader::{LogReader, csv_row};
use super::shape::LogShape;
use crate::Error;

/// Most bytes of a copy, which is in memory until it is whole: some nine hours of a log in CSV. Chosen
/// so that all of it takes less than 256 MB.
const MOST: usize = 208 * 1024 * 1024;

/// Copies the rows of a log into a shape; nothing is played.
///
/// # Errors
/// When the log is malformed, or it or a line of it would be too long.
pub fn copy_log(reader: &mut LogReader, shape: LogShape) -> Result<Vec<u8>, Error> {
    let mut columns = reader.columns();
    let mut rows = Vec::new();
    while let Some((_, row)) = reader.next_row()? {
        if row.columns().any(|(column, _)| !columns.contains(&column)) {
            let has = |column: &LogColumn| columns.contains(column) || row.get(*column).is_some();
            let wider: Vec<_> = LogColumn::ALL.into_iter().filter(has).collect();
            if shape == LogShape::Csv {
                reader.check_length(2 * rows.len(), MOST)?;
                rows = with_columns(&rows, &columns, &wider);
            }
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
