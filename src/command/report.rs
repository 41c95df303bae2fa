//! `maxout report`: a log or movie as one HTML page.

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, anyhow};

use crate::console::flags::Playback;
use crate::files::outputs::{Claims, Outputs, Overwrite};
use crate::files::playback;
use crate::files::run_files::{self, format_of_input};
use crate::system::failure::Failure;
use crate::system::output::print_line;
use crate::system::paths::file_name;
use crate::system::shell;
use crate::system::stdout::{STDOUT, is_stdout, stdout};
use maxout_engine::bot::Flow;
use maxout_engine::console::Video;
use maxout_formats::frame_log::{LogReader, LogShape};
use maxout_formats::report::{ReportError, ReportWriter, first_row, report_log};
use maxout_formats::whole::Claim;
use maxout_formats::{FileFormat, InputFile, Kind, Provenance};
use maxout_screen::numbers::thousands;

/// `maxout report`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  maxout report game.csv -o game.html
  maxout report movie.fm2 tetris.nes -o game.html

A log is read without playing it. A movie is played, by default on the built-in cartridge.
The page opens in any browser and needs no network. It has no values of plans: only a report
written while the game runs has them (maxout play --report FILE.html).

Exit codes: 0 done, 1 the replay failed or was stopped, 2 bad usage or input.")]
pub(crate) struct Report {
    /// Log or movie to read: .csv or .jsonl (also .gz), .fm2, .bk2 or .r08
    #[arg(value_name = "FILE")]
    pub input: PathBuf,
    /// Page to write, - for standard output
    #[arg(short, long, value_name = "FILE", default_value = STDOUT)]
    pub output: PathBuf,
    /// What may be replaced.
    #[command(flatten)]
    pub overwrite: Overwrite,
    /// What plays it.
    #[command(flatten)]
    pub playback: Playback,
    /// Frames to play past the end of a movie, without buttons: a movie may end at its last press, before
    /// the last piece has locked; ends at a topout
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub past_the_end: u64,
}

pub(crate) fn run(args: &Report) -> Result<ExitCode, Failure> {
    let format = format_of_input(&args.input, args.playback.from)?;
    if is_stdout(&args.output) && io::stdout().is_terminal() {
        return Err(Failure::input(anyhow!(
            "a page is nothing to read in a terminal: give it a file with -o FILE.html"
        )));
    }
    let claims = Outputs::new(args.overwrite)
        .reads("the input", [&args.input])
        .reads_playback(&args.playback)
        .grows("--output", &args.output, Kind::Report)
        .claim()?;
    args.playback.check()?;
    let done = match playback::shape_of(format) {
        Some(shape) => of_log(args, shape, claims)?.to_owned(),
        None => of_movie(args, format, claims)?,
    };
    if !is_stdout(&args.output) {
        print_line(&format!("{} written, {done}; open it in a browser", args.output.display()))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn of_log(args: &Report, shape: LogShape, claims: Claims) -> Result<&'static str, Failure> {
    let failed = |error| match error {
        error @ ReportError::Write(_) => Failure::run(error),
        ReportError::Log(error) => Failure::input(error),
        error => Failure::input(anyhow!(error).context(args.input.display().to_string())),
    };
    let mut reader = LogReader::open(&args.input, shape).map_err(Failure::input)?;
    let first = first_row(&mut reader).map_err(failed)?;
    let mut page = Page::start(args, reader.provenance().clone(), claims)?;
    report_log(first, &mut reader, &mut page.writer).map_err(failed)?;
    page.put()?;
    Ok("from the log")
}

fn of_movie(args: &Report, format: FileFormat, claims: Claims) -> Result<String, Failure> {
    let input = InputFile::open(&args.input, format).map_err(Failure::input)?;
    let decoder = args.playback.decoder()?;
    let mut powered = args.playback.power_on(Video::Off)?;
    playback::warn_of_differences(&input, &powered);
    let mut page = Page::start(args, run_files::origin(&powered).closed(None), claims)?;
    let writer = &mut page.writer;
    let played = playback::play_until_stopped(&input.presses, &mut powered, &decoder, args.past_the_end, |step, _| {
        writer.step(step)?;
        Ok(Flow::Continue)
    })?;
    writer.finish().map_err(Failure::run)?;
    let result = played.finished(if page.file.is_some() { "no report is written" } else { "the page ends there" })?;
    page.put()?;
    playback::warn_of_stuck(&result);
    Ok(format!("{} frames played on {}", thousands(result.frames), powered.name()))
}

/// A page on its way. A file gets it when it is whole: an input that is broken further on does not
/// cost an old page.
struct Page {
    writer: ReportWriter,
    /// `None` for standard output, which gets the page as it grows.
    file: Option<(Claim, Kept)>,
}

/// Bytes that are written into memory.
#[derive(Clone, Default)]
struct Kept(Arc<Mutex<Vec<u8>>>);

impl Write for Kept {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Page {
    fn start(args: &Report, provenance: Provenance, mut claims: Claims) -> Result<Page, Failure> {
        let name = file_name(&args.input);
        let provenance = provenance.with("source", name).with("command", shell::command_line());
        let stream = |output, name: &str| ReportWriter::stream(output, name, &provenance).map_err(Failure::run);
        if is_stdout(&args.output) {
            return Ok(Page { writer: stream(Box::new(stdout()), "standard output")?, file: None });
        }
        let kept = Kept::default();
        let writer = stream(Box::new(kept.clone()), &args.output.display().to_string())?;
        Ok(Page { writer, file: Some((claims.take(&args.output)?, kept)) })
    }

    fn put(self) -> Result<(), Failure> {
        let Some((claim, kept)) = self.file else { return Ok(()) };
        let context = format!("cannot write the report {}", claim.path().display());
        let bytes = std::mem::take(&mut *kept.0.lock().unwrap_or_else(PoisonError::into_inner));
        claim.replace(&bytes).context(context).map_err(Failure::run)
    }
}
