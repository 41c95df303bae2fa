//! `maxout rom`: what a file is, and writing the ROM in it as a plain .nes file.

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, anyhow};
use clap::ArgAction;
use serde::Serialize;

use crate::console::power;
use crate::files::outputs::{Outputs, Overwrite};
use crate::system::failure::{FAILED, Failure};
use crate::system::output::{json_line, print_beside};
use crate::system::stdout::{is_stdout, stdout};
use maxout_console::Rom;
use maxout_engine::text;
use maxout_formats::{Kind, whole};

/// `maxout rom`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  maxout rom                      identify the built-in cartridge
  maxout rom tetris.nes --json
  maxout rom --write maxout.nes   write the built-in cartridge, for another emulator
  maxout rom tetris.zip --write tetris.nes

A known ROM is known by its program and graphics (PRG and CHR). Its header may be wrong or
missing, and it may be in a .zip, .gz or .7z.

Exit codes: 0 known ROM, 1 unknown ROM or failed to write FILE, 2 not a playable ROM, or FILE is
there.")]
pub(crate) struct RomArgs {
    /// ROM file [default: the built-in cartridge]
    pub rom: Option<PathBuf>,
    /// Write the ROM as a plain .nes file with a right header; no file is overwritten; `-` is
    /// standard output
    #[arg(short, long, visible_alias = "write", value_name = "FILE")]
    pub output: Option<PathBuf>,
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
    /// Can it crash past level 154? None where that is not known.
    crashes: Option<bool>,
    #[serde(skip)]
    crash_words: &'static str,
    #[serde(skip_serializing_if = "str::is_empty")]
    advice: &'static str,
    mapper: u16,
    prg_bytes: usize,
    chr_bytes: usize,
    crc32: String,
    md5: &'a str,
    sha1: &'a str,
    oddities: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    written: Option<String>,
}

pub(crate) fn run(args: &RomArgs) -> Result<ExitCode, Failure> {
    let to_stdout = args.output.as_deref().is_some_and(is_stdout);
    if to_stdout && io::stdout().is_terminal() {
        return Err(Failure::input(anyhow!("a ROM is nothing to read in a terminal: give it a file with -o FILE.nes")));
    }
    let file = args.output.as_ref().filter(|_| !to_stdout);
    // No existing file is replaced, whatever it is.
    let _claims = Outputs::new(Overwrite { overwrite: false })
        .reads("the ROM", &args.rom)
        .whole("the new ROM", file, |_| Kind::Rom)
        .claim()?;
    let rom = power::load_rom(args.rom.as_deref())?;
    let mut written = None;
    if to_stdout {
        let mut stdout = stdout();
        let sent = stdout.write_all(rom.bytes()).and_then(|()| stdout.flush());
        sent.context("cannot write the ROM to standard output").map_err(Failure::run)?;
    } else if let Some(path) = file {
        whole::replace(path, rom.bytes())
            .with_context(|| format!("cannot write the ROM {}", path.display()))
            .map_err(Failure::run)?;
        written = Some(path.display().to_string());
    }
    let description = describe(&rom, written);
    print_beside(to_stdout, &if args.json { json_line(&description) } else { text(&description) })?;
    Ok(if description.known { ExitCode::SUCCESS } else { ExitCode::from(FAILED) })
}

fn describe(rom: &Rom, written: Option<String>) -> Description<'_> {
    Description {
        name: rom.name(),
        identity: rom.identity.description(),
        known: rom.identity.is_known(),
        crashes: rom.identity.crashes(),
        crash_words: rom.identity.crashes_in_words(),
        advice: rom.identity.advice(),
        mapper: rom.mapper,
        prg_bytes: rom.prg_size,
        chr_bytes: rom.chr_size,
        crc32: format!("{:08x}", rom.crc32),
        md5: &rom.md5,
        sha1: &rom.sha1,
        oddities: &rom.oddities,
        written,
    }
}

fn text(rom: &Description<'_>) -> String {
    let mut text = format!("file    {}\nis      {}\n", rom.name, rom.identity);
    if !rom.advice.is_empty() {
        text += &format!("        {}\n", rom.advice);
    }
    text += &format!("crashes {}\n", rom.crash_words);
    if !rom.oddities.is_empty() {
        text += &format!("dump    not a plain one: {}\n", rom.oddities.join(", "));
    }
    text += &format!(
        "mapper  {}\nsizes   PRG {} bytes, CHR {} bytes\n\
         CRC-32  {}  (hashes are of PRG and CHR, without the header)\nMD5     {}\nSHA-1   {}\n",
        rom.mapper, rom.prg_bytes, rom.chr_bytes, rom.crc32, rom.md5, rom.sha1
    );
    if let Some(path) = &rom.written {
        text += &format!("written {}\n", text::visible(path));
    }
    text
}
