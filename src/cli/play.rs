//! `maxout play`: a game from power-on until its goal.

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::{Context, anyhow};

use super::args::{ConsoleChoice, Play};
use super::failure::{FAILED, Failure};
use super::interrupt::{Second, stop_on_interrupt};
use super::logging::LogTarget;
use super::output::print;
use super::player::PlayerSource;
use super::record;
use super::setup::{self, Powered};
use super::summary::Summary;
use crate::bot::{Error as RunError, Flow, FrameReport, FrameSink, Outcome, Pilot, SinkError, run as run_bot};
use crate::config::Config;
use crate::planner::Player;
use crate::ram::Decoder;
use crate::record::{FileFormat, Format, Options, Recorder};
use crate::view::{
    ColourMode, Opening, Paced, ProgressLines, RunHeader, Showing, Speed, SpeedChoice, Stopwatch, TerminalView,
    ViewChoice, ViewModel, render_svg,
};

/// Size of the picture that `--screenshot` writes, in characters.
const SCREENSHOT: (u16, u16) = (80, 30);

pub(super) fn run(args: &Play, log: &LogTarget) -> Result<ExitCode, Failure> {
    run_and_dump(args, log, None)
}

/// Plays, and writes one recording more, which may go to standard output.
pub(super) fn run_and_dump(
    args: &Play,
    log: &LogTarget,
    dump: Option<(PathBuf, FileFormat)>,
) -> Result<ExitCode, Failure> {
    let files: Vec<_> = args.record.files()?.into_iter().chain(dump).collect();
    let written = files.iter().map(|(path, _)| path.as_path()).chain(args.screenshot.as_deref());
    record::check_distinct(written)?;
    let to_stdout = files.iter().any(|(path, _)| path == Path::new(record::STDOUT));
    let choice = match (&args.console, &args.rom) {
        (Some(console), _) => console.clone(),
        (None, Some(path)) => ConsoleChoice::Rom(path.clone()),
        (None, None) => ConsoleChoice::default(),
    };
    let powered = setup::console(&choice, args.force)?;
    let config = setup::config(args)?;
    let decoder = setup::decoder(args.map.as_deref())?;
    let watching = Watching::choose(&config, args.json, to_stdout)?;
    if let Some(path) = &args.screenshot {
        // Found out now rather than after the game.
        std::fs::write(path, "")
            .context(format!("cannot write the screenshot {}", path.display()))
            .map_err(Failure::input)?;
    }

    // Last of all: an external player starts when everything else is in order.
    let player = PlayerSource::new(&config, &args.player)?.make_one()?;
    let player_name = player.name().to_owned();
    let stop = stop_on_interrupt(Second::AsksAgain)?;
    let mut game = Game { args, powered, config, player_name, decoder, watching, files, stop };
    let (summary, ended) = game.play(player, log)?;
    let text = || if args.json { summary.json() } else { summary.text() };
    if to_stdout {
        // Standard output is the recording's.
        // Nobody may be there to read it.
        let _ = io::stderr().write_all(text().as_bytes());
    } else {
        print(&text())?
    }
    let reached = ended?;
    Ok(if reached { ExitCode::SUCCESS } else { ExitCode::from(FAILED) })
}

/// What the run is watched with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Watching {
    Terminal(Showing, Speed),
    Lines(Speed),
}

impl Watching {
    /// `json`, `to_stdout`: a summary for a program, or a recording, goes to standard output.
    fn choose(config: &Config, json: bool, to_stdout: bool) -> Result<Watching, Failure> {
        let view = config.view.view;
        let showing = if view == ViewChoice::Screen { Showing::Screen } else { Showing::Panels };
        let is_terminal = io::stdout().is_terminal() && io::stdin().is_terminal();
        let terminal = match view {
            ViewChoice::Terminal | ViewChoice::Screen if to_stdout => {
                let error = "the terminal view needs standard output, and so does a recording: use --view none, or \
                             give the recording a file";
                return Err(Failure::input(anyhow!(error)));
            }
            ViewChoice::Terminal | ViewChoice::Screen if !is_terminal => {
                let error = "the terminal view needs a terminal, and standard input or output is none; use --view none";
                return Err(Failure::input(anyhow!(error)));
            }
            ViewChoice::Terminal | ViewChoice::Screen => true,
            // The result as JSON is for a program, which reads standard output.
            ViewChoice::Auto => is_terminal && !json && !to_stdout,
            ViewChoice::None => false,
        };
        Ok(match (terminal, config.view.speed) {
            (true, SpeedChoice::Auto) => Watching::Terminal(showing, Speed::Times(1)),
            (true, SpeedChoice::Fixed(speed)) => Watching::Terminal(showing, speed),
            (false, SpeedChoice::Auto) => Watching::Lines(Speed::Max),
            (false, SpeedChoice::Fixed(speed)) => Watching::Lines(speed),
        })
    }
}

/// Keeps what the terminal view would show, for the screenshot.
struct Screenshot(ViewModel);

impl FrameSink for Screenshot {
    fn frame(&mut self, report: &FrameReport<'_>) -> Result<Flow, SinkError> {
        self.0.update(report);
        Ok(Flow::Continue)
    }
}

/// Everything that is settled before the first frame.
struct Game<'a> {
    args: &'a Play,
    powered: Powered,
    config: Config,
    player_name: String,
    decoder: Decoder,
    watching: Watching,
    /// The recordings to be written.
    files: Vec<(PathBuf, FileFormat)>,
    stop: Arc<AtomicBool>,
}

impl Game<'_> {
    /// Plays; the summary, and whether the goal was reached or what became of the player.
    fn play(&mut self, player: Box<dyn Player>, log: &LogTarget) -> Result<(Summary, Result<bool, Failure>), Failure> {
        let mut recorders = self.recorders()?;
        let mut screenshot = self.args.screenshot.as_ref().map(|_| Screenshot(ViewModel::new(self.header())));
        let stopwatch = Stopwatch::default();
        let player = stopwatch.around(player);
        let mut pilot = Pilot::new(player, self.config.bot.start_level, self.config.bot.seed);

        let held_log = matches!(self.watching, Watching::Terminal(..)).then(|| log.hold());
        let mut view: Box<dyn FrameSink> = match self.watching {
            Watching::Terminal(showing, speed) => {
                let opening = Opening { header: self.header(), speed, showing, graphics: self.config.view.graphics };
                let view = TerminalView::start(opening, ColourMode::detect()).map_err(Failure::input)?;
                Box::new(view.with_stopwatch(stopwatch).with_stop(Arc::clone(&self.stop)))
            }
            Watching::Lines(speed) => Box::new(Paced::new(ProgressLines::new(io::stderr()), speed)),
        };
        let mut sinks: Vec<&mut dyn FrameSink> = Vec::new();
        // Recordings come first: a view that fails must not cost them a frame.
        sinks.extend(recorders.iter_mut().map(|sink| sink as &mut dyn FrameSink));
        sinks.extend(screenshot.as_mut().map(|sink| sink as &mut dyn FrameSink));
        sinks.push(&mut *view);
        let until = self.config.bot.until;
        let finished = run_bot(&mut *self.powered.console, &self.decoder, &mut pilot, until, &mut sinks, &self.stop);
        drop(view);
        drop(held_log);
        // Even when the run failed: what was recorded stays.
        recorders.iter_mut().try_for_each(Recorder::finish).map_err(Failure::run)?;

        let (finished, ended) = match finished {
            Ok(finished) => {
                let reached = finished.outcome == Outcome::Goal;
                (finished, Ok(reached))
            }
            Err(RunError::Player { error, so_far }) => (*so_far, Err(Failure::run(error))),
            Err(error @ RunError::Ram { .. }) => return Err(Failure::input(error)),
            Err(error) => return Err(Failure::run(error)),
        };
        if let (Some(Screenshot(model)), Some(path)) = (screenshot, &self.args.screenshot) {
            let (width, height) = SCREENSHOT;
            std::fs::write(path, render_svg(&model, width, height))
                .context(format!("cannot write the screenshot {}", path.display()))
                .map_err(Failure::run)?;
        }
        Ok((Summary::new(&self.powered, &self.config, &self.player_name, &finished), ended))
    }

    fn recorders(&self) -> Result<Vec<Recorder>, Failure> {
        let details = &self.args.record.details;
        let player = &self.player_name;
        let provenance = record::of_game(&self.powered, &self.config, player, details.date.as_deref());
        let cheats = self.config.planner.input.cheat().is_some();
        let options = Options { cheats, ..details.options() };
        let buttons_only = |format: FileFormat| !format.format.is_log() && format.format != Format::Ngf;
        if let Some((path, _)) = self.files.iter().find(|(_, format)| cheats && buttons_only(*format)) {
            let error = "expected a log or .ngf: this run writes RAM, which buttons alone cannot repeat";
            return Err(Failure::input(anyhow!("{}: {error}", path.display())));
        }
        let open = |(path, format): &(PathBuf, FileFormat)| record::recorder(path, *format, &provenance, options);
        self.files.iter().map(open).collect()
    }

    fn header(&self) -> RunHeader {
        RunHeader {
            rom: self.powered.name().to_owned(),
            seed: format!("seed {}", self.config.bot.seed),
            evaluator: self.player_name.clone(),
            input: self.config.planner.describe(),
            cheats: self.config.planner.input.cheat().map(str::to_owned),
            start_level: self.config.bot.start_level,
            until: self.config.bot.until.to_string(),
        }
    }
}
