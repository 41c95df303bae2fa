//! From arguments to the parts of a run: everything is checked before the first frame.

use std::borrow::Cow;
use std::path::Path;

use anyhow::{Context, anyhow};

use super::args::{ConsoleChoice, OnConsole, Play, Playback};
use super::failure::Failure;
use crate::config::{Config, JudgeSettings};
use maxout_console::{Emulator, Rom};
use maxout_engine::bot::Goal;
use maxout_engine::console::{Console, Simulated, Video};
use maxout_engine::judge::handmade::{self as eval, Evaluator, LEARNED};
use maxout_engine::judge::learned::{QuickNet, weights};
use maxout_engine::ram::{Decoder, RamMap};

/// The folder in which the user's ROM is found by its hash.
pub(super) const ROMS: &str = "roms";

/// The ROM of a path, or the built-in cartridge.
pub(super) fn load_rom(path: Option<&Path>) -> Result<Rom, Failure> {
    path.map_or_else(|| Ok(Rom::cartridge()), Rom::from_file).map_err(Failure::input)
}

/// Built-in settings, then the file's, then the flags'.
pub(super) fn config(args: &Play) -> Result<Config, Failure> {
    let mut config = file_config(args.config.as_deref())?;
    override_with(&mut config.bot.start_level, args.start_level);
    override_with(&mut config.bot.seed, args.seed);
    override_with(&mut config.bot.until, args.until);
    args.player.apply(&mut config)?;
    if args.target_score.is_some() {
        config.planner.target_score = args.target_score;
    }
    match config.planner.target_score {
        // A goal of the command line goes before a target of the file.
        Some(_) if args.until.is_some() => config.planner.target_score = None,
        Some(score) => config.bot.until = Goal::Score(score),
        None => {}
    }
    override_with(&mut config.view.speed, args.speed);
    override_with(&mut config.view.view, args.view);
    override_with(&mut config.view.graphics, args.graphics);
    Ok(config)
}

/// Built-in settings, then the file's.
pub(super) fn file_config(path: Option<&Path>) -> Result<Config, Failure> {
    path.map_or_else(|| Ok(Config::default()), Config::from_file).map_err(Failure::input)
}

pub(super) fn override_with<T>(setting: &mut T, flag: Option<T>) {
    if let Some(value) = flag {
        *setting = value;
    }
}

/// The text of the weights file, if the settings name one.
pub(super) fn weights(settings: &JudgeSettings) -> Result<Option<String>, Failure> {
    let Some(path) = &settings.weights else { return Ok(None) };
    let bytes = read_weights(path)?;
    let text = String::from_utf8(bytes).map_err(|_| {
        let evaluator = &settings.evaluator;
        anyhow!("weights {}: expected a text file of weights of `{evaluator}`, found other bytes", path.display())
    });
    text.map(Some).map_err(Failure::input)
}

/// The evaluator that a weights file is for, if it says so; what else is wrong with the file is
/// found out when it is read.
pub(super) fn evaluator_in(path: &Path) -> Option<String> {
    let bytes = std::fs::read(path).ok()?;
    if weights::are(&bytes) {
        return Some(LEARNED.to_owned());
    }
    let table: toml::Table = std::str::from_utf8(&bytes).ok()?.parse().ok()?;
    Some(table.get("evaluator")?.as_str()?.to_owned())
}

fn read_weights(path: &Path) -> Result<Vec<u8>, Failure> {
    std::fs::read(path).context(format!("cannot read the weights {}", path.display())).map_err(Failure::input)
}

/// The net of the weights file, or the one that is built in, and the bytes that it comes from.
pub(super) fn learned(settings: &JudgeSettings) -> Result<(QuickNet, Cow<'static, [u8]>), Failure> {
    let (bytes, name) = match &settings.weights {
        Some(path) => (Cow::Owned(read_weights(path)?), format!("weights {}", path.display())),
        None => (Cow::Borrowed(weights::EMBEDDED), "the weights that are built in".to_owned()),
    };
    let read = weights::read(&bytes).map_err(|error| Failure::input(anyhow!("{name}: {error}")))?;
    Ok((read.net, bytes))
}

/// The evaluator that the settings name, with the text of its weights file.
pub(super) fn evaluator_of(settings: &JudgeSettings, weights: Option<&str>) -> Result<Box<dyn Evaluator>, Failure> {
    eval::by_name(&settings.evaluator, weights).map_err(|error| match &settings.weights {
        Some(path) => Failure::input(anyhow!("weights {}: {error}", path.display())),
        None => Failure::input(error),
    })
}

/// The built-in map, or a file's.
pub(super) fn map(path: Option<&Path>) -> Result<RamMap, Failure> {
    let Some(path) = path else { return Ok(RamMap::tetris_ntsc()) };
    let read = std::fs::read_to_string(path).context(format!("cannot read the RAM map {}", path.display()));
    RamMap::from_toml(&read.map_err(Failure::input)?)
        .map_err(|error| Failure::input(anyhow!("{}: {error}", path.display())))
}

/// The addresses of the built-in map, or of a file's.
pub(super) fn decoder(path: Option<&Path>) -> Result<Decoder, Failure> {
    let name = path.map_or("the built-in map".to_owned(), |path| path.display().to_string());
    Decoder::new(&map(path)?).map_err(|error| Failure::input(anyhow!("{name}: {error}")))
}

/// The ROM of a path, or the built-in cartridge, known or forced.
pub(super) fn trusted_rom(path: Option<&Path>, force: bool) -> Result<Rom, Failure> {
    let rom = load_rom(path)?;
    if force { Ok(rom) } else { rom.require_known().map_err(Failure::input) }
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
pub(super) fn console(choice: &ConsoleChoice, force: bool, video: Video) -> Result<Powered, Failure> {
    let rom = match choice {
        ConsoleChoice::Simulated => {
            return Ok(Powered { console: Box::new(Simulated::power_on()), rom: None });
        }
        ConsoleChoice::Cartridge => Rom::cartridge(),
        ConsoleChoice::OwnRom => Rom::find_in(Path::new(ROMS)).map_err(Failure::input)?,
        ConsoleChoice::Rom(path) => load_rom(Some(path))?,
    };
    let rom = if force { rom } else { rom.require_known().map_err(Failure::input)? };
    let console = Box::new(Emulator::with_video(&rom, video).map_err(Failure::input)?);
    Ok(Powered { console, rom: Some(rom) })
}

impl Playback {
    /// The decoder for what plays it.
    pub(super) fn decoder(&self) -> Result<Decoder, Failure> {
        decoder(self.map.as_deref())
    }

    /// Switches on what plays it, with pictures or without.
    pub(super) fn power_on(&self, video: Video) -> Result<Powered, Failure> {
        let rom = self.rom.clone().map(ConsoleChoice::Rom);
        console(rom.as_ref().unwrap_or(&self.console.console), self.console.force, video)
    }
}

impl OnConsole {
    /// Switches it on.
    pub(super) fn power_on(&self) -> Result<Powered, Failure> {
        console(&self.console, self.force, Video::Off)
    }
}
