//! One recording in any format, written as a run goes.

use std::io::{self, Write};
use std::path::Path;

use super::bk2::{self, Bk2Writer};
use super::fm2::{Header, Line, Movie, MovieWriter, line_of_call};
use super::frame_log::{Column, LogReader, Rows, SelfCheck, Shape, with_columns, written_columns};
use super::live::{Ending, Output};
use super::moment::Moment;
use super::ngf::NgfWriter;
use super::{FileFormat, Format, Provenance, r08};
use maxout_engine::bot::{Flow, FrameReport, FrameSink, SinkError};

/// What a recording may have beyond the ordinary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Options {
    /// All cells of the playfield in every row of a log.
    pub cells: bool,
    /// In a log, what was written into RAM: for runs that cheat.
    pub cheats: bool,
}

/// Writes a recording.
///
/// The file is whole after every frame, however the run ends; one that is gzip (`.gz`, NGF)
/// after every sixty frames, and at the end of an orderly run.
pub struct Recorder {
    encoder: Encoder,
    output: Output,
    context: String,
}

impl Recorder {
    /// Creates a file, or empties it, and writes what comes before the first frame.
    ///
    /// # Errors
    /// When the path cannot be written.
    pub fn create(
        path: &Path,
        format: FileFormat,
        provenance: &Provenance,
        options: Options,
    ) -> Result<Recorder, SinkError> {
        let context = format!("cannot write the recording {}", path.display());
        let output = Output::create(path, is_gzip(format));
        let output = output.map_err(|source| SinkError { context: context.clone(), source })?;
        Recorder::new(output, context, format, provenance, options)
    }

    /// The same to a stream, such as standard output. The ending of a format that has one comes
    /// with [`Recorder::finish`]; a BK2 is held back until then.
    ///
    /// # Errors
    /// When the stream cannot be written.
    pub fn stream(
        stream: Box<dyn Write + Send>,
        name: &str,
        format: FileFormat,
        provenance: &Provenance,
        options: Options,
    ) -> Result<Recorder, SinkError> {
        let output = Output::stream(stream, is_gzip(format), format.format == Format::Bk2);
        Recorder::new(output, format!("cannot write the recording to {name}"), format, provenance, options)
    }

    fn new(
        output: Output,
        context: String,
        format: FileFormat,
        provenance: &Provenance,
        options: Options,
    ) -> Result<Recorder, SinkError> {
        let started = Encoder::start(format.format, provenance, options);
        let (encoder, head) = started.map_err(|source| SinkError { context: context.clone(), source })?;
        let mut recorder = Recorder { encoder, output, context };
        recorder.append(&head)?;
        Ok(recorder)
    }

    /// Takes the next moment.
    ///
    /// # Errors
    /// When it cannot be written, or the format cannot say it.
    pub fn take(&mut self, moment: &Moment<'_>) -> Result<(), SinkError> {
        let mut content = Vec::new();
        match self.encoder.encode(moment, &mut content) {
            Ok(()) if content.is_empty() => Ok(()),
            Ok(()) => self.append(&content),
            Err(source) => Err(SinkError { context: self.context.clone(), source }),
        }
    }

    fn append(&mut self, content: &[u8]) -> Result<(), SinkError> {
        let encoder = &self.encoder;
        let written = self.output.append(content, || encoder.ending());
        written.map_err(|source| SinkError { context: self.context.clone(), source })
    }

    /// Writes what is still held back.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn finish(&mut self) -> Result<(), SinkError> {
        self.output.finish().map_err(|source| SinkError { context: self.context.clone(), source })
    }
}

impl FrameSink for Recorder {
    fn frame(&mut self, report: &FrameReport<'_>) -> Result<Flow, SinkError> {
        let FrameReport { buttons, polled, pokes, snapshot, .. } = *report;
        self.take(&Moment::Frame { buttons, polled, writes: pokes, snapshot })?;
        Ok(Flow::Continue)
    }
}

impl Drop for Recorder {
    /// A run that fails keeps its frames.
    fn drop(&mut self) {
        // Nobody is left to tell.
        let _ = self.output.finish();
    }
}

/// Copies the rows of a log into the other shape, or compresses them; nothing is played.
///
/// # Errors
/// When the log is malformed, or has a line that would be too long.
pub fn copy_log(reader: &mut LogReader, shape: Shape) -> Result<Vec<u8>, super::Error> {
    let mut columns = reader.columns();
    let mut rows = Vec::new();
    while let Some((_, row)) = reader.next_row()? {
        if row.columns().any(|(column, _)| !columns.contains(&column)) {
            let has = |column: &Column| columns.contains(column) || row.get(*column).is_some();
            let wider: Vec<_> = Column::ALL.into_iter().filter(has).collect();
            if shape == Shape::Csv {
                rows = with_columns(&rows, &columns, &wider);
            }
            columns = wider;
        }
        rows.extend(reader.checked(shape.row(&row, &columns))?);
    }
    if columns.is_empty() {
        columns = written_columns(Options::default());
    }
    let mut bytes = reader.checked(shape.head(reader.provenance(), &columns))?;
    bytes.append(&mut rows);
    Ok(bytes)
}

/// Writes a whole recording at once, compressed if its format says so; to standard output
/// without a path.
///
/// # Errors
/// When it cannot be written.
pub fn save(path: Option<&Path>, format: FileFormat, bytes: &[u8]) -> Result<(), SinkError> {
    let name = path.map_or("standard output".to_owned(), |path| path.display().to_string());
    let output = match path {
        Some(path) => Output::create(path, format.gzip),
        None => Ok(Output::stream(Box::new(io::stdout()), format.gzip, false)),
    };
    let written = output.and_then(|mut output| {
        output.append(bytes, Ending::default)?;
        output.finish()
    });
    written.map_err(|source| SinkError { context: format!("cannot write the recording {name}"), source })
}

/// The bytes of a whole movie, not compressed.
///
/// # Errors
/// When the format has no room for it, or is no movie's.
pub fn movie_bytes(movie: &Movie, format: Format) -> io::Result<Vec<u8>> {
    match format {
        Format::Fm2 => {
            let mut bytes = Vec::new();
            movie.write(&mut bytes)?;
            Ok(bytes)
        }
        Format::Bk2 => bk2::write(movie),
        Format::Csv | Format::JsonLines | Format::R08 | Format::Ngf => {
            Err(io::Error::new(io::ErrorKind::Unsupported, "not a movie format"))
        }
    }
}

/// An NGF file is gzip by itself.
fn is_gzip(format: FileFormat) -> bool {
    format.gzip || format.format == Format::Ngf
}

enum Encoder {
    Log { shape: Shape, columns: Vec<Column>, rows: Rows, check: SelfCheck, warned: bool },
    Fm2(MovieWriter<Vec<u8>>),
    Bk2(Bk2Writer),
    R08,
    Ngf(NgfWriter),
}

impl Encoder {
    /// The encoder, and the bytes before the first frame.
    fn start(format: Format, provenance: &Provenance, options: Options) -> io::Result<(Encoder, Vec<u8>)> {
        let log = |shape: Shape| {
            let columns = written_columns(options);
            let head = shape.head(provenance, &columns);
            let (rows, check) = (Rows::new(options.cells), SelfCheck::default());
            (Encoder::Log { shape, columns, rows, check, warned: false }, head)
        };
        Ok(match format {
            Format::Csv => log(Shape::Csv),
            Format::JsonLines => log(Shape::JsonLines),
            Format::Fm2 => {
                let mut writer = MovieWriter::new(Vec::new(), Header::of(provenance))?;
                let head = std::mem::take(writer.output());
                (Encoder::Fm2(writer), head)
            }
            Format::Bk2 => {
                let (mut writer, mut head) = Bk2Writer::new(&Header::of(provenance));
                for _unseen in 0..line_of_call(0, 1) {
                    writer.line(&Line::default(), &mut head)?;
                }
                (Encoder::Bk2(writer), head)
            }
            Format::R08 => (Encoder::R08, Vec::new()),
            Format::Ngf => (Encoder::Ngf(NgfWriter::default()), Vec::new()),
        })
    }

    fn encode(&mut self, moment: &Moment<'_>, content: &mut Vec<u8>) -> io::Result<()> {
        let cheated = matches!(moment, Moment::Frame { writes, .. } if !writes.is_empty());
        if cheated && matches!(self, Encoder::Fm2(_) | Encoder::Bk2(_) | Encoder::R08) {
            return Err(io::Error::other("this run writes RAM, which buttons alone cannot repeat; a log can say it"));
        }
        match self {
            Encoder::Log { shape, columns, rows, check, warned } => {
                let Some(row) = rows.row(moment) else { return Ok(()) };
                if let Some(violation) = check.violation(&row)
                    && !std::mem::replace(warned, true)
                {
                    log::warn!("call {}: {violation}", row.get(Column::Call).unwrap_or("?"));
                }
                content.extend(shape.row(&row, columns));
            }
            Encoder::Fm2(writer) => {
                writer.step(moment.step())?;
                content.append(writer.output());
            }
            Encoder::Bk2(writer) => writer.line(&moment.step().into(), content)?,
            Encoder::R08 => {
                let polled = matches!(moment, Moment::Frame { polled: true, .. });
                let entry = r08::entry(moment.step(), polled);
                content.extend(entry.map_err(io::Error::other)?.into_iter().flatten());
            }
            Encoder::Ngf(writer) => content.extend(writer.record(moment).into_iter().flatten()),
        }
        Ok(())
    }

    fn ending(&self) -> Ending {
        match self {
            Encoder::Bk2(writer) => writer.ending(),
            _ => Ending::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Input;
    use maxout_engine::game::simulation::Simulation;
    use maxout_engine::gamepad::Buttons;
    use maxout_engine::ram::{Decoder, RamMap};

    #[test]
    fn a_run_that_cheats_is_told_by_a_log_and_refused_by_movies() {
        let folder = tempfile::tempdir().unwrap();
        let decoder = Decoder::new(&RamMap::tetris_ntsc()).unwrap();
        let snapshot = decoder.decode(Simulation::power_on().ram()).unwrap();
        let (buttons, polled) = (Buttons::NONE, false);
        for format in Format::ALL {
            let path = folder.path().join("game");
            let options = Options { cells: false, cheats: true };
            let mut recorder = Recorder::create(&path, format.into(), &Provenance::default(), options).unwrap();
            recorder.take(&Moment::Frame { buttons, polled, writes: &[], snapshot: &snapshot }).unwrap();
            let writes = &[(0x62, 0x0A), (0x60, 3)];
            let taken = recorder.take(&Moment::Frame { buttons, polled, writes, snapshot: &snapshot });
            assert_eq!(taken.is_ok(), format.is_log() || format == Format::Ngf, "{format:?}");
            if format.is_log() {
                assert!(std::fs::read_to_string(&path).unwrap().contains("62=0A 60=03"));
                let error = Input::open(&path, format.into()).unwrap_err().to_string();
                assert!(error.contains("writes RAM"), "{error}");
            }
        }
    }
}
