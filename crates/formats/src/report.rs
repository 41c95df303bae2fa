//! A game as one HTML page that needs nothing else: placements to step through, plots, every
//! frame of input, and where it all comes from.
//!
//! The page is made of the rows of a [frame log](super::frame_log), whether the game runs or was
//! logged long ago; only plans and desyncs are known while it runs alone. It is written as the
//! rows come and is whole after every placement, so a run that is killed leaves a page.

mod page;
mod pile;
mod runs;
mod story;
mod told;

use std::io::Write;
use std::path::Path;

use super::frame_log::{LogReader, Row, Rows};
use super::live::{Ending, Output};
use super::moment::Moment;
use super::{Error, Provenance};
use maxout_engine::bot::{Event, Flow, FrameReport, FrameSink, SinkError};
use story::Story;

/// Writes a report.
pub struct Report {
    story: Story,
    /// For runs that are not logged yet.
    rows: Rows,
    output: Output,
    context: String,
}

impl Report {
    /// Creates a file, or empties it, and writes what comes before the first frame.
    ///
    /// # Errors
    /// When the path cannot be written.
    pub fn create(path: &Path, provenance: &Provenance) -> Result<Report, SinkError> {
        let context = format!("cannot write the report {}", path.display());
        let output = Output::create(path, false);
        let output = output.map_err(|source| SinkError { context: context.clone(), source })?;
        Report::start(output, context, provenance)
    }

    /// The same to a stream, such as standard output; its end comes with [`Report::finish`].
    ///
    /// # Errors
    /// When the stream cannot be written.
    pub fn stream(stream: Box<dyn Write + Send>, name: &str, provenance: &Provenance) -> Result<Report, SinkError> {
        Report::start(Output::stream(stream, false, false), format!("cannot write the report to {name}"), provenance)
    }

    fn start(output: Output, context: String, provenance: &Provenance) -> Result<Report, SinkError> {
        let mut report = Report { story: Story::default(), rows: Rows::new(false), output, context };
        report.append(&page::head(provenance))?;
        Ok(report)
    }

    /// Takes the next row of a log.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn take(&mut self, row: &Row) -> Result<(), SinkError> {
        self.story.row(row);
        self.write_told()
    }

    /// Tells the last placement and its frames, and ends the page.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn finish(&mut self) -> Result<(), SinkError> {
        self.story.end();
        self.write_told()?;
        self.output.finish().map_err(|source| SinkError { context: self.context.clone(), source })
    }

    fn write_told(&mut self) -> Result<(), SinkError> {
        let lines = self.story.told();
        if lines.is_empty() { Ok(()) } else { self.append(&lines) }
    }

    fn append(&mut self, content: &str) -> Result<(), SinkError> {
        let ending = || Ending { tail: page::TAIL.as_bytes().to_vec(), patch: None };
        let written = self.output.append(content.as_bytes(), ending);
        written.map_err(|source| SinkError { context: self.context.clone(), source })
    }
}

impl FrameSink for Report {
    fn frame(&mut self, report: &FrameReport<'_>) -> Result<Flow, SinkError> {
        let FrameReport { buttons, polled, pokes, snapshot, .. } = *report;
        if let Some(row) = self.rows.row(&Moment::Frame { buttons, polled, writes: pokes, snapshot }) {
            self.story.row(&row);
        }
        for event in report.events {
            match event {
                Event::Planned => self.story.plan(report.plan),
                Event::Desync(desync) => self.story.note(desync.frame, desync.to_string()),
                _ => {}
            }
        }
        self.write_told()?;
        Ok(Flow::Continue)
    }
}

impl Drop for Report {
    /// A run that fails keeps what was told.
    fn drop(&mut self) {
        // Nobody is left to tell.
        let _ = self.finish();
    }
}

/// Writes the report of a whole log.
///
/// # Errors
/// When the log is malformed or lacks a column that a report needs; when the report cannot be
/// written, [`Error::Io`] with its path.
pub fn report_log(reader: &mut LogReader, report: &mut Report) -> Result<(), LogError> {
    let mut rows = 0_u64;
    while let Some((_, row)) = reader.next_row()? {
        if let Some(missing) = story::missing(&row) {
            return Err(LogError::Column(missing.name()));
        }
        report.take(&row)?;
        rows += 1;
    }
    if rows == 0 {
        return Err(LogError::Empty);
    }
    Ok(report.finish()?)
}

/// Why a log gives no report.
#[derive(Debug, thiserror::Error)]
pub enum LogError {
    /// It is malformed.
    #[error(transparent)]
    Log(#[from] Error),
    /// The report cannot be written.
    #[error(transparent)]
    Write(#[from] SinkError),
    /// It says too little.
    #[error(
        "expected a log with the column {0:?}, found one without it; maxout convert LOG NEW.csv plays it and writes a \
         whole one"
    )]
    Column(&'static str),
    /// It says nothing.
    #[error("expected a log with frames in it, found none; maxout play --log FILE.csv writes one")]
    Empty,
}
