//! `maxout drive`: a game in somebody else's emulator.

pub(crate) mod args;
mod emulator;
mod started;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use anyhow::anyhow;

use self::args::Drive;
use super::play::args::GameArgs;
use super::play::setup::{Hosted, Setup};
use crate::console::power::{ConsoleChoice, Powered, crashes_of, trusted_rom};
use crate::console::ram_map;
use crate::system::failure::Failure;
use crate::system::interrupt::stop_on_interrupt;
use crate::system::logging::LogTarget;
use crate::system::output::say;
use maxout_console::Rom;
use maxout_host::{Endpoint, Error, Settings, Waiting};
use maxout_screen::SpeedChoice;

pub(crate) fn run(args: &Drive, log: &LogTarget) -> Result<ExitCode, Failure> {
    if let Some(emulator) = &args.emulator {
        return emulator::run(emulator, log);
    }
    let endpoint = args.link.endpoint()?;
    let meeting = Meeting { endpoint, timeout: args.host.host_timeout, rom: None, stop: stop() };
    meeting.play(&args.game, log, |waiting, _, _| {
        if *waiting.endpoint() != Endpoint::Stdio {
            say(&format!("waiting for a host at {}; Ctrl-C ends it", waiting.endpoint()));
        }
        Ok(())
    })
}

/// Where a host comes from, and what it plays.
pub(crate) struct Meeting {
    pub endpoint: Endpoint,
    /// The time limit for a frame.
    pub timeout: Duration,
    /// The ROM that the host plays, if maxout chooses it.
    pub rom: Option<HostRom>,
    /// Set by Ctrl-C.
    pub stop: Arc<AtomicBool>,
}

/// A flag that Ctrl-C sets. Before anything is made that has to be removed at the end.
fn stop() -> Arc<AtomicBool> {
    stop_on_interrupt()
}

/// The ROM that a host is to play.
pub(crate) struct HostRom {
    /// `None`: the built-in cartridge.
    pub path: Option<PathBuf>,
    /// Take an unknown one, too.
    pub force: bool,
}

/// What was done for a host to come. It is dropped after the game.
pub(crate) trait Opened {
    /// Why no host will come, if that is known. Asked while there is none.
    fn lost(&mut self) -> Option<String> {
        None
    }

    /// The host is there.
    fn greeted(&mut self) {}

    /// What is known of the host's end. Asked after a game that has failed.
    fn ended(&mut self) -> Option<String> {
        None
    }
}

impl Opened for () {}

impl Meeting {
    /// Waits for a host and plays a game on it. `open` is called when everything else is in order and the
    /// endpoint is open: there the host can be started. What it returns is dropped after the game.
    pub(crate) fn play<T: Opened>(
        self,
        game: &GameArgs,
        log: &LogTarget,
        open: impl FnOnce(&Waiting, SpeedChoice, Option<&Rom>) -> Result<T, Failure>,
    ) -> Result<ExitCode, Failure> {
        let is_stdio = self.endpoint == Endpoint::Stdio;
        let own = self.rom.as_ref().and_then(|rom| rom.path.clone());
        let reads = own.map_or(ConsoleChoice::Cartridge, ConsoleChoice::Rom);
        let mut setup = Setup::check(game, None, |outputs| outputs.reads_console(&reads))?;
        let rom = self.rom.map(|rom| trusted_rom(rom.path.as_deref(), rom.force)).transpose()?;
        if is_stdio && setup.writes_to_stdout() {
            let error = "with --stdio, standard output belongs to the host: give the log or movie a file";
            return Err(Failure::input(anyhow!(error)));
        }
        if let Some(cheat) = setup.config.planner.input.cheat() {
            let error = format!(
                "expected an input that presses buttons, found one with which {cheat}: maxout writes \
                                 no RAM of a host; choose another --input"
            );
            return Err(Failure::input(anyhow!(error)));
        }
        setup.films.check_driven()?;
        let map = ram_map::map(game.map.as_deref())?;
        let waiting = Waiting::open(&self.endpoint).map_err(failure)?;
        let speed = setup.config.view.speed;
        let crashes = crashes_of(rom.as_ref());
        setup.config.planner.crashes = crashes;
        let ready = setup.ready(if is_stdio { Hosted::AtStdout } else { Hosted::Elsewhere }, self.stop)?;
        let mut opened = open(&waiting, speed, rom.as_ref())?;
        let settings =
            Settings { map, decoder: ready.decoder.clone(), patience: self.timeout, stop: Arc::clone(&ready.stop) };
        let driven = waiting.greet_unless(settings, || opened.lost()).map_err(failure)?;
        opened.greeted();
        let (host, screen) = (driven.host().to_owned(), driven.screen());
        let powered = Powered { console: Box::new(driven), rom, host: Some(host), crashes };
        ready.play_on(powered, Some(screen), log).map_err(|failed| match opened.ended() {
            Some(end) => Failure { error: anyhow!("{:#}; {end}", failed.error), ..failed },
            None => failed,
        })
    }
}

/// With its exit code: what a host does wrong is no mistake of the user.
fn failure(error: Error) -> Failure {
    match error {
        Error::Endpoint { .. } | Error::Unusable(_) => Failure::input(error),
        Error::Hello { .. } | Error::Lost(_) | Error::Stopped => Failure::run(error),
    }
}
