//! What is checked before a game, in two steps: what needs no console, and the player.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::anyhow;

use super::args::GameArgs;
use super::game::Game;
use super::recording::{self, Recording};
use super::settings::settings;
use super::summary::NamedPlayer;
use super::watching::{Clocked, Watching};
use crate::config::Config;
use crate::console::power::Powered;
use crate::console::ram_map;
use crate::files::film::Films;
use crate::files::outputs::{self, Claims, Outputs};
use crate::files::screenshot::{self, Screenshot};
use crate::player::source::PlayerSource;
use crate::system::failure::{FAILED, Failure};
use crate::system::logging::LogTarget;
use crate::system::output::print_beside;
use crate::system::stdout::is_stdout;
use maxout_engine::console::Video;
use maxout_engine::planner::Player;
use maxout_engine::ram::Decoder;
use maxout_formats::{FileFormat, Kind};
use maxout_host::HostScreen;
use maxout_screen::ViewChoice;

/// A game whose settings and files are in order. No file has changed yet.
pub(crate) struct Setup<'a> {
    args: &'a GameArgs,
    pub config: Config,
    pub films: Films,
    files: Vec<(PathBuf, FileFormat)>,
    claims: Claims,
}

/// A game that lacks only its console.
pub(crate) struct Ready<'a> {
    setup: Setup<'a>,
    watching: Watching,
    player: Box<dyn Player>,
    weights_sha1: Option<String>,
    pub decoder: Decoder,
    /// Set when the program is to end.
    pub stop: Arc<AtomicBool>,
    is_stdout_taken: bool,
}

/// What a host has to do with the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Hosted {
    /// The console is our own.
    No,
    /// A host runs the console.
    Elsewhere,
    /// So does the one that started this program: it reads standard output.
    AtStdout,
}

impl<'a> Setup<'a> {
    /// Checks settings and files. `dump`: one more file, which may go to standard output. `reads` names the
    /// files that the console reads.
    pub(crate) fn check(
        args: &'a GameArgs,
        dump: Option<(PathBuf, FileFormat)>,
        reads: impl FnOnce(Outputs) -> Outputs,
    ) -> Result<Setup<'a>, Failure> {
        let files: Vec<_> = args.run_files.files()?.into_iter().chain(dump).collect();
        let films = args.film.films()?;
        Screenshot::check_names(&args.screenshot)?;
        let config = settings(args)?;
        let outputs = reads(Outputs::new(args.run_files.overwrite))
            .reads("--config", &args.config)
            .reads("--map", &args.map)
            .reads_player(&config);
        let outputs = files.iter().enumerate().fold(outputs, |outputs, (index, (path, format))| {
            outputs.grows(args.run_files.flag_of(index), path, Kind::Frames(*format))
        });
        let claims = films
            .add_to(outputs)
            .grows_beside("--report", args.report.as_deref(), Kind::Report)
            .whole("--screenshot", &args.screenshot, outputs::picture)
            .claim()?;
        Ok(Setup { args, config, films, files, claims })
    }

    /// What the console has to draw.
    pub(crate) fn video(&self) -> Video {
        let is_drawn = self.config.view.view == ViewChoice::Window
            || self.args.film.is_wanted()
            || screenshot::video(&self.args.screenshot) == Video::On;
        if is_drawn { Video::On } else { Video::Off }
    }

    /// Does a log or a movie go to standard output?
    pub(crate) fn writes_to_stdout(&self) -> bool {
        self.files.iter().any(|(path, _)| is_stdout(path))
    }

    /// Chooses the view and starts the player. `stop` is set when the program is to end.
    pub(crate) fn ready(self, hosted: Hosted, stop: Arc<AtomicBool>) -> Result<Ready<'a>, Failure> {
        let decoder = ram_map::decoder(self.args.map.as_deref())?;
        let rng = self.config.planner.rng;
        if !rng.is_honest() && !decoder.shows_generator() {
            return Err(Failure::input(anyhow!(
                "--rng {rng} needs a RAM map with rng, spawnCount and frameCounter, found one without: add them, or \
                 choose --rng honest"
            )));
        }
        let is_stdout_taken = self.writes_to_stdout() || hosted == Hosted::AtStdout;
        let clocked = if hosted == Hosted::No { Clocked::Here } else { Clocked::ByTheHost };
        let watching = Watching::choose(&self.config, self.args.json, is_stdout_taken, clocked)?;
        recording::check_cheats(&self.files, &self.config)?;

        // Last, so that an external player starts only when everything else is in order.
        let source = PlayerSource::new(&self.config, &self.args.player)?;
        let (player, weights_sha1) = (source.make_one()?, source.id().weights_sha1);
        Ok(Ready { setup: self, watching, player, weights_sha1, decoder, stop, is_stdout_taken })
    }
}

impl Ready<'_> {
    /// Plays on this console and prints the summary. `host` hears of every frame.
    pub(crate) fn play_on(
        self,
        powered: Powered,
        host: Option<HostScreen>,
        log: &LogTarget,
    ) -> Result<ExitCode, Failure> {
        let Ready { setup, watching, player, weights_sha1, decoder, stop, is_stdout_taken } = self;
        let Setup { args, config, films, files, claims } = setup;
        let named = NamedPlayer { name: player.name().to_owned(), weights_sha1 };
        let recording = Recording::new(args, &powered, &config, &named.name, files, films, claims);
        let game = Game { args, config, player: named, decoder, stop };
        let (summary, ended) = game.play(powered, host, player, watching, recording, log)?;
        print_beside(is_stdout_taken, &if args.json { summary.json() } else { summary.text() })?;
        let reached = ended?;
        Ok(if reached { ExitCode::SUCCESS } else { ExitCode::from(FAILED) })
    }
}
