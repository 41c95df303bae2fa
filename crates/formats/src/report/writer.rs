//! A report while it is written.

use std::io::Write;
use std::path::Path;

use super::builder::PageBuilder;
use super::error::ReportError;
use super::page;
use crate::Provenance;
use crate::frame_log::{FrameValues, LogFrames, LogReader};
use crate::played::PlayedStep;
use crate::whole::{Claim, Closing, GrowingFile, Packing};
use maxout_engine::bot::{Event, Flow, FrameReport, FrameSink, Goal, Outcome, SinkError};

/// Writes a report.
pub struct ReportWriter {
    builder: PageBuilder,
    frames: LogFrames,
    output: GrowingFile,
    context: String,
}

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
        let output = GrowingFile::start(claim, Packing::Plain);
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
            GrowingFile::stream(stream, Packing::Plain),
            format!("cannot write the report to {name}"),
            provenance,
        )
    }

    fn new(output: GrowingFile, context: String, provenance: &Provenance) -> Result<ReportWriter, SinkError> {
        let (builder, frames) = (PageBuilder::new(goal(provenance)), LogFrames::default());
        let mut writer = ReportWriter { builder, frames, output, context };
        writer.append(&page::head(provenance))?;
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
        if let Outcome::Stuck(stuck) = outcome {
            self.builder.stuck(stuck);
        }
    }

    /// Adds the last placement and its frames, and ends the page.
    ///
    /// # Errors
    /// When the page cannot be written.
    pub fn finish(&mut self) -> Result<(), SinkError> {
        self.builder.end();
        self.write_lines()?;
        self.output.finish().map_err(|source| SinkError { context: self.context.clone(), source })
    }

    fn add_step(&mut self, step: &PlayedStep<'_>) {
        if let Some(frame) = self.frames.next(step) {
            self.builder.frame(&FrameValues::from(frame));
        }
    }

    fn write_lines(&mut self) -> Result<(), SinkError> {
        let lines = self.builder.take_lines();
        if lines.is_empty() { Ok(()) } else { self.append(&lines) }
    }

    fn append(&mut self, content: &str) -> Result<(), SinkError> {
        let closing = || Closing { tail: page::TAIL.as_bytes().to_vec(), patch: None };
        let written = self.output.append(content.as_bytes(), closing);
        written.map_err(|source| SinkError { context: self.context.clone(), source })
    }
}

impl FrameSink for ReportWriter {
    fn frame(&mut self, report: &FrameReport<'_>) -> Result<Flow, SinkError> {
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

/// Writes the report of a whole log.
///
/// # Errors
/// When the log is malformed or lacks a column that a report needs; when the report cannot be
/// written.
pub fn report_log(reader: &mut LogReader, report: &mut ReportWriter) -> Result<(), ReportError> {
    let mut rows = 0_u64;
    while let Some((_, row)) = reader.next_row()? {
        let values = FrameValues::of_row(&row).map_err(|missing| ReportError::Column(missing.name()))?;
        report.frame_of_log(&values)?;
        rows += 1;
    }
    if rows == 0 {
        return Err(ReportError::Empty);
    }
    Ok(report.finish()?)
}
