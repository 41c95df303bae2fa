//! From arguments to the parts of a run: everything is checked before the first frame.

use std::path::Path;

use anyhow::{Context, anyhow};

use super::args::{ConsoleChoice, OnConsole, Play};
use super::failure::Failure;
use crate::config::Config;
use crate::console::{Console, Emulator, Rom, Simulated};
use crate::eval::{self, Evaluator};
use crate::ram::{Decoder, RamMap};

/// The ROM of a path, or the built-in cartridge.
pub(super) fn load_rom(path: Option<&Path>) -> Result<Rom, Failure> {
    path.map_or_else(|| Ok(Rom::cartridge()), Rom::from_file).map_err(Failure::input)
}

/// Built-in settings, then the file's, then the flags'.
pub(super) fn config(args: &Play) -> Result<Config, Failure> {
    let mut config = match &args.config {
        Some(path) => Config::from_file(path).map_err(Failure::input)?,
        None => Config::default(),
    };
    override_with(&mut config.bot.start_level, args.start_level);
    override_with(&mut config.bot.seed, args.seed);
    override_with(&mut config.bot.until, args.until);
    override_with(&mut config.eval.evaluator, args.evaluator.clone());
    if args.weights.is_some() {
        config.eval.weights.clone_from(&args.weights);
    }
    override_with(&mut config.planner.input, args.input.map(Into::into));
    override_with(&mut config.planner.tap_rate, args.tap_rate);
    override_with(&mut config.planner.reaction_frames, args.reaction_frames);
    override_with(&mut config.view.speed, args.speed);
    override_with(&mut config.view.view, args.view);
    Ok(config)
}

fn override_with<T>(setting: &mut T, flag: Option<T>) {
    if let Some(value) = flag {
        *setting = value;
    }
}

/// The evaluator that the settings name.
pub(super) fn evaluator(settings: &eval::Settings) -> Result<Box<dyn Evaluator>, Failure> {
    let Some(path) = &settings.weights else {
        return eval::by_name(&settings.evaluator, None).map_err(Failure::input);
    };
    let read = std::fs::read_to_string(path).context(format!("cannot read the weights {}", path.display()));
    let text = read.map_err(Failure::input)?;
    eval::by_name(&settings.evaluator, Some(&text))
        .map_err(|error| Failure::input(anyhow!("weights {}: {error}", path.display())))
}

/// The addresses of the built-in map, or of a file's.
pub(super) fn decoder(path: Option<&Path>) -> Result<Decoder, Failure> {
    let Some(path) = path else {
        return Decoder::new(&RamMap::tetris_ntsc()).map_err(Failure::input);
    };
    let read = std::fs::read_to_string(path).context(format!("cannot read the RAM map {}", path.display()));
    let map = RamMap::from_toml(&read.map_err(Failure::input)?);
    map.and_then(|map| Decoder::new(&map)).map_err(|error| Failure::input(anyhow!("{}: {error}", path.display())))
}

/// A console that is switched on, and the ROM in it, if there is one.
pub(super) struct Powered {
    pub console: Box<dyn Console>,
    pub rom: Option<Rom>,
}

impl Powered {
    /// The ROM's name, or the console's.
    pub(super) fn name(&self) -> &str {
        self.rom.as_ref().map_or(self.console.name(), Rom::name)
    }

    /// SHA-1 of the ROM's PRG and CHR.
    pub(super) fn rom_sha1(&self) -> Option<&str> {
        self.rom.as_ref().map(|rom| rom.sha1.as_str())
    }
}

/// Switches a console on; unknown ROMs are refused unless forced.
pub(super) fn console(choice: &ConsoleChoice, force: bool) -> Result<Powered, Failure> {
    let rom = match choice {
        ConsoleChoice::Simulated => {
            return Ok(Powered { console: Box::new(Simulated::power_on()), rom: None });
        }
        ConsoleChoice::Cartridge => Rom::cartridge(),
        ConsoleChoice::Rom(path) => load_rom(Some(path))?,
    };
    let rom = if force { rom } else { rom.require_known().map_err(Failure::input)? };
    let console = Box::new(Emulator::new(&rom).map_err(Failure::input)?);
    Ok(Powered { console, rom: Some(rom) })
}

impl OnConsole {
    /// Switches it on.
    pub(super) fn power_on(&self) -> Result<Powered, Failure> {
        console(&self.console, self.force)
    }

    /// The same with this ROM in it, if there is one.
    pub(super) fn power_on_with(&self, rom: Option<&Path>) -> Result<Powered, Failure> {
        match rom {
            Some(path) => console(&ConsoleChoice::Rom(path.to_owned()), self.force),
            None => self.power_on(),
        }
    }
}
