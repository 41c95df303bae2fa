//! Flags that name a console.

use std::path::PathBuf;

use clap::ArgAction;

use super::power::{self, ConsoleChoice, Powered};
use super::ram_map;
use crate::system::failure::Failure;
use maxout_engine::console::Video;
use maxout_engine::ram::Decoder;
use maxout_formats::FileFormat;

/// A console by flags.
#[derive(Debug, clap::Args)]
pub(crate) struct OnConsole {
    /// What runs the game: simulated (the rules model), cartridge, rom (yours, found in roms/), or a
    /// ROM file
    #[arg(long, value_name = "CONSOLE", default_value = "cartridge")]
    pub console: ConsoleChoice,
    /// Take a ROM that is not known
    #[arg(long, action = ArgAction::SetTrue)]
    pub force: bool,
}

/// A recording's format, and what plays it.
#[derive(Debug, clap::Args)]
pub(crate) struct Playback {
    /// ROM to play it on; without one, the console that --console names
    #[arg(conflicts_with = "console")]
    pub rom: Option<PathBuf>,
    /// What runs it
    #[command(flatten)]
    pub console: OnConsole,
    /// Format of a recording whose name does not tell
    #[arg(long, value_name = "FORMAT")]
    pub from: Option<FileFormat>,
    /// RAM map (TOML) of a ROM that keeps its values elsewhere
    #[arg(long, value_name = "FILE")]
    pub map: Option<PathBuf>,
}

impl Playback {
    /// The decoder for what plays it.
    pub(crate) fn decoder(&self) -> Result<Decoder, Failure> {
        ram_map::decoder(self.map.as_deref())
    }

    /// Switches on what plays it, with pictures or without.
    pub(crate) fn power_on(&self, video: Video) -> Result<Powered, Failure> {
        let rom = self.rom.clone().map(ConsoleChoice::Rom);
        power::switch_on(rom.as_ref().unwrap_or(&self.console.console), self.console.force, video)
    }
}

impl OnConsole {
    /// Switches it on.
    pub(crate) fn power_on(&self) -> Result<Powered, Failure> {
        power::switch_on(&self.console, self.force, Video::Off)
    }
}
