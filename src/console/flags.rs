//! Flags that name a console.

use std::path::PathBuf;

use clap::ArgAction;

use super::crashes::CrashesChoice;
use super::power::{self, ConsoleChoice, Powered};
use super::ram_map;
use crate::system::failure::Failure;
use crate::system::paths::is_special;
use maxout_engine::console::Video;
use maxout_engine::ram::Decoder;
use maxout_formats::FileFormat;

/// A console by flags.
#[derive(Debug, clap::Args)]
pub(crate) struct OnConsole {
    /// What runs the game: cartridge (built in), simulated (the rules model, no emulator), rom (your ROM
    /// in the folder roms/), or the path of a ROM
    #[arg(long, value_name = "CONSOLE", default_value = "cartridge")]
    pub console: ConsoleChoice,
    /// Accept an unknown ROM
    #[arg(long, action = ArgAction::SetTrue)]
    pub force: bool,
    /// Slow frames (from level 133 on), crashes and hangs (from level 155 on) of the simulated console: on,
    /// off or auto (on)
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub crashes: CrashesChoice,
}

/// The format of a log or movie, and what plays it.
#[derive(Debug, clap::Args)]
pub(crate) struct Playback {
    /// ROM to play it on [default: what --console names]
    #[arg(conflicts_with = "console")]
    pub rom: Option<PathBuf>,
    /// What runs it.
    #[command(flatten)]
    pub console: OnConsole,
    /// Format of the input, if its name does not show it or shows another: csv, jsonl, fm2, bk2 or r08
    #[arg(long, value_name = "FORMAT")]
    pub from: Option<FileFormat>,
    /// RAM map (TOML), for a ROM that keeps its values at other addresses
    #[arg(long, value_name = "FILE")]
    pub map: Option<PathBuf>,
}

impl Playback {
    /// The decoder for the RAM of the console.
    pub(crate) fn decoder(&self) -> Result<Decoder, Failure> {
        ram_map::decoder(self.map.as_deref())
    }

    /// What runs it, by either flag.
    pub(crate) fn choice(&self) -> ConsoleChoice {
        self.rom.clone().map_or_else(|| self.console.console.clone(), ConsoleChoice::Rom)
    }

    /// Reads the ROM and the map, which may not be needed: see [`power::check`].
    pub(crate) fn check(&self) -> Result<(), Failure> {
        power::check(&self.choice())?;
        let map = self.map.as_deref().filter(|path| !is_special(path));
        ram_map::map(map).map(drop)
    }

    /// Switches the console on, with pictures or without.
    pub(crate) fn power_on(&self, video: Video) -> Result<Powered, Failure> {
        power::switch_on(&self.choice(), self.console.force, self.console.crashes, video)
    }
}

impl OnConsole {
    /// Switches the console on, without pictures.
    pub(crate) fn power_on(&self) -> Result<Powered, Failure> {
        power::switch_on(&self.console, self.force, self.crashes, Video::Off)
    }
}
