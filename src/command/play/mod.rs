//! `maxout play`: a game from power-on until its goal.

pub(crate) mod args;
mod end;
mod hand_camera;
mod settings;
mod summary;
mod watch;

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::anyhow;

use self::args::Play;
use self::hand_camera::HandCamera;
use self::settings::settings;
use self::summary::Summary;
use self::watch::watch;

use crate::config::Config;
use crate::console::power::{self, ConsoleChoice, Powered};
use crate::console::ram_map;
use crate::files::film::{Camera, Films};
use crate::files::run_files;
use crate::files::screenshot::{self, Screenshot};
use crate::player::source::{PlayerSource, value_unit};
use crate::system::failure::{FAILED, Failure};
use crate::system::interrupt::{Second, stop_on_interrupt};
use crate::system::logging::LogTarget;
use crate::system::output::print_beside;
use crate::system::shell;
use crate::system::stdout::STDOUT;
use maxout_console::WallClock;
use maxout_engine::bot::{Error as RunError, FrameSink, Outcome, Pilot, Run};
use maxout_engine::console::Video;
use maxout_engine::planner::Player;
use maxout_engine::ram::Decoder;
use maxout_formats::frame_log::LogOptions;
use maxout_formats::report::ReportWriter;
use maxout_formats::{FileFormat, Format, RunWriter};
use maxout_screen::{
    ColourMode, Pace, Paced, ProgressLines, RunHeader, Showing, Speed, SpeedChoice, TerminalView, View, ViewChoice,
    ViewOptions, WindowSink, WindowView,
};

pub(crate) fn run(args: &Play, log: &LogTarget) -> Result<ExitCode, Failure> {
    run_and_dump(args, log, None)
}

/// Plays, and also writes one more file, `dump`, which may go to standard output.
pub(crate) fn run_and_dump(
    args: &Play,
    log: &LogTarget,
    dump: Option<(PathBuf, FileFormat)>,
) -> Result<ExitCode, Failure> {
    let files: Vec<_> = args.run_files.files()?.into_iter().chain(dump).collect();
    let films = args.film.films()?;
    Screenshot::check_names(&args.screenshot)?;
    let others = args.screenshot.iter().chain(&args.report).map(PathBuf::as_path);
    let written = files.iter().map(|(path, _)| path.as_path()).chain(films.paths()).chain(others);
    run_files::check_distinct(written)?;
    let to_stdout = files.iter().any(|(path, _)| path == Path::new(STDOUT));
    let choice = match (&args.console, &args.rom) {
        (Some(console), _) => console.clone(),
        (None, Some(path)) => ConsoleChoice::Rom(path.clone()),
        (None, None) => ConsoleChoice::default(),
    };
    let config = settings(args)?;
    let is_drawn = config.view.view == ViewChoice::Window
        || args.film.is_wanted()
        || screenshot::video(&args.screenshot) == Video::On;
    let powered = power::switch_on(&choice, args.force, if is_drawn { Video::On } else { Video::Off })?;
    let decoder = ram_map::decoder(args.map.as_deref())?;
    let watching = Watching::choose(&config, args.json, to_stdout)?;
    Screenshot::probe(&args.screenshot)?;

    // Last, so that an external player starts only when everything else is in order.
    let player = PlayerSource::new(&config, &args.player)?.make_one()?;
    let player_name = player.name().to_owned();
    let stop = stop_on_interrupt(Second::AsksAgain)?;
    let mut game = Game { args, powered, config, player_name, decoder, files, films, stop };
    let (summary, ended) = game.play(player, watching, log)?;
    print_beside(to_stdout, &if args.json { summary.json() } else { summary.text() })?;
    let reached = ended?;
    Ok(if reached { ExitCode::SUCCESS } else { ExitCode::from(FAILED) })
}

/// The view of the run.
enum Watching {
    Terminal(Showing, Pace),
    Window(Pace, Box<WindowView>),
    Lines(Pace),
}

impl Watching {
    /// `json`, `to_stdout`: a summary for a program, or a log or movie, goes to standard output.
    fn choose(config: &Config, json: bool, to_stdout: bool) -> Result<Watching, Failure> {
        let view = config.view.view;
        let is_terminal = io::stdout().is_terminal() && io::stdin().is_terminal();
        let view = match view {
            ViewChoice::Terminal | ViewChoice::Screen if to_stdout => {
                let error = "the terminal view needs standard output, and so does a log or movie with the name -: \
                             use --view none, or give it a file";
                return Err(Failure::input(anyhow!(error)));
            }
            ViewChoice::Terminal | ViewChoice::Screen if !is_terminal => {
                let error =
                    "the terminal view needs a terminal, and standard input or output is not one: use --view none";
                return Err(Failure::input(anyhow!(error)));
            }
            // The result as JSON is for a program, which reads standard output.
            ViewChoice::Auto if is_terminal && !json && !to_stdout => ViewChoice::Terminal,
            ViewChoice::Auto => ViewChoice::None,
            choice => choice,
        };
        let speed = match config.view.speed {
            SpeedChoice::Fixed(speed) => speed,
            SpeedChoice::Auto if view == ViewChoice::None => Speed::Max,
            SpeedChoice::Auto => Speed::Times(1),
        };
        let pace = Pace { speed, menus: config.view.menus };
        Ok(match view {
            ViewChoice::Terminal => Watching::Terminal(Showing::Panels, pace),
            ViewChoice::Screen => Watching::Terminal(Showing::Screen, pace),
            ViewChoice::Window => Watching::Window(pace, Box::new(WindowView::connect().map_err(Failure::input)?)),
            ViewChoice::Auto | ViewChoice::None => Watching::Lines(pace),
        })
    }
}

/// Everything that is fixed before the first frame.
struct Game<'a> {
    args: &'a Play,
    powered: Powered,
    config: Config,
    player_name: String,
    decoder: Decoder,
    /// The logs and movies to be written.
    files: Vec<(PathBuf, FileFormat)>,
    films: Films,
    stop: Arc<AtomicBool>,
}

impl Game<'_> {
    /// Plays; the summary, and whether the goal was reached or why the player failed.
    fn play(
        &mut self,
        player: Box<dyn Player>,
        watching: Watching,
        log: &LogTarget,
    ) -> Result<(Summary, Result<bool, Failure>), Failure> {
        let mut run_writers = self.run_writers()?;
        let pilot = Pilot::new(player, self.config.bot.start_level, self.config.bot.seed);
        let header = self.header(pilot.menu_frames());
        let mut report = self.args.report.as_deref().map(|path| self.report(path)).transpose()?;
        let mut camera = self.films.start(&self.powered, header.clone())?;
        let mut screenshot = Screenshot::new(&self.args.screenshot, header.clone());
        let until = self.config.bot.until;
        let clock = WallClock::start();
        let saved = self.saved();
        let shows_end = !self.args.exit && !matches!(watching, Watching::Lines(_));
        let mut run =
            Run::new(&mut *self.powered.console, self.decoder.clone(), pilot, until).with_clock(Box::new(clock));
        let (stop, decoder) = (&self.stop, &self.decoder);
        let mut play = |view: &mut dyn View| {
            let mut sinks: Vec<&mut dyn FrameSink> = Vec::new();
            // Files come first: a view that fails must not cost them a frame.
            sinks.extend(run_writers.iter_mut().map(|sink| sink as &mut dyn FrameSink));
            sinks.extend(report.as_mut().map(|sink| sink as &mut dyn FrameSink));
            sinks.extend(camera.as_mut().map(|sink| sink as &mut dyn FrameSink));
            sinks.extend(screenshot.as_mut().map(|sink| sink as &mut dyn FrameSink));
            let finished = watch(&mut run, &mut sinks, view, stop);
            drop(sinks);
            if let (Ok(finished), Some(report)) = (&finished, &mut report) {
                report.ended(finished.outcome);
            }
            // Even when the run failed: what was written stays.
            let files = run_writers
                .iter_mut()
                .try_for_each(RunWriter::finish)
                .and(report.iter_mut().try_for_each(ReportWriter::finish))
                .map_err(Failure::run)
                .and(camera.as_mut().map_or(Ok(()), Camera::finish));
            let is_taken = screenshot.is_some() && matches!(finished, Ok(_) | Err(RunError::Player { .. }));
            let shown = match &finished {
                Ok(finished) if shows_end && files.is_ok() && finished.outcome != Outcome::Stopped => Some(finished),
                _ => None,
            };
            let is_needed = is_taken || shown.is_some();
            let picture = if is_needed { end::picture(run.console_mut(), decoder) } else { None };
            let files = files.and(match &screenshot {
                Some(screenshot) if is_taken => screenshot.write(picture.as_ref()),
                _ => Ok(()),
            });
            if let (Some(finished), Ok(())) = (shown, &files) {
                end::show(view, end::card(finished, until, &saved), picture, stop);
            }
            (finished, files)
        };
        let (finished, files) = match watching {
            Watching::Terminal(showing, pace) => {
                let _held_log = log.hold();
                let hand_camera = HandCamera::new(Path::new("."), header.clone());
                let opening = ViewOptions { header, pace, showing, graphics: self.config.view.graphics };
                let view =
                    TerminalView::start(opening, ColourMode::detect(), Box::new(clock)).map_err(Failure::input)?;
                play(&mut view.with_camera(Box::new(hand_camera)))
            }
            Watching::Window(pace, window) => {
                let hand_camera = HandCamera::new(Path::new("."), header.clone());
                let watched = |sink: WindowSink| play(&mut sink.with_camera(Box::new(hand_camera)));
                window.show(header, pace, Box::new(clock), stop, watched).map_err(Failure::input)?
            }
            Watching::Lines(pace) => {
                let lines = ProgressLines::new(io::stderr(), Box::new(clock)).at_speed(pace.speed);
                play(&mut Paced::new(lines, pace, Box::new(clock)))
            }
        };
        files?;

        let (finished, ended) = match finished {
            Ok(finished) => {
                let reached = finished.outcome == Outcome::Goal;
                (finished, Ok(reached))
            }
            Err(RunError::Player { error, so_far }) => (*so_far, Err(Failure::run(error))),
            Err(error @ RunError::Ram { .. }) => return Err(Failure::input(error)),
            Err(error) => return Err(Failure::run(error)),
        };
        Ok((Summary::new(&self.powered, &self.config, &self.player_name, &finished), ended))
    }

    /// The names of the files that are written.
    fn saved(&self) -> Vec<String> {
        let files = self.files.iter().map(|(path, _)| path.as_path()).filter(|path| *path != Path::new(STDOUT));
        let others = self.args.report.iter().chain(&self.args.screenshot).map(PathBuf::as_path);
        files.chain(self.films.paths()).chain(others).map(|path| path.display().to_string()).collect()
    }

    fn report(&self, path: &Path) -> Result<ReportWriter, Failure> {
        if path == Path::new(STDOUT) {
            let error = "the report of a running game needs a file: give --report FILE.html";
            return Err(Failure::input(anyhow!(error)));
        }
        let date = self.args.run_files.details.date.as_deref();
        let provenance = run_files::of_game(&self.powered, &self.config, &self.player_name, date);
        ReportWriter::create(path, &provenance.with("command", shell::command_line())).map_err(Failure::input)
    }

    fn run_writers(&self) -> Result<Vec<RunWriter>, Failure> {
        let details = &self.args.run_files.details;
        let player = &self.player_name;
        let provenance = run_files::of_game(&self.powered, &self.config, player, details.date.as_deref());
        let cheats = self.config.planner.input.cheat().is_some();
        let options = LogOptions { cheats, ..details.options() };
        let buttons_only = |format: FileFormat| !format.format.is_log() && format.format != Format::Ngf;
        if let Some((path, _)) = self.files.iter().find(|(_, format)| cheats && buttons_only(*format)) {
            let error = "expected a log or .ngf: this run writes RAM, which buttons alone cannot repeat";
            return Err(Failure::input(anyhow!("{}: {error}", path.display())));
        }
        let open = |(path, format): &(PathBuf, FileFormat)| run_files::run_writer(path, *format, &provenance, options);
        self.files.iter().map(open).collect()
    }

    /// `menu_frames`: about how many frames pass before the game.
    fn header(&self, menu_frames: Option<u64>) -> RunHeader {
        RunHeader {
            rom: self.powered.name().to_owned(),
            seed: format!("seed {}", self.config.bot.seed),
            evaluator: self.player_name.clone(),
            unit: value_unit(&self.player_name).to_owned(),
            input: self.config.planner.describe(),
            cheats: self.config.planner.input.cheat().map(str::to_owned),
            start_level: self.config.bot.start_level,
            menu_frames,
            until: self.config.bot.until.to_string(),
        }
    }
}
