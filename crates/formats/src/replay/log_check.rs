//! A console against a frame log, column by column.

use serde::Serialize;

use crate::Error;
use crate::frame_log::{Cells, LogColumn, LogFrames, LogReader, LogRow, Note};
use crate::played::PlayedStep;

/// The first column that differs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LogDifference {
    /// The frame (the log's `call`), from 0 at the first power-on.
    pub frame: u64,
    /// The column's name.
    pub name: &'static str,
    /// The value in the log.
    pub expected: String,
    /// The value of the console.
    pub found: String,
}

/// Compares each frame of a replay with the rows of a log.
pub struct LogCheck {
    log: LogReader,
    played: LogFrames,
    frames: u64,
    values: u64,
    ended: bool,
    difference: Option<LogDifference>,
}

/// The result of a comparison.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LogVerification {
    /// Frames compared.
    pub frames: u64,
    /// Values compared.
    pub values: u64,
    /// The first that differs.
    pub first_difference: Option<LogDifference>,
}

impl LogCheck {
    /// A comparison from power-on.
    pub fn new(log: LogReader) -> LogCheck {
        LogCheck { log, played: LogFrames::default(), frames: 0, values: 0, ended: false, difference: None }
    }

    /// Compares the next step of the console; nothing after the log's end or a difference.
    ///
    /// # Errors
    /// When the log is malformed.
    pub fn take(&mut self, step: &PlayedStep<'_>) -> Result<(), Error> {
        if self.ended || self.difference.is_some() {
            return Ok(());
        }
        let Some(found) = self.played.next(step) else { return Ok(()) };
        match self.log.next_row()? {
            None => self.ended = true,
            Some((_, expected)) => {
                self.difference = difference(self.frames, &expected, &found.row(Cells::Written), &mut self.values);
                self.frames += 1;
            }
        }
        Ok(())
    }

    /// The result, at the end of the replay.
    ///
    /// # Errors
    /// When the log is malformed.
    pub fn finish(mut self) -> Result<LogVerification, Error> {
        if !self.ended && self.difference.is_none() && self.log.next_row()?.is_some() {
            let (expected, found) = ("a frame more".to_owned(), "the end of the replay".to_owned());
            self.difference = Some(LogDifference { frame: self.frames, name: "call", expected, found });
        }
        Ok(self.so_far())
    }

    /// The result of the rows until now. Those that are left are no difference.
    pub fn so_far(self) -> LogVerification {
        LogVerification { frames: self.frames, values: self.values, first_difference: self.difference }
    }
}

/// Buttons of a lag frame are not compared: they do nothing, and not every format keeps them. Neither are notes of
/// plans, which a replay does not make. `values` counts what is compared.
fn difference(frame: u64, expected: &LogRow, found: &LogRow, values: &mut u64) -> Option<LogDifference> {
    let lag = expected.polled() == Some(false) && found.polled() == Some(false);
    let skipped = |column| lag && matches!(column, LogColumn::Buttons | LogColumn::Keys);
    let mut compared = expected.columns().filter(|&(column, _)| !skipped(column));
    let (column, expected, found) = compared.find_map(|(column, expected)| {
        *values += 1;
        let found = found.get(column).unwrap_or("");
        let differs = match column {
            LogColumn::Note => !Note::without_plans(expected).eq_ignore_ascii_case(&Note::without_plans(found)),
            _ => !expected.eq_ignore_ascii_case(found),
        };
        differs.then_some((column, expected, found))
    })?;
    Some(LogDifference { frame, name: column.name(), expected: expected.to_owned(), found: found.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(polled: &'static str, buttons: &'static str) -> LogRow {
        let mut row = LogRow::default();
        for (column, text) in
            [(LogColumn::Buttons, buttons), (LogColumn::Keys, ""), (LogColumn::Polled, polled), (LogColumn::Mode, "4")]
        {
            row.set(column, text);
        }
        row
    }

    #[test]
    fn buttons_that_the_game_does_not_read_are_neither_compared_nor_counted() {
        for (polled, found_polled, values, name) in
            [("0", "0", 2, None), ("1", "1", 1, Some("buttons")), ("0", "1", 1, Some("buttons"))]
        {
            let mut compared = 0;
            let found = difference(7, &row(polled, "01"), &row(found_polled, "02"), &mut compared);
            assert_eq!((found.map(|found| found.name), compared), (name, values), "{polled} {found_polled}");
        }
    }
}
