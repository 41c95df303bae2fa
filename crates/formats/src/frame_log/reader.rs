//! Reads frame logs, and checks what they promise.

use std::collections::HashMap;
use std::io::BufRead;
use std::path::Path;

use super::column::LogColumn;
use super::note::{NOTE_SEPARATOR, Note};
use super::row::{LogRow, NO_WRITES};
use super::self_check::SelfCheck;
use super::shape::{FORMAT, LogShape};
use crate::fm2::{Step, line_of_call};
use crate::text::{MAX_LINE, TextLines, one_line, shortened};
use crate::{Error, Provenance};
use maxout_engine::gamepad::Buttons;

/// The most entries of a header that are read; this program writes 18. The rest is skipped, so that
/// a header without an end does not fill the memory. Chosen by hand, not measured.
const MAX_ENTRIES: usize = 100;

/// A log, row by row: it keeps one row, however long the log is.
pub struct LogReader {
    text: TextLines<Box<dyn BufRead>>,
    shape: LogShape,
    provenance: Provenance,
    /// CSV: what each field is; unknown columns are skipped.
    columns: Vec<Option<LogColumn>>,
    calls: u64,
    boots: u64,
    check: SelfCheck,
}

impl LogReader {
    /// Opens a log; it may be gzip.
    ///
    /// # Errors
    /// When the file cannot be read or has no header.
    pub fn open(path: &Path, shape: LogShape) -> Result<LogReader, Error> {
        LogReader::of(TextLines::open(path)?, shape)
    }

    /// Reads a log's text; errors show `path`.
    ///
    /// # Errors
    /// As [`LogReader::open`].
    pub fn new(path: &Path, text: Box<dyn BufRead>, shape: LogShape) -> Result<LogReader, Error> {
        LogReader::of(TextLines::new(path, text), shape)
    }

    fn of(text: TextLines<Box<dyn BufRead>>, shape: LogShape) -> Result<LogReader, Error> {
        let mut reader = LogReader {
            text,
            shape,
            provenance: Provenance::default(),
            columns: Vec::new(),
            calls: 0,
            boots: 1,
            check: SelfCheck::default(),
        };
        match shape {
            LogShape::Csv => reader.read_csv_header()?,
            LogShape::JsonLines => reader.read_json_header()?,
        }
        Ok(reader)
    }

    /// The header of the log.
    pub fn provenance(&self) -> &Provenance {
        &self.provenance
    }

    /// The same log with this date in its header, in place of another one: for a copy of it.
    #[must_use]
    pub fn dated(self, date: &str) -> LogReader {
        LogReader { provenance: self.provenance.dated(date), ..self }
    }

    /// The columns that its head names; JSON names them in its rows.
    pub(crate) fn columns(&self) -> Vec<LogColumn> {
        LogColumn::ALL.into_iter().filter(|column| self.columns.contains(&Some(*column))).collect()
    }

    /// The bytes of a line or more that are written from this log, unless a reader would refuse
    /// them.
    ///
    /// # Errors
    /// When a line would be too long.
    pub(crate) fn checked(&self, bytes: Vec<u8>) -> Result<Vec<u8>, Error> {
        let too_long = |line: &[u8]| line.len() as u64 + 1 >= MAX_LINE;
        if bytes.split(|&byte| byte == b'\n').any(too_long) {
            let expected = format!("expected a line that takes less than {MAX_LINE} bytes in the other format");
            return Err(self.text.error(format!("{expected}, found a longer one")));
        }
        Ok(bytes)
    }

    /// Refuses to write more than `most` bytes from this log.
    ///
    /// # Errors
    /// When it would be more.
    pub(crate) fn check_length(&self, length: usize, most: usize) -> Result<(), Error> {
        if length <= most {
            return Ok(());
        }
        Err(self
            .text
            .error(format!("expected a log that takes at most {most} bytes in the other format, found a longer one")))
    }

    fn read_csv_header(&mut self) -> Result<(), Error> {
        loop {
            let Some(line) = self.text.next()? else {
                return Err(self.text.error("expected the names of the columns, found the end".to_owned()));
            };
            if let Some(comment) = line.strip_prefix('#') {
                // An entry may be empty: the space after its colon belongs to it.
                let entry = comment.trim_start().split_once(": ");
                let entry = entry.map(|(key, value)| (key.to_owned(), value.trim_end().to_owned()));
                if let Some((key, value)) = entry {
                    self.add_provenance(&key, &value)?;
                }
                continue;
            }
            if line.is_empty() {
                continue;
            }
            let columns: Vec<_> = fields(&line).into_iter().map(|name| LogColumn::named(name.trim())).collect();
            let needed =
                [LogColumn::Call, LogColumn::Buttons].into_iter().find(|column| !columns.contains(&Some(*column)));
            if let Some(missing) = needed {
                let found = shortened(&line);
                return Err(self.text.error(format!("expected a column {:?}, found {found:?}", missing.name())));
            }
            let twice = columns.iter().enumerate().find_map(|(at, column)| {
                let column = (*column)?;
                columns[..at].contains(&Some(column)).then_some(column)
            });
            if let Some(column) = twice {
                return Err(self.text.error(format!("expected the column {:?} once, found it twice", column.name())));
            }
            self.columns = columns;
            return Ok(());
        }
    }

    fn read_json_header(&mut self) -> Result<(), Error> {
        let Some(line) = self.text.next()? else {
            return Err(self.text.error("expected a JSON object with the key \"format\", found the end".to_owned()));
        };
        let object = json_object(&line).and_then(|object| {
            if object.contains_key("format") {
                Ok(object)
            } else {
                Err(format!("expected the key \"format\" in the first line, found {:?}", shortened(&line)))
            }
        });
        for (key, value) in object.map_err(|message| self.text.error(message))? {
            let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            self.add_provenance(&key, &value)?;
        }
        self.provenance = std::mem::take(&mut self.provenance).in_order();
        Ok(())
    }

    fn add_provenance(&mut self, key: &str, value: &str) -> Result<(), Error> {
        if key == "format" {
            return if value == FORMAT {
                Ok(())
            } else {
                Err(self.text.error(format!("expected format {FORMAT:?}, found {:?}", shortened(value))))
            };
        }
        if self.provenance.entries().count() < MAX_ENTRIES {
            self.provenance = std::mem::take(&mut self.provenance).with(key, value);
        }
        Ok(())
    }

    /// The next row with the resets before it, `None` after the last.
    ///
    /// # Errors
    /// When a row is malformed or contradicts itself or the row before.
    pub fn next_row(&mut self) -> Result<Option<(Vec<Step>, LogRow)>, Error> {
        loop {
            let Some(line) = self.text.next()? else { return Ok(None) };
            if line.is_empty() || (self.shape == LogShape::Csv && line.starts_with('#')) {
                continue;
            }
            let row = match self.shape {
                LogShape::Csv => csv_row(&line, &self.columns),
                LogShape::JsonLines => json_row(&line),
            };
            // Half a number is a number, too, but half an object is not an object.
            if self.text.is_cut() && (self.shape == LogShape::Csv || row.is_err()) {
                self.text.warn_of_cut();
                return Ok(None);
            }
            let checked = row.and_then(|row| {
                let boots = check_row(&row, self.calls, self.boots)?;
                match self.check.violation(&row) {
                    Some(violation) => Err(violation),
                    None => Ok((boots, row)),
                }
            });
            let (boots, row) = checked.map_err(|message| self.text.fault(message))?;
            self.calls += 1;
            self.boots += boots.len() as u64;
            return Ok(Some((boots, row)));
        }
    }

    /// What a console does when it plays the rest of the log.
    ///
    /// # Errors
    /// As [`LogReader::next_row`].
    pub fn steps(mut self) -> Result<Vec<Step>, Error> {
        let mut steps = Vec::new();
        while let Some((boots, row)) = self.next_row()? {
            if row.get(LogColumn::CheatWrites).is_some_and(|writes| writes != NO_WRITES) {
                return Err(self.text.cheats());
            }
            steps.extend(boots);
            steps.push(Step::Frame(buttons(&row)));
        }
        Ok(steps)
    }
}

/// The buttons of a row that has been checked.
fn buttons(row: &LogRow) -> Buttons {
    let text = row.get(LogColumn::Buttons).unwrap_or("");
    Buttons::from_bits(u8::from_str_radix(text, 16).unwrap_or(0))
}

/// Splits a CSV line; a field may be in quotes, and two quotes inside them are one.
fn fields(line: &str) -> Vec<String> {
    let mut fields = Vec::new();
    let mut field = String::new();
    let (mut begins, mut in_quotes) = (true, false);
    let mut letters = line.chars().peekable();
    while let Some(letter) = letters.next() {
        let began = std::mem::replace(&mut begins, false);
        match letter {
            '"' if in_quotes => match letters.next_if_eq(&'"') {
                Some(quote) => field.push(quote),
                None => in_quotes = false,
            },
            '"' if began => in_quotes = true,
            ',' if !in_quotes => {
                fields.push(std::mem::take(&mut field));
                begins = true;
            }
            _ => field.push(letter),
        }
    }
    fields.push(field);
    fields
}

pub(super) fn csv_row(line: &str, columns: &[Option<LogColumn>]) -> Result<LogRow, String> {
    let values = fields(line);
    if values.len() != columns.len() {
        return Err(format!("expected {} fields, found {}: {:?}", columns.len(), values.len(), shortened(line)));
    }
    let mut row = LogRow::default();
    for (column, value) in columns.iter().zip(values) {
        if let Some(column) = column.filter(|column| *column == LogColumn::Note || !value.is_empty()) {
            row.set(column, one_line(&value));
        }
    }
    Ok(row)
}

fn json_object(line: &str) -> Result<serde_json::Map<String, serde_json::Value>, String> {
    match serde_json::from_str(line) {
        Ok(serde_json::Value::Object(object)) => Ok(object),
        Ok(_) => Err(format!("expected a JSON object, found {:?}", shortened(line))),
        Err(error) => Err(format!("expected a JSON object: {error}, found {:?}", shortened(line))),
    }
}

fn json_row(line: &str) -> Result<LogRow, String> {
    let object: HashMap<_, _> = json_object(line)?.into_iter().collect();
    let mut row = LogRow::default();
    for column in LogColumn::ALL {
        match object.get(column.name()) {
            None => {}
            // A number in quotes is that number, without its leading zeros.
            Some(serde_json::Value::String(text)) => match text.parse::<i64>() {
                Ok(number) if column.is_number() => row.set(column, number),
                _ => row.set(column, one_line(text)),
            },
            Some(serde_json::Value::Number(number)) => row.set(column, number),
            Some(other) => {
                return Err(format!("{}: expected a text or a number, found {other}", column.name()));
            }
        }
    }
    Ok(row)
}

/// Checks a row against itself and its place; the resets that came before it.
fn check_row(row: &LogRow, calls: u64, boots: u64) -> Result<Vec<Step>, String> {
    let call = row.get(LogColumn::Call).unwrap_or("");
    if call.parse() != Ok(calls) {
        return Err(format!("expected call {calls}, found {call:?}: no call may be left out"));
    }
    let text = row.get(LogColumn::Buttons).unwrap_or("");
    let bits = Some(text)
        .filter(|text| text.len() == 2 && text.bytes().all(|digit| digit.is_ascii_hexdigit()))
        .and_then(|text| u8::from_str_radix(text, 16).ok());
    let Some(bits) = bits else { return Err(format!("expected two hex digits of buttons, found {text:?}")) };
    if let Some(keys) = row.get(LogColumn::Keys) {
        let pressed = Buttons::from_keys(keys).map_err(|error| format!("keys: {error}"))?;
        if pressed.bits() != bits {
            return Err(format!("expected keys of the buttons {text}, found {keys:?}"));
        }
    }
    let not_a_number = |(column, text): &(LogColumn, &str)| column.is_number() && text.parse::<i64>().is_err();
    if let Some((column, text)) = row.columns().find(not_a_number) {
        return Err(format!("{}: expected a whole number, found {:?}", column.name(), shortened(text)));
    }
    if let Some(polled) = row.get(LogColumn::Polled).filter(|text| !matches!(*text, "0" | "1")) {
        return Err(format!("polled: expected 0 or 1, found {polled:?}"));
    }
    let notes = row.get(LogColumn::Note).unwrap_or("").split(NOTE_SEPARATOR);
    let steps: Vec<Step> = notes
        .map_while(|note| match Note::parse(note) {
            Some(Note::Reset) => Some(Step::Reset),
            Some(Note::Power) => Some(Step::PowerCycle),
            _ => None,
        })
        .collect();
    if let Some(line) = row.get(LogColumn::Line) {
        let expected = line_of_call(calls, boots + steps.len() as u64);
        if line.parse() != Ok(expected) {
            return Err(format!("expected line {expected} (call and boots, by the notes), found {line:?}"));
        }
    }
    Ok(steps)
}

#[cfg(test)]
mod tests;
