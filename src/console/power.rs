//! What runs a game, and how it is switched on.

use std::convert::Infallible;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use anyhow::anyhow;

use super::crashes::CrashesChoice;
use crate::system::failure::Failure;
use crate::system::paths::is_special;
use maxout_console::{Emulator, Rom};
use maxout_engine::console::{Console, Simulated, Video};
use maxout_engine::game::crash::Crashes;
use maxout_formats::FileFormat;

/// The folder in which the user's ROM is found by its hash.
pub(crate) const ROMS: &str = "roms";

/// The ROM of a path, or the built-in cartridge.
pub(crate) fn load_rom(path: Option<&Path>) -> Result<Rom, Failure> {
    if let Some(path) = path.filter(|path| path.is_file() && FileFormat::of_path(path).is_some()) {
        let path = path.display();
        let error = "expected a ROM, found a log or movie by its name";
        return Err(Failure::input(anyhow!("{path}: {error}; to play it: maxout replay {path}")));
    }
    path.map_or_else(|| Ok(Rom::cartridge()), Rom::from_file).map_err(Failure::input)
}

/// What runs a game.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) enum ConsoleChoice {
    /// The rules model.
    Simulated,
    /// The emulator with the built-in cartridge.
    #[default]
    Cartridge,
    /// The emulator with the known ROM in the folder of ROMs.
    OwnRom,
    /// The emulator with this ROM.
    Rom(PathBuf),
}

impl FromStr for ConsoleChoice {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<ConsoleChoice, Infallible> {
        Ok(match text {
            "simulated" => ConsoleChoice::Simulated,
            "cartridge" => ConsoleChoice::Cartridge,
            "rom" => ConsoleChoice::OwnRom,
            path => ConsoleChoice::Rom(path.into()),
        })
    }
}

/// The ROM of a path, or the built-in cartridge, known or forced.
pub(crate) fn trusted_rom(path: Option<&Path>, force: bool) -> Result<Rom, Failure> {
    let rom = load_rom(path)?;
    if force { Ok(rom) } else { rom.require_known().map_err(Failure::input) }
}

/// Reads the ROM of a console that may not be needed, so that a wrong name does not pass in silence.
pub(crate) fn check(choice: &ConsoleChoice) -> Result<(), Failure> {
    match choice {
        // What comes through a pipe can be read once.
        ConsoleChoice::Rom(path) if !is_special(path) => load_rom(Some(path)).map(drop),
        ConsoleChoice::Rom(_) | ConsoleChoice::Simulated | ConsoleChoice::Cartridge | ConsoleChoice::OwnRom => Ok(()),
    }
}

/// A console that is switched on, and the ROM in it, if there is one.
pub(crate) struct Powered {
    pub console: Box<dyn Console>,
    pub rom: Option<Rom>,
    /// What the host calls itself that runs the console; `None` on a console of our own.
    pub host: Option<String>,
    /// Can the game crash?
    pub crashes: Crashes,
}

/// Can the program in a ROM crash as the original does? The built-in cartridge cannot; of a ROM that is not known,
/// or not given, it is taken to.
pub(crate) fn crashes_of(rom: Option<&Rom>) -> Crashes {
    rom.map_or(Crashes::On, |rom| rom.identity.played_with())
}

impl Powered {
    /// The ROM's name, or the host's, or the console's.
    pub(crate) fn name(&self) -> &str {
        let console = || self.host.as_deref().unwrap_or(self.console.name());
        self.rom.as_ref().map_or_else(console, Rom::name)
    }

    /// SHA-1 of the ROM's PRG and CHR.
    pub(crate) fn rom_sha1(&self) -> Option<&str> {
        self.rom.as_ref().map(|rom| rom.sha1.as_str())
    }
}

/// Switches a console on; unknown ROMs are refused unless forced. `crashes` is for the simulated console.
pub(crate) fn switch_on(
    choice: &ConsoleChoice,
    force: bool,
    crashes: CrashesChoice,
    video: Video,
) -> Result<Powered, Failure> {
    if crashes != CrashesChoice::Auto && *choice != ConsoleChoice::Simulated {
        return Err(Failure::input(anyhow!(
            "--crashes is for --console simulated, found another console: leave it out, the ROM decides"
        )));
    }
    let rom = match choice {
        ConsoleChoice::Simulated => {
            let mut console = Simulated::power_on();
            let crashes = crashes.simulated();
            console.set_crashes(crashes);
            return Ok(Powered { console: Box::new(console), rom: None, host: None, crashes });
        }
        ConsoleChoice::Cartridge => Rom::cartridge(),
        ConsoleChoice::OwnRom => Rom::find_in(Path::new(ROMS)).map_err(Failure::input)?,
        ConsoleChoice::Rom(path) => load_rom(Some(path))?,
    };
    let rom = if force { rom } else { rom.require_known().map_err(Failure::input)? };
    let console = Box::new(Emulator::with_video(&rom, video).map_err(Failure::input)?);
    let crashes = crashes_of(Some(&rom));
    Ok(Powered { console, rom: Some(rom), host: None, crashes })
}
