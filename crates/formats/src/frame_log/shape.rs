//! The two shapes of a log: CSV and JSON lines.

use std::borrow::Cow;

use super::column::LogColumn;
use super::row::LogRow;
use crate::Provenance;

/// The value of the header's `format`.
pub(super) const FORMAT: &str = "maxout-log 1";

/// The two shapes of a log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogShape {
    /// Comma-separated values.
    Csv,
    /// One JSON object a line.
    JsonLines,
}

impl LogShape {
    /// The bytes before the first row.
    pub(crate) fn head(self, provenance: &Provenance, columns: &[LogColumn]) -> Vec<u8> {
        let entries = std::iter::once(("format", FORMAT)).chain(provenance.entries());
        match self {
            LogShape::Csv => {
                let mut text: String = entries.map(|(key, value)| format!("# {key}: {value}\n")).collect();
                text += &columns.iter().map(|column| column.name()).collect::<Vec<_>>().join(",");
                text.push('\n');
                text.into_bytes()
            }
            LogShape::JsonLines => {
                let fields = entries.map(|(key, value)| format!("{}:{}", quoted(key), quoted(value)));
                format!("{{{}}}\n", fields.collect::<Vec<_>>().join(",")).into_bytes()
            }
        }
    }

    /// The bytes of a row. What it does not have is empty in CSV and left out in JSON.
    pub(crate) fn row(self, row: &LogRow, columns: &[LogColumn]) -> Vec<u8> {
        let line = match self {
            LogShape::Csv => {
                let fields = columns.iter().map(|column| escaped(row.get(*column).unwrap_or("")));
                fields.collect::<Vec<_>>().join(",")
            }
            LogShape::JsonLines => {
                let fields = columns.iter().filter_map(|column| {
                    let (name, value) = (column.name(), row.get(*column)?);
                    // What CSV takes for a number may not be one in JSON, as 007.
                    Some(match value.parse::<i64>() {
                        Ok(number) if column.is_number() => format!("\"{name}\":{number}"),
                        _ => format!("\"{name}\":{}", quoted(value)),
                    })
                });
                format!("{{{}}}", fields.collect::<Vec<_>>().join(","))
            }
        };
        (line + "\n").into_bytes()
    }
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// Nothing that this program writes needs quotes; a note from another program may.
fn escaped(text: &str) -> Cow<'_, str> {
    if text.contains([',', '"']) { format!("\"{}\"", text.replace('"', "\"\"")).into() } else { text.into() }
}
