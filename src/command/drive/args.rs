//! The flags of `maxout drive`.

use std::ffi::OsString;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::anyhow;
use clap::{ArgAction, Subcommand};

use crate::command::play::args::GameArgs;
use crate::player::values::seconds;
use crate::system::address::address;
use crate::system::failure::Failure;
use maxout_host::Endpoint;

/// The port of `--tcp` without an address. Chosen by hand: no registered service has it.
const DEFAULT_PORT: &str = "127.0.0.1:19999";
/// The time limit of `--host-timeout`, in seconds: long enough for a person who pauses the emulator to have
/// a coffee. Chosen by hand, not measured.
const DEFAULT_TIMEOUT: &str = "600";

/// `maxout drive`.
#[derive(Debug, clap::Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "Examples:
  maxout drive                                  wait for a host at two named pipes
  maxout drive --tcp --log game.csv --seed 3    wait at TCP 127.0.0.1:19999, write a log
  maxout drive --stdio --json                   for a host that starts maxout itself
  maxout drive fceux tetris.nes                 start FCEUX with this ROM and play in it

A host is an emulator, or any program that runs the game. It sends RAM once a frame and presses
the buttons that maxout answers. How to set one up, and how to write one: docs/hosts.md.

Exit codes: 0 done, 1 goal missed, host gone or run failed, 2 bad usage or input."
)]
pub(crate) struct Drive {
    /// An emulator for which maxout has a script.
    #[command(subcommand)]
    pub emulator: Option<EmulatorCommand>,
    /// Where the host is.
    #[command(flatten)]
    pub link: LinkArgs,
    /// How long it may take.
    #[command(flatten)]
    pub host: HostArgs,
    /// Which game, by whom, and what is made of it.
    #[command(flatten)]
    pub game: GameArgs,
}

/// The emulators for which maxout has a script.
#[derive(Debug, Subcommand)]
pub(crate) enum EmulatorCommand {
    /// Play in FCEUX: start it, or wait for one that is open
    Fceux(FceuxArgs),
    /// Wait for Mesen 2, which runs a script (not tried yet)
    #[command(after_help = "Examples:
  maxout drive mesen
  maxout drive mesen --seed 3 --log game.csv")]
    Mesen(AttachArgs),
    /// Wait for BizHawk, which runs a script (not tried yet)
    #[command(after_help = "Examples:
  maxout drive bizhawk
  maxout drive bizhawk --seed 3 --log game.csv")]
    Bizhawk(AttachArgs),
}

/// `maxout drive fceux`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  maxout drive fceux
  maxout drive fceux tetris.nes --start-level 18 --log game.csv
  maxout drive fceux --attach
  maxout drive fceux --speed max --view none -- --sound 0

In FCEUX, the key H hands the game to you and back to maxout. FCEUX ends with maxout, unless it was
open before (--attach). --speed max lets FCEUX play as fast as it can.

Exit codes: 0 done, 1 goal missed, FCEUX gone or run failed, 2 bad usage or input.")]
pub(crate) struct FceuxArgs {
    /// ROM to play: a .nes file, or a .zip, .gz or .7z that contains one [default: the built-in cartridge]
    #[arg(conflicts_with = "attach")]
    pub rom: Option<PathBuf>,
    /// Accept an unknown ROM
    #[arg(long, action = ArgAction::SetTrue)]
    pub force: bool,
    /// Wait for an FCEUX that is open, and say what to do there
    #[arg(long, help_heading = "Host", action = ArgAction::SetTrue)]
    pub attach: bool,
    /// With --attach: folder for the named pipes and the script [default: maxout in $XDG_RUNTIME_DIR, else
    /// maxout-UID in the folder for temporary files]
    #[arg(long, help_heading = "Host", value_name = "DIR", requires = "attach")]
    pub pipes: Option<PathBuf>,
    /// How long it may take.
    #[command(flatten)]
    pub host: HostArgs,
    /// Which game, by whom, and what is made of it.
    #[command(flatten)]
    pub game: GameArgs,
    /// More arguments for FCEUX, after --
    #[arg(last = true, value_name = "ARGS", conflicts_with = "attach")]
    pub fceux: Vec<OsString>,
}

/// `maxout drive mesen`, `maxout drive bizhawk`.
#[derive(Debug, clap::Args)]
pub(crate) struct AttachArgs {
    /// Folder for the named pipes and the script [default: maxout in $XDG_RUNTIME_DIR, else maxout-UID in the
    /// folder for temporary files]
    #[arg(long, help_heading = "Host", value_name = "DIR")]
    pub pipes: Option<PathBuf>,
    /// How long it may take.
    #[command(flatten)]
    pub host: HostArgs,
    /// Which game, by whom, and what is made of it.
    #[command(flatten)]
    pub game: GameArgs,
}

/// Where a host meets maxout.
#[derive(Debug, clap::Args)]
#[group(multiple = false)]
#[command(next_help_heading = "Host")]
pub(crate) struct LinkArgs {
    /// Wait at the named pipes DIR/to-host and DIR/from-host. maxout makes them, and DIR if needed, and
    /// removes them [default: DIR is maxout in $XDG_RUNTIME_DIR, else maxout-UID in the folder for
    /// temporary files]
    #[arg(long, value_name = "DIR")]
    pub pipes: Option<PathBuf>,
    /// Wait at a Unix socket. maxout makes it and removes it
    #[arg(long, value_name = "PATH")]
    pub socket: Option<PathBuf>,
    /// Wait at a TCP port of this machine: a loopback address with a port, or a port; 0 lets the system
    /// choose one [default: 127.0.0.1:19999]
    #[arg(long, value_name = "ADDR", num_args = 0..=1, default_missing_value = DEFAULT_PORT, value_parser = loopback)]
    pub tcp: Option<SocketAddr>,
    /// Use standard input and output: the host has started maxout. The summary goes to standard error
    #[arg(long, action = ArgAction::SetTrue)]
    pub stdio: bool,
}

/// What every host is asked for.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Host")]
pub(crate) struct HostArgs {
    /// Time limit for each frame of the host, in seconds, 0.001 to 86400: a paused emulator sends none
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = DEFAULT_TIMEOUT)]
    pub host_timeout: Duration,
}

impl LinkArgs {
    /// The endpoint that they name, or the default one.
    pub(crate) fn endpoint(&self) -> Result<Endpoint, Failure> {
        match (&self.pipes, &self.socket, self.tcp, self.stdio) {
            (Some(folder), ..) => Ok(Endpoint::Pipes(folder.clone())),
            (_, Some(path), ..) => Ok(Endpoint::Socket(path.clone())),
            (_, _, Some(address), _) => Ok(Endpoint::Tcp(address)),
            (_, _, _, true) => Ok(Endpoint::Stdio),
            _ => Endpoint::default_pipes().ok_or_else(|| {
                Failure::input(anyhow!("named pipes are not supported on this system: give --tcp or --stdio"))
            }),
        }
    }
}

/// An address of this machine.
fn loopback(text: &str) -> Result<SocketAddr, String> {
    let expected = "expected a loopback address with a port, such as 127.0.0.1:19999, or a port";
    match address(text) {
        Some(address) if address.ip().is_loopback() => Ok(address),
        Some(_) => Err(format!("{expected} (no other machine may connect), found {text:?}")),
        None => Err(format!("{expected}, found {text:?}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_of_this_machine() {
        for (text, expected) in [("7000", "127.0.0.1:7000"), ("127.0.0.2:1", "127.0.0.2:1"), ("[::1]:80", "[::1]:80")] {
            assert_eq!(loopback(text), Ok(expected.parse().expect("an address")), "{text}");
        }
        for text in ["0.0.0.0:7000", "192.168.0.1:7000", "[::]:9", "example.org:80"] {
            assert!(loopback(text).is_err(), "{text}");
        }
    }
}
