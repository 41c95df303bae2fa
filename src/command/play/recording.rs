//! The files that are written while a game is played.

use std::path::{Path, PathBuf};

use anyhow::anyhow;

use super::args::GameArgs;
use crate::config::Config;
use crate::console::power::Powered;
use crate::files::film::{Camera, Films};
use crate::files::outputs::Claims;
use crate::files::run_files;
use crate::system::failure::Failure;
use crate::system::shell;
use crate::system::stdout::is_stdout;
use maxout_engine::bot::{Flow, FrameReport, FrameSink, Outcome, SinkError};
use maxout_engine::ram::Phase;
use maxout_engine::text;
use maxout_formats::frame_log::LogOptions;
use maxout_formats::report::ReportWriter;
use maxout_formats::{FileFormat, Format, Provenance, RunWriter};
use maxout_screen::RunHeader;

/// What is to be written; no file has changed yet.
pub(super) struct Recording<'a> {
    args: &'a GameArgs,
    provenance: Provenance,
    options: LogOptions,
    /// The logs and movies.
    files: Vec<(PathBuf, FileFormat)>,
    films: Films,
    claims: Claims,
}

/// What is being written.
pub(super) struct Recorded {
    run_writers: Vec<RunWriter>,
    report: Option<ReportWriter>,
    camera: Option<Camera>,
    /// Keeps other runs from the files that are written at the end.
    _claims: Claims,
}

/// What keeps the files of a game on a host from replaying: a replay begins at power-on, and has no resets
/// and no saved states.
#[derive(Default)]
pub(super) struct Breaks {
    /// The names of the files.
    files: Vec<String>,
    is_late: bool,
    jumps: u32,
}

impl FrameSink for Breaks {
    fn frame(&mut self, report: &FrameReport<'_>) -> Result<Flow, SinkError> {
        if report.frame == 0 {
            let snapshot = report.snapshot;
            // At power-on the game has not counted a frame yet, or one if a host leaves out the first.
            self.is_late = snapshot.frame_counter > 1 || !matches!(snapshot.phase(), Phase::Menu(_));
        }
        self.jumps = report.tally.jumps;
        Ok(Flow::Continue)
    }
}

impl Breaks {
    /// A line about them; `None` when the files replay, or there are none.
    pub(super) fn line(&self) -> Option<String> {
        let late = self.is_late.then(|| "the run began after power-on".to_owned());
        let jumped = (self.jumps > 0).then(|| format!("resets or loaded states: {}", self.jumps));
        let why: Vec<_> = late.into_iter().chain(jumped).collect();
        let is_needed = !why.is_empty() && !self.files.is_empty();
        is_needed.then(|| format!("{} will not replay: {}", self.files.join(", "), why.join("; ")))
    }
}

/// Refuses movies of a run that writes RAM.
pub(super) fn check_cheats(files: &[(PathBuf, FileFormat)], config: &Config) -> Result<(), Failure> {
    let cheats = config.planner.input.cheat().is_some();
    let buttons_only = |format: FileFormat| !format.format.is_log() && format.format != Format::Ngf;
    match files.iter().find(|(_, format)| cheats && buttons_only(*format)) {
        None => Ok(()),
        Some((path, _)) => {
            let error = "expected a log or .ngf: this run writes RAM, which buttons alone cannot repeat";
            Err(Failure::input(anyhow!("{}: {error}", path.display())))
        }
    }
}

impl<'a> Recording<'a> {
    pub(super) fn new(
        args: &'a GameArgs,
        powered: &Powered,
        config: &Config,
        player: &str,
        files: Vec<(PathBuf, FileFormat)>,
        films: Films,
        claims: Claims,
    ) -> Recording<'a> {
        let details = &args.run_files.details;
        let provenance = run_files::of_game(powered, config, player, details.date.as_deref());
        let options = LogOptions { cheats: config.planner.input.cheat().is_some(), ..details.options() };
        Recording { args, provenance, options, files, films, claims }
    }

    /// The names of the files that are written.
    pub(super) fn names(&self) -> Vec<String> {
        let files = self.files.iter().map(|(path, _)| path.as_path()).filter(|path| !is_stdout(path));
        let others = self.args.report.iter().chain(&self.args.screenshot).map(PathBuf::as_path);
        files
            .chain(self.films.paths())
            .chain(others)
            .map(|path| text::visible(&path.display().to_string()).into_owned())
            .collect()
    }

    /// Looks for what keeps its files from replaying.
    pub(super) fn breaks(&self) -> Breaks {
        // Nothing replays an .ngf: it is to be watched.
        let files = self.files.iter().filter(|(_, format)| format.format != Format::Ngf);
        let name = |path: &Path| text::visible(&path.display().to_string()).into_owned();
        Breaks { files: files.map(|(path, _)| name(path)).collect(), ..Breaks::default() }
    }

    /// Empties the files and writes what comes before the first frame.
    pub(super) fn start(self, header: RunHeader) -> Result<Recorded, Failure> {
        let Recording { args, provenance, options, files, films, mut claims } = self;
        let camera = films.start(&mut claims, header)?;
        let mut open = |(path, format): &(PathBuf, FileFormat)| {
            run_files::run_writer(&mut claims, path, *format, &provenance, options)
        };
        let run_writers = files.iter().map(&mut open).collect::<Result<_, _>>()?;
        let report = match &args.report {
            Some(path) => {
                let provenance = provenance.with("command", shell::command_line());
                Some(ReportWriter::start(claims.take(path)?, &provenance).map_err(Failure::run)?)
            }
            None => None,
        };
        Ok(Recorded { run_writers, report, camera, _claims: claims })
    }
}

impl Recorded {
    /// How the run ended, for the report.
    pub(super) fn ended(&mut self, outcome: Outcome) {
        self.report.iter_mut().for_each(|report| report.ended(outcome));
    }

    /// Who is given every frame.
    pub(super) fn sinks(&mut self) -> Vec<&mut dyn FrameSink> {
        let mut sinks: Vec<&mut dyn FrameSink> = Vec::new();
        sinks.extend(self.run_writers.iter_mut().map(|sink| sink as &mut dyn FrameSink));
        sinks.extend(self.report.as_mut().map(|sink| sink as &mut dyn FrameSink));
        sinks.extend(self.camera.as_mut().map(|sink| sink as &mut dyn FrameSink));
        sinks
    }

    /// Completes the files.
    pub(super) fn finish(&mut self) -> Result<(), Failure> {
        if let Some(nothing) = self.camera.as_ref().and_then(Camera::nothing_filmed) {
            log::warn!("{nothing}");
        }
        self.run_writers
            .iter_mut()
            .try_for_each(RunWriter::finish)
            .and(self.report.iter_mut().try_for_each(ReportWriter::finish))
            .map_err(Failure::run)
            .and(self.camera.as_mut().map_or(Ok(()), Camera::finish))
    }
}
