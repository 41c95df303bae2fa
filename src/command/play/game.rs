//! A game from its first frame to its summary.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::args::GameArgs;
use super::end;
use super::hand_camera::HandCamera;
use super::recording::{Recorded, Recording};
use super::summary::{NamedPlayer, PlayedOn, Summary};
use super::watch::watch;
use super::watching::Watching;
use crate::config::Config;
use crate::console::power::Powered;
use crate::files::screenshot::Screenshot;
use crate::player::source::value_unit;
use crate::system::failure::Failure;
use crate::system::logging::LogTarget;
use crate::system::output::{say, say_failure};
use maxout_console::WallClock;
use maxout_engine::bot::{Error as RunError, FrameSink, Outcome, Pilot, Run};
use maxout_engine::console::Error as ConsoleError;
use maxout_engine::planner::Player;
use maxout_engine::ram::Decoder;
use maxout_host::HostScreen;
use maxout_screen::{ColourMode, Paced, ProgressLines, RunHeader, TerminalView, View, ViewOptions, WindowSink};

/// Everything that is fixed before the first frame.
pub(super) struct Game<'a> {
    pub args: &'a GameArgs,
    pub config: Config,
    pub player: NamedPlayer,
    pub decoder: Decoder,
    pub stop: Arc<AtomicBool>,
}

impl Game<'_> {
    /// Plays; the summary, and whether the goal was reached or why the player failed.
    pub(super) fn play(
        &self,
        powered: Powered,
        host: Option<HostScreen>,
        player: Box<dyn Player>,
        watching: Watching,
        recording: Recording<'_>,
        log: &LogTarget,
    ) -> Result<(Summary, Result<bool, Failure>), Failure> {
        let pilot = Pilot::new(player, self.config.bot.start_level, self.config.bot.seed);
        let on = PlayedOn::new(&powered);
        let header = self.header(powered.name(), pilot.menu_frames());
        let mut screenshot = Screenshot::new(&self.args.screenshot, header.clone());
        let until = self.config.bot.until;
        let clock = WallClock::start();
        let saved = recording.names();
        let mut breaks = host.is_some().then(|| recording.breaks());
        let shows_end = !self.args.exit && !matches!(watching, Watching::Lines(_));
        let mut run = Run::new(powered.console, self.decoder.clone(), pilot, until).with_clock(Box::new(clock));
        let (stop, decoder) = (&self.stop, &self.decoder);
        let film_header = header.clone();
        let play = |view: &mut dyn View| -> Result<_, Failure> {
            // Everything else is in order: only now do old files change.
            let mut recorded: Recorded = recording.start(film_header)?;
            // Files come first: a view that fails must not cost them a frame.
            let mut sinks: Vec<&mut dyn FrameSink> = recorded.sinks();
            sinks.extend(screenshot.as_mut().map(|sink| sink as &mut dyn FrameSink));
            let mut on_host = host.clone();
            sinks.extend(on_host.as_mut().map(|sink| sink as &mut dyn FrameSink));
            sinks.extend(breaks.as_mut().map(|sink| sink as &mut dyn FrameSink));
            let finished = watch(&mut run, &mut sinks, view, stop);
            drop(sinks);
            if let Ok(finished) = &finished {
                recorded.ended(finished.outcome);
            }
            let games = run.games().to_vec();
            let so_far = finished.is_err().then(|| run.so_far(Outcome::Stopped)).flatten();
            // Even when the run failed: what was written stays.
            let files = recorded.finish();
            let is_taken = screenshot.is_some() && matches!(finished, Ok(_) | Err(RunError::Player { .. }));
            let shown = match &finished {
                Ok(finished) if shows_end && files.is_ok() && finished.outcome != Outcome::Stopped => Some(finished),
                _ => None,
            };
            let is_drawn = (is_taken || shown.is_some()) && host.is_none();
            let picture = if is_drawn { end::picture(run.console_mut(), decoder) } else { None };
            if let Some(host) = &host {
                match &finished {
                    Ok(finished) => host.ended(&until.result(finished.outcome)),
                    // The host's own failure is known to it.
                    Err(RunError::Console(_)) => {}
                    Err(error) => host.ended(&error.to_string()),
                }
            }
            // A host is let go before anybody looks at the end.
            drop(run);
            let files = files.and(match &screenshot {
                Some(screenshot) if is_taken => screenshot.write(picture.as_ref()),
                _ => Ok(()),
            });
            if let (Some(finished), Ok(())) = (shown, &files) {
                end::show(view, end::card(finished, until, &saved), picture, stop);
            }
            Ok((finished, so_far, games, files, view.leave()))
        };
        let played = match watching {
            Watching::Terminal(showing, pace) => {
                let _held_log = log.hold();
                let hand_camera = HandCamera::new(Path::new("."), header.clone());
                let graphics = self.config.view.graphics;
                let opening = ViewOptions { header, pace, showing, graphics, stop: Some(Arc::clone(stop)) };
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
        let (finished, so_far, games, files, by_keys) = played?;
        if !by_keys.is_empty() {
            say(&format!("saved by keys: {}", by_keys.join(", ")));
        }
        if let Some(line) = breaks.and_then(|breaks| breaks.line()) {
            say(&line);
        }
        let (finished, ended) = match finished {
            Ok(finished) => {
                files?;
                let reached = finished.outcome == Outcome::Goal;
                (finished, Ok(reached))
            }
            // What has ended the run comes before what follows from it.
            Err(RunError::Player { error, so_far }) => {
                files.unwrap_or_else(|failure| say_failure(&failure));
                (*so_far, Err(Failure::run(error)))
            }
            Err(error @ (RunError::Console(ConsoleError::Host { .. }) | RunError::Ram { .. })) => {
                let Some(so_far) = so_far else { return Err(Failure::run(error)) };
                files.unwrap_or_else(|failure| say_failure(&failure));
                (so_far, Err(Failure::run(error)))
            }
            Err(error) => return Err(Failure::run(error)),
        };
        Ok((Summary::new(&on, &self.config, &self.player, &finished, &games), ended))
    }

    /// `rom`: the name of the game's ROM or console; `menu_frames`: about how many frames pass before the game.
    fn header(&self, rom: &str, menu_frames: Option<u64>) -> RunHeader {
        RunHeader {
            rom: rom.to_owned(),
            seed: format!("seed {}", self.config.bot.seed),
            evaluator: self.player.name.clone(),
            unit: value_unit(&self.player.name).to_owned(),
            input: self.config.planner.describe(),
            mark: self.config.planner.mark(),
            start_level: self.config.bot.start_level,
            menu_frames,
            until: self.config.bot.until.to_string(),
        }
    }
}
