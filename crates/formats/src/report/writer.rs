//! A report while it is written.

use std::io::Write;
use std::path::Path;

use super::builder::PageBuilder;
use super::error::ReportError;
use super::page;
use crate::Provenance;
use crate::frame_log::{FrameValues, LogFrames, LogReader, LogRow};
use crate::played::PlayedStep;
use crate::whole::{Claim, GrowingFile, Packing};
use maxout_engine::bot::{Event, Flow, FrameReport, FrameSink, Goal, Outcome, SinkError};

/// Writes a report.
pub struct ReportWriter {
    builder: PageBuilder,
    frames: LogFrames,
    output: GrowingFile,
    context: String,
    is_finished: bool,
}

/// What a page is made of, in messages.
const UNIT: &str = "placements";

impl ReportWriter {
    /// Creates a file, or empties it, and writes what comes before the first frame.
    ///
    /// # Errors
    /// When the path cannot be written.
    pub fn create(path: &Path, provenance: &Provenance) -> Result<ReportWriter, SinkError> {
        let context = || format!("cannot write the report {}", path.display());
        let claim = Claim::open(path).map_err(|source| SinkError { context: context(), source })?;
        ReportWriter::start(claim, provenance)
    }

    /// The same with a file that has been claimed before.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn start(claim: Claim, provenance: &Provenance) -> Result<ReportWriter, SinkError> {
        let context = format!("cannot write the report {}", claim.path().display());
        let output = GrowingFile::start(claim, Packing::Plain, UNIT);
        let output = output.map_err(|source| SinkError { context: context.clone(), source })?;
        ReportWriter::new(output, context, provenance)
    }

    /// The same to a stream, such as standard output; its end comes with [`ReportWriter::finish`].
    ///
    /// # Errors
    /// When the stream cannot be written.
    pub fn stream(
        stream: Box<dyn Write + Send>,
        name: &str,
        provenance: &Provenance,
    ) -> Result<ReportWriter, SinkError> {
        ReportWriter::new(
            GrowingFile::stream(stream, Packing::Plain, UNIT),
            format!("cannot write the report to {name}"),
            provenance,
        )
    }

    pub(super) fn new(
        output: GrowingFile,
        context: String,
        provenance: &Provenance,
    ) -> Result<ReportWriter, SinkError> {
        let (builder, frames) = (PageBuilder::new(goal(provenance)), LogFrames::default());
        let mut writer = ReportWriter { builder, frames, output, context, is_finished: false };
        writer.append(&page::head(provenance), 0)?;
        Ok(writer)
    }

    /// Takes the next step of a run.
    ///
    /// # Errors
    /// When the page cannot be written.
    pub fn step(&mut self, step: &PlayedStep<'_>) -> Result<(), SinkError> {
        self.add_step(step);
        self.write_lines()
    }

    /// Takes the values of the next frame of a log.
    ///
    /// # Errors
    /// When the page cannot be written.
    pub fn frame_of_log(&mut self, values: &FrameValues<'_>) -> Result<(), SinkError> {
        self.builder.frame(values);
        self.write_lines()
    }

    /// Says on the page how the run ended, where the frames do not show it.
    pub fn ended(&mut self, outcome: Outcome) {
        self.builder.ended(outcome);
    }

    /// Adds the last placement and its frames, and ends the page.
    ///
    /// # Errors
    /// When the page cannot be written.
    pub fn finish(&mut self) -> Result<(), SinkError> {
        if !std::mem::replace(&mut self.is_finished, true) {
            self.builder.end();
            let lines = self.builder.take_lines() + page::TAIL;
            self.append(&lines, 0)?;
        }
        self.output.finish().map_err(|source| SinkError { context: self.context.clone(), source })
    }

    fn add_step(&mut self, step: &PlayedStep<'_>) {
        if let Some(frame) = self.frames.next(step) {
            self.builder.frame(&FrameValues::from(frame));
        }
    }

    /// Placements in the file.
    #[cfg(test)]
    pub(super) fn placements(&self) -> u64 {
        self.output.written()
    }

    fn write_lines(&mut self) -> Result<(), SinkError> {
        let lines = self.builder.take_lines();
        if lines.is_empty() {
            return Ok(());
        }
        let placements = lines.lines().filter(|line| line.starts_with(page::PLACEMENT)).count();
        self.append(&lines, placements as u64)
    }

    fn append(&mut self, content: &str, placements: u64) -> Result<(), SinkError> {
        let written = self.output.append(content.as_bytes(), placements);
        written.map_err(|source| SinkError { context: self.context.clone(), source })
    }
}

impl FrameSink for ReportWriter {
    fn frame(&mut self, report: &FrameReport<'_>) -> Result<Flow, SinkError> {
        PlayedStep::boot(report).iter().for_each(|boot| self.add_step(boot));
        self.add_step(&PlayedStep::from(report));
        for event in report.events {
            match event {
                Event::Planned => self.builder.plan(report.plan),
                Event::Desync(desync) => self.builder.event(desync.frame, desync.to_string()),
                _ => {}
            }
        }
        self.write_lines()?;
        Ok(Flow::Continue)
    }
}

impl Drop for ReportWriter {
    /// A run that fails keeps its page.
    fn drop(&mut self) {
        // No caller can take an error here.
        let _ = self.finish();
    }
}

/// What the run played for, by the settings in its header.
fn goal(provenance: &Provenance) -> Option<Goal> {
    let settings: serde_json::Value = serde_json::from_str(provenance.get("settings")?).ok()?;
    settings["bot"]["until"].as_str()?.parse().ok()
}

/// The first row of a log, if a report can be made of it.
///
/// # Errors
/// When the log is malformed, has no row or lacks a column that a report needs.
pub fn first_row(reader: &mut LogReader) -> Result<LogRow, ReportError> {
    let Some((_, row)) = reader.next_row()? else { return Err(ReportError::Empty) };
    values(&row)?;
    Ok(row)
}

/// Writes the report of a log, from its [`first_row`] on.
///
/// # Errors
/// When the log is malformed or a row lacks a column that a report needs; when the report cannot be
/// written.
pub fn report_log(first: LogRow, reader: &mut LogReader, report: &mut ReportWriter) -> Result<(), ReportError> {
    let mut next = Some(first);
    while let Some(row) = next {
        report.frame_of_log(&values(&row)?)?;
        next = reader.next_row()?.map(|(_, row)| row);
    }
    Ok(report.finish()?)
}

fn values(row: &LogRow) -> Result<FrameValues<'_>, ReportError> {
    FrameValues::of_row(row).map_err(|missing| ReportError::Column(missing.name()))
}
