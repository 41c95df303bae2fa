//! `maxout drive fceux`, `mesen`, `bizhawk`: emulators for which maxout has a script.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::anyhow;

use super::args::{AttachArgs, EmulatorCommand, FceuxArgs, HostArgs};
use super::started::{Folder, Started, Written};
use super::{HostRom, Meeting, stop};
use crate::command::play::args::GameArgs;
use crate::console::fceux::{self, Fceux};
use crate::system::failure::Failure;
use crate::system::logging::LogTarget;
use crate::system::output::say;
use crate::system::programs;
use maxout_console::Rom;
use maxout_host::Endpoint;
use maxout_host::script::{Emulator, Settings, Speed};
use maxout_screen::{Speed as Pace, SpeedChoice};

pub(super) fn run(command: &EmulatorCommand, log: &LogTarget) -> Result<ExitCode, Failure> {
    match command {
        EmulatorCommand::Fceux(FceuxArgs { attach: true, pipes, host, game, .. }) => {
            attach(Emulator::Fceux, pipes.as_ref(), host, game, log)
        }
        EmulatorCommand::Fceux(args) => start(args, log),
        EmulatorCommand::Mesen(AttachArgs { pipes, host, game }) => {
            attach(Emulator::Mesen, pipes.as_ref(), host, game, log)
        }
        EmulatorCommand::Bizhawk(AttachArgs { pipes, host, game }) => {
            attach(Emulator::BizHawk, pipes.as_ref(), host, game, log)
        }
    }
}

/// Starts FCEUX and plays in it.
fn start(args: &FceuxArgs, log: &LogTarget) -> Result<ExitCode, Failure> {
    let stop = stop();
    let folder = Folder::make().map_err(|error| Failure::input(anyhow!(error)))?;
    let meeting = Meeting {
        endpoint: Endpoint::Pipes(folder.path().to_owned()),
        timeout: args.host.host_timeout,
        rom: Some(HostRom { path: args.rom.clone(), force: args.force }),
        stop,
    };
    meeting.play(&args.game, log, |_, speed, rom| {
        let fceux = installed()?;
        let settings = Settings { folder: folder.path(), version: Some(&fceux.version), speed: script_speed(speed) };
        let script = folder.write("maxout.lua", Emulator::Fceux.script(&settings).as_bytes())?;
        let rom = rom.cloned().unwrap_or_else(Rom::cartridge);
        let game = game_file(&rom, args.rom.as_ref(), &folder)?;
        Started::start(&fceux.path, &args.fceux, &script, &game, folder.clone())
    })
}

/// FCEUX on this machine.
fn installed() -> Result<Fceux, Failure> {
    let Some(path) = programs::find(fceux::PROGRAMS) else {
        say("to play in an FCEUX that maxout does not find, open your game there and run: maxout drive fceux --attach");
        say("then, in FCEUX, File > Load Lua Script starts the script that it names");
        return Err(Failure::input(anyhow!("expected FCEUX in PATH, found none: {}", fceux::INSTALL)));
    };
    Fceux::look(&path).map_err(|error| Failure::input(anyhow!("{error}; {}", fceux::INSTALL)))
}

/// The file that FCEUX opens: the user's own, or one that is written for it.
fn game_file(rom: &Rom, own: Option<&PathBuf>, folder: &Folder) -> Result<PathBuf, Failure> {
    let is_plain = |path: &&PathBuf| path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("nes"));
    match own.filter(is_plain) {
        Some(path) => std::path::absolute(path).map_err(|error| Failure::input(anyhow!("{}: {error}", path.display()))),
        None => folder.write("maxout.nes", rom.bytes()),
    }
}

/// Waits for an emulator that a person has opened.
fn attach(
    emulator: Emulator,
    pipes: Option<&PathBuf>,
    host: &HostArgs,
    game: &GameArgs,
    log: &LogTarget,
) -> Result<ExitCode, Failure> {
    let pipes = match (Endpoint::default_pipes(), pipes) {
        // Emulators have working folders of their own.
        (Some(_), Some(own)) => std::path::absolute(own).map_err(Failure::input)?,
        (Some(Endpoint::Pipes(default)), None) => default,
        _ => {
            return Err(Failure::input(anyhow!(
                "named pipes are not supported on this system: see docs/hosts.md for others"
            )));
        }
    };
    let endpoint = Endpoint::Pipes(pipes.clone());
    let timeout = host.host_timeout;
    let meeting = Meeting { endpoint, timeout, rom: None, stop: stop() };
    meeting.play(game, log, |waiting, speed, _| {
        let settings = Settings { folder: &pipes, version: None, speed: script_speed(speed) };
        let file = format!("{}.lua", emulator.name().to_lowercase().replace(" 2", ""));
        let written = Written::write(&pipes, waiting.owns_folder(), &file, &emulator.script(&settings))?;
        let (name, script) = (emulator.name(), written.path().display());
        say(&format!("in {name}, open your game, then {} {script}", menu(emulator)));
        say(&format!(
            "maxout waits until {name} runs the script; there, the key H hands the game to you and back; Ctrl-C ends it"
        ));
        Ok(written)
    })
}

/// Where an emulator runs scripts.
fn menu(emulator: Emulator) -> &'static str {
    match emulator {
        Emulator::Fceux => "File > Load Lua Script, and start",
        Emulator::Mesen => "Debug > Script Window, allow I/O functions in its settings, and run",
        Emulator::BizHawk => "Tools > Lua Console, and open",
    }
}

/// maxout slows its own frames down, so an emulator that is to be quicker plays as fast as it can.
fn script_speed(choice: SpeedChoice) -> Option<Speed> {
    match choice {
        SpeedChoice::Auto => None,
        SpeedChoice::Fixed(Pace::Times(1)) => Some(Speed::Normal),
        SpeedChoice::Fixed(_) => Some(Speed::Maximum),
    }
}
