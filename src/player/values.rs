//! Values of the flags that describe a player.

use std::str::FromStr;
use std::time::Duration;

use clap::ValueEnum;

use maxout_engine::planner::Input;

pub(crate) fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    seconds
        .filter(|time| (1..=86_400_000).contains(&time.as_millis()))
        .ok_or_else(|| format!("expected 0.001 to 86400 seconds, found {text:?}"))
}

/// A player that is not built in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum PlayerChoice {
    /// A command line for the system's shell.
    External(String),
}

impl FromStr for PlayerChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<PlayerChoice, String> {
        match text.strip_prefix("exec:") {
            Some(command) if !command.trim().is_empty() => Ok(PlayerChoice::External(command.to_owned())),
            _ => Err(format!("expected exec:COMMAND, as in exec:\"python3 player.py\", found {text:?}")),
        }
    }
}

/// Ways to move on the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum InputArg {
    /// At most one button, on every second frame; made for levels 19 to 28
    EvenFrames,
    /// Shift and rotation in the same frame, pushdown by holding Down
    Gamepad,
    /// A shift, a rotation or both at each tap; --tap-rate says when
    Taps,
    /// CHEATS: no buttons; moves the piece one step per frame by writing RAM, without gravity
    Drag,
    /// CHEATS: no buttons; writes the piece to its placement in RAM, clears are not animated
    Teleport,
}

impl From<InputArg> for Input {
    fn from(input: InputArg) -> Input {
        match input {
            InputArg::EvenFrames => Input::EvenFrames,
            InputArg::Gamepad => Input::Gamepad,
            InputArg::Taps => Input::Taps,
            InputArg::Drag => Input::Drag,
            InputArg::Teleport => Input::Teleport,
        }
    }
}
