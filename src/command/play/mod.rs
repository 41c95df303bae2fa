//! `maxout play`: a game from power-on until its goal.

pub(crate) mod args;
mod end;
mod hand_camera;
mod recording;
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
use self::recording::{Recorded, Recording};
use self::settings::settings;
use self::summary::Summary;
use self::watch::watch;

use crate::config::Config;
use crate::console::power::{self, ConsoleChoice, Powered};
use crate::console::ram_map;
use crate::files::outputs::{self, Outputs};
use crate::files::screenshot::{self, Screenshot};
use crate::player::source::{PlayerSource, value_unit};
use crate::system::failure::{FAILED, Failure};
use crate::system::interrupt::{Second, stop_on_interrupt};
use crate::system::logging::LogTarget;
use crate::system::output::{print_beside, say};
use crate::system::stdout::STDOUT;
use maxout_console::WallClock;
use maxout_engine::bot::{Error as RunError, FrameSink, Outcome, Pilot, Run};
use maxout_engine::console::Video;
use maxout_engine::planner::Player;
use maxout_engine::ram::Decoder;
use maxout_formats::{FileFormat, Kind};
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
    recording::check_report(args.report.as_deref())?;
    let to_stdout = files.iter().any(|(path, _)| path == Path::new(STDOUT));
    let choice = match (&args.console, &args.rom) {
        (Some(console), _) => console.clone(),
        (None, Some(path)) => ConsoleChoice::Rom(path.clone()),
        (None, None) => ConsoleChoice::default(),
    };
    let config = settings(args)?;
    let outputs = Outputs::new(args.run_files.overwrite)
        .reads_console(&choice)
        .reads("--config", &args.config)
        .reads("--map", &args.map)
        .reads_player(&config);
    let outputs = files.iter().enumerate().fold(outputs, |outputs, (index, (path, format))| {
        outputs.grows(args.run_files.flag_of(index), path, Kind::Frames(*format))
    });
    let claims = films
        .add_to(outputs)
        .grows_if("--report", args.report.as_deref(), Kind::Report)
        .whole("--screenshot", &args.screenshot, outputs::picture)
        .claim()?;
    let is_drawn = config.view.view == ViewChoice::Window
        || args.film.is_wanted()
        || screenshot::video(&args.screenshot) == Video::On;
    let powered = power::switch_on(&choice, args.force, if is_drawn { Video::On } else { Video::Off })?;
    let decoder = ram_map::decoder(args.map.as_deref())?;
    let watching = Watching::choose(&config, args.json, to_stdout)?;
    films.check(&powered)?;
    recording::check_cheats(&files, &config)?;

    // Last, so that an external player starts only when everything else is in order.
    let player = PlayerSource::new(&config, &args.player)?.make_one()?;
    let player_name = player.name().to_owned();
    let stop = stop_on_interrupt(Second::AsksAgain)?;
    let recording = Recording::new(args, &powered, &config, &player_name, files, films, claims);
    let mut game = Game { args, powered, config, player_name, decoder, stop };
    let (summary, ended) = game.play(player, watching, recording, log)?;
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
    stop: Arc<AtomicBool>,
}

impl Game<'_> {
    /// Plays; the summary, and whether the goal was reached or why the player failed.
    fn play(
        &mut self,
        player: Box<dyn Player>,
        watching: Watching,
        recording: Recording<'_>,
        log: &LogTarget,
    ) -> Result<(Summary, Result<bool, Failure>), Failure> {
        let pilot = Pilot::new(player, self.config.bot.start_level, self.config.bot.seed);
        let header = self.header(pilot.menu_frames());
        let mut screenshot = Screenshot::new(&self.args.screenshot, header.clone());
        let until = self.config.bot.until;
        let clock = WallClock::start();
        let saved = recording.names();
        let shows_end = !self.args.exit && !matches!(watching, Watching::Lines(_));
        let mut run =
            Run::new(&mut *self.powered.console, self.decoder.clone(), pilot, until).with_clock(Box::new(clock));
        let (stop, decoder) = (&self.stop, &self.decoder);
        let film_header = header.clone();
        let play = |view: &mut dyn View| -> Result<_, Failure> {
            // Everything else is in order: only now do old files change.
            let mut recorded: Recorded = recording.start(film_header)?;
            // Files come first: a view that fails must not cost them a frame.
            let mut sinks: Vec<&mut dyn FrameSink> = recorded.sinks();
            sinks.extend(screenshot.as_mut().map(|sink| sink as &mut dyn FrameSink));
            let finished = watch(&mut run, &mut sinks, view, stop);
            drop(sinks);
            if let Ok(finished) = &finished {
                recorded.ended(finished.outcome);
            }
            // Even when the run failed: what was written stays.
            let files = recorded.finish();
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
            Ok((finished, files, view.leave()))
        };
        let played = match watching {
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
        let (finished, files, by_keys) = played?;
        if !by_keys.is_empty() {
            say(&format!("saved by keys: {}", by_keys.join(", ")));
        }
        let (finished, ended) = match finished {
            Ok(finished) => {
                files?;
                let reached = finished.outcome == Outcome::Goal;
                (finished, Ok(reached))
            }
            Err(RunError::Player { error, so_far }) => {
                files?;
                (*so_far, Err(Failure::run(error)))
            }
            // What has ended the run comes before what follows from it.
            Err(error @ RunError::Ram { .. }) => return Err(Failure::input(error)),
            Err(error) => return Err(Failure::run(error)),
        };
        Ok((Summary::new(&self.powered, &self.config, &self.player_name, &finished), ended))
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
