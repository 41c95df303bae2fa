//! `maxout rom`: what a file is.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::ArgAction;
use serde::Serialize;

use crate::console::power;
use crate::system::failure::{FAILED, Failure};
use crate::system::output::{print, print_json};
use maxout_console::Rom;

/// `maxout rom`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  maxout rom                      identify the built-in cartridge
  maxout rom tetris.nes --json

Exit codes: 0 known ROM, 1 unknown ROM, 2 not a playable ROM.")]
pub(crate) struct RomArgs {
    /// ROM file [default: the built-in cartridge]
    pub rom: Option<PathBuf>,
    /// Print the result as one JSON object
    #[arg(long, action = ArgAction::SetTrue)]
    pub json: bool,
}

/// The facts about a ROM, as they are printed.
#[derive(Debug, Serialize)]
struct Description<'a> {
    name: &'a str,
    identity: &'static str,
    known: bool,
    mapper: u16,
    prg_bytes: usize,
    chr_bytes: usize,
    crc32: String,
    md5: &'a str,
    sha1: &'a str,
}

pub(crate) fn run(args: &RomArgs) -> Result<ExitCode, Failure> {
    let rom = power::load_rom(args.rom.as_deref())?;
    let description = describe(&rom);
    if args.json {
        print_json(&description)?;
    } else {
        print(&text(&description))?;
    }
    Ok(if description.known { ExitCode::SUCCESS } else { ExitCode::from(FAILED) })
}

fn describe(rom: &Rom) -> Description<'_> {
    Description {
        name: rom.name(),
        identity: rom.identity.description(),
        known: rom.identity.is_known(),
        mapper: rom.mapper,
        prg_bytes: rom.prg_size,
        chr_bytes: rom.chr_size,
        crc32: format!("{:08x}", rom.crc32),
        md5: &rom.md5,
        sha1: &rom.sha1,
    }
}

fn text(rom: &Description<'_>) -> String {
    format!(
        "file    {}\nis      {}{}\nmapper  {}\nsizes   PRG {} bytes, CHR {} bytes\n\
         CRC-32  {}  (hashes are of PRG and CHR, without the header)\nMD5     {}\nSHA-1   {}\n",
        rom.name,
        rom.identity,
        if rom.known { "" } else { ": not a ROM that maxout knows; play --force tries it" },
        rom.mapper,
        rom.prg_bytes,
        rom.chr_bytes,
        rom.crc32,
        rom.md5,
        rom.sha1
    )
}
