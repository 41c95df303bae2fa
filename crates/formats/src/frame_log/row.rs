//! A row of a log as text.

use super::column::{COLUMNS, LogColumn};

/// The text of `cheat_writes` in a frame before which nothing was written into RAM.
pub(super) const NO_WRITES: &str = "-";

/// One row: the text of every column that the log has.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LogRow {
    values: [Option<String>; COLUMNS],
}

impl LogRow {
    /// The text of a column, if the log has it.
    pub fn get(&self, column: LogColumn) -> Option<&str> {
        self.values[column as usize].as_deref()
    }

    pub(crate) fn set(&mut self, column: LogColumn, value: impl ToString) {
        self.values[column as usize] = Some(value.to_string());
    }

    /// The columns that it has, with their texts.
    pub fn columns(&self) -> impl Iterator<Item = (LogColumn, &str)> {
        LogColumn::ALL.into_iter().filter_map(|column| Some((column, self.get(column)?)))
    }

    /// Was the gamepad read? `None` where the log lacks the column.
    pub fn polled(&self) -> Option<bool> {
        self.get(LogColumn::Polled).map(|text| text == "1")
    }
}
