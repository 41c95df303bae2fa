//! A log, a movie or an NGF, written while a run goes on.

use std::io::{self, Write};
use std::path::Path;

use super::bk2::Bk2Writer;
use super::fm2::{MovieHeader, MovieLine, MovieWriter, line_of_call};
use super::frame_log::{Cells, LogColumn, LogFrames, LogOptions, LogShape, Note, SelfCheck, written_columns};
use super::ngf::NgfWriter;
use super::played::PlayedStep;
use super::whole::{Claim, GrowingFile, Packing, Spool};
use super::{FileFormat, Format, Provenance, r08};
use maxout_engine::bot::{Flow, FrameReport, FrameSink, SinkError};

/// Writes the file of a run: a log, a movie or an NGF.
///
/// The file is whole after every frame, however the run ends, and also after a write that fails: it
/// then holds the frames before that. A gzip file (`.gz`, NGF) is whole after every sixty frames, and
/// at the end of an orderly run.
pub struct RunWriter {
    encoder: Encoder,
    output: GrowingFile,
    context: String,
    /// The input lines of a BK2 on its way into a stream, which gets it in one piece at the end.
    held: Spool,
}

/// What the files are made of, in messages.
const UNIT: &str = "frames";

impl RunWriter {
    /// Creates a file, or empties it, and writes what comes before the first frame.
    ///
    /// # Errors
    /// When the path cannot be written.
    pub fn create(
        path: &Path,
        format: FileFormat,
        provenance: &Provenance,
        options: LogOptions,
    ) -> Result<RunWriter, SinkError> {
        let claim = Claim::open(path)
            .map_err(|source| SinkError { context: format!("cannot write {}", path.display()), source })?;
        RunWriter::start(claim, format, provenance, options)
    }

    /// The same with a file that has been claimed before.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn start(
        claim: Claim,
        format: FileFormat,
        provenance: &Provenance,
        options: LogOptions,
    ) -> Result<RunWriter, SinkError> {
        let context = format!("cannot write {}", claim.path().display());
        let output = GrowingFile::start(claim, packing(format), UNIT);
        let output = output.map_err(|source| SinkError { context: context.clone(), source })?;
        RunWriter::new(output, context, format, provenance, options)
    }

    /// The same to a stream, such as standard output. The ending of a format that has one comes
    /// with [`RunWriter::finish`]; a BK2 is held back until then.
    ///
    /// # Errors
    /// When the stream cannot be written.
    pub fn stream(
        stream: Box<dyn Write + Send>,
        name: &str,
        format: FileFormat,
        provenance: &Provenance,
        options: LogOptions,
    ) -> Result<RunWriter, SinkError> {
        let output = GrowingFile::stream(stream, packing(format), UNIT);
        RunWriter::new(output, format!("cannot write to {name}"), format, provenance, options)
    }

    fn new(
        output: GrowingFile,
        context: String,
        format: FileFormat,
        provenance: &Provenance,
        options: LogOptions,
    ) -> Result<RunWriter, SinkError> {
        let started = Encoder::start(format.format, provenance, options);
        let (encoder, head) = started.map_err(|source| SinkError { context: context.clone(), source })?;
        let mut writer = RunWriter { encoder, output, context, held: Spool::default() };
        writer.append(&head, 0)?;
        Ok(writer)
    }

    /// Takes the next step.
    ///
    /// # Errors
    /// When it cannot be written, or the format does not have such a step.
    pub fn take(&mut self, step: &PlayedStep<'_>) -> Result<(), SinkError> {
        self.take_noted(step, None)
    }

    /// The same with one more note, for a log.
    fn take_noted(&mut self, step: &PlayedStep<'_>, note: Option<Note>) -> Result<(), SinkError> {
        let mut content = Vec::new();
        let encoded = self.encoder.encode(step, note, &mut content);
        encoded.map_err(|source| SinkError { context: self.context.clone(), source })?;
        let frames = u64::from(matches!(step, PlayedStep::Frame { .. }));
        if content.is_empty() { Ok(()) } else { self.append(&content, frames) }
    }

    fn append(&mut self, content: &[u8], frames: u64) -> Result<(), SinkError> {
        let written = match &mut self.encoder {
            Encoder::Bk2(Some(writer)) if self.output.can_edit() => {
                writer.add(content).and_then(|edits| self.output.edit(&edits, frames))
            }
            Encoder::Bk2(Some(writer)) => writer.count(content).and_then(|()| self.held.append(content, None)),
            Encoder::Bk2(None) => Ok(()),
            _ => self.output.append(content, frames),
        };
        written.map_err(|source| SinkError { context: self.context.clone(), source })
    }

    /// Writes what is still held back.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn finish(&mut self) -> Result<(), SinkError> {
        let ended = match &mut self.encoder {
            Encoder::Bk2(writer) => match writer.take() {
                Some(mut writer) if self.output.can_edit() => self.output.edit(&writer.finish(), 0),
                Some(mut writer) => {
                    let (head, tail) = writer.around();
                    let mut output = ToOutput(&mut self.output);
                    output
                        .write_all(&head)
                        .and_then(|()| self.held.pour(&mut output))
                        .and_then(|()| output.write_all(&tail))
                }
                None => Ok(()),
            },
            _ => Ok(()),
        };
        let finished = ended.and_then(|()| self.output.finish());
        finished.map_err(|source| SinkError { context: self.context.clone(), source })
    }
}

impl FrameSink for RunWriter {
    fn frame(&mut self, report: &FrameReport<'_>) -> Result<Flow, SinkError> {
        if let Some(boot) = PlayedStep::boot(report) {
            self.take(&boot)?;
        }
        self.take_noted(&PlayedStep::from(report), Note::of_plan(report))?;
        Ok(Flow::Continue)
    }
}

impl Drop for RunWriter {
    /// A run that fails keeps its frames.
    fn drop(&mut self) {
        // No caller can take an error here.
        let _ = self.finish();
    }
}

/// What is written goes to a growing file.
struct ToOutput<'a>(&'a mut GrowingFile);

impl Write for ToOutput<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.append(bytes, 0).map(|()| bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// An NGF file is gzip by itself.
fn packing(format: FileFormat) -> Packing {
    if format.gzip || format.format == Format::Ngf { Packing::Gzip } else { Packing::Plain }
}

enum Encoder {
    Log {
        shape: LogShape,
        columns: Vec<LogColumn>,
        cells: Cells,
        frames: LogFrames,
        check: SelfCheck,
        warned: bool,
    },
    Fm2(MovieWriter<Vec<u8>>),
    /// `None` once it is finished.
    Bk2(Option<Bk2Writer>),
    R08,
    Ngf(NgfWriter),
}

impl Encoder {
    /// The encoder, and the bytes before the first frame.
    fn start(format: Format, provenance: &Provenance, options: LogOptions) -> io::Result<(Encoder, Vec<u8>)> {
        let log = |shape: LogShape| {
            let columns = written_columns(options);
            let head = shape.head(provenance, &columns);
            let cells = if options.cells { Cells::Written } else { Cells::LeftOut };
            let (frames, check) = (LogFrames::default(), SelfCheck::default());
            (Encoder::Log { shape, columns, cells, frames, check, warned: false }, head)
        };
        Ok(match format {
            Format::Csv => log(LogShape::Csv),
            Format::JsonLines => log(LogShape::JsonLines),
            Format::Fm2 => {
                let mut writer = MovieWriter::new(Vec::new(), MovieHeader::of(provenance))?;
                let head = std::mem::take(writer.output());
                (Encoder::Fm2(writer), head)
            }
            Format::Bk2 => {
                let (writer, mut head) = Bk2Writer::new(&MovieHeader::of(provenance));
                for _unseen in 0..line_of_call(0, 1) {
                    head.extend(writer.line(&MovieLine::default()).into_bytes());
                }
                (Encoder::Bk2(Some(writer)), head)
            }
            Format::R08 => (Encoder::R08, Vec::new()),
            Format::Ngf => (Encoder::Ngf(NgfWriter::default()), Vec::new()),
        })
    }

    fn encode(&mut self, step: &PlayedStep<'_>, note: Option<Note>, content: &mut Vec<u8>) -> io::Result<()> {
        let cheated = matches!(step, PlayedStep::Frame { writes, .. } if !writes.is_empty());
        if cheated && matches!(self, Encoder::Fm2(_) | Encoder::Bk2(_) | Encoder::R08) {
            return Err(io::Error::other("this run writes RAM, which buttons alone cannot repeat: write a log"));
        }
        match self {
            Encoder::Log { shape, columns, cells, frames, check, warned } => {
                let Some(mut frame) = frames.next(step) else { return Ok(()) };
                frame.notes.extend(note);
                let row = frame.row(*cells);
                if let Some(violation) = check.violation(&row)
                    && !std::mem::replace(warned, true)
                {
                    log::warn!("call {}: {violation}", row.get(LogColumn::Call).unwrap_or("?"));
                }
                content.extend(shape.row(&row, columns));
            }
            Encoder::Fm2(writer) => {
                writer.step(step.step())?;
                content.append(writer.output());
            }
            Encoder::Bk2(Some(writer)) => content.extend(writer.line(&step.step().into()).into_bytes()),
            Encoder::Bk2(None) => return Err(io::Error::other("the movie is finished")),
            Encoder::R08 => {
                let polled = matches!(step, PlayedStep::Frame { polled: true, .. });
                let entry = r08::entry(step.step(), polled);
                content.extend(entry.map_err(io::Error::other)?.into_iter().flatten());
            }
            Encoder::Ngf(writer) => content.extend(writer.record(step).into_iter().flatten()),
        }
        Ok(())
    }
}

#[cfg(test)]
mod faults;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::InputFile;
    use maxout_engine::game::simulation::Simulation;
    use maxout_engine::gamepad::Buttons;
    use maxout_engine::ram::{Decoder, RamMap};

    #[test]
    fn a_run_that_cheats_is_written_by_logs_and_refused_by_movies() {
        let folder = tempfile::tempdir().unwrap();
        let decoder = Decoder::new(&RamMap::tetris_ntsc()).unwrap();
        let snapshot = decoder.decode(Simulation::power_on().ram()).unwrap();
        let (buttons, polled) = (Buttons::NONE, false);
        for format in Format::ALL {
            let path = folder.path().join("game");
            let options = LogOptions { cells: false, cheats: true };
            let mut writer = RunWriter::create(&path, format.into(), &Provenance::default(), options).unwrap();
            writer.take(&PlayedStep::Frame { buttons, polled, writes: &[], snapshot: &snapshot }).unwrap();
            let writes = &[(0x62, 0x0A), (0x60, 3)];
            let taken = writer.take(&PlayedStep::Frame { buttons, polled, writes, snapshot: &snapshot });
            assert_eq!(taken.is_ok(), format.is_log() || format == Format::Ngf, "{format:?}");
            if format.is_log() {
                assert!(std::fs::read_to_string(&path).unwrap().contains("62=0A 60=03"));
                let error = InputFile::open(&path, format.into()).unwrap_err().to_string();
                assert!(error.contains("writes RAM"), "{error}");
            }
        }
    }
}
