//! `maxout discover`: finds the RAM map of a ROM by experiments.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use clap::ArgAction;

use super::validate::EXPERIMENT_FRAMES;
use crate::console::power;
use crate::files::outputs::{Outputs, Overwrite};
use crate::system::failure::{FAILED, Failure};
use crate::system::output::{print, print_json};
use crate::system::progress::{Progress, Unit};
use maxout_console::Emulator;
use maxout_engine::ram::Decoder;
use maxout_formats::{Kind, whole};
use maxout_lab::survey::{Discovery, EntryCandidates, discover};
use maxout_screen::numbers::thousands;

/// `maxout discover`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  maxout discover                              search the built-in cartridge
  maxout discover hack.nes -o hack.toml
  maxout play hack.nes --force --map hack.toml

It works on any ROM with the rules and the timing of the game, whatever its RAM addresses.
Of bytes that no experiment tells apart, the one is taken that lies between the entries beside it
as in the built-in map. If there is none, the entry is left out: play does not need every entry.

Exit codes: 0 every entry was found, 1 an entry was not found, 2 the ROM cannot be read.")]
pub(crate) struct Discover {
    /// ROM file [default: the built-in cartridge]
    pub rom: Option<PathBuf>,
    /// Write the entries that were found as a RAM map (TOML), and the others as comments
    #[arg(short, long, alias = "write", value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// What may be replaced.
    #[command(flatten)]
    pub overwrite: Overwrite,
    /// Print the result as one JSON object
    #[arg(long, action = ArgAction::SetTrue)]
    pub json: bool,
}

pub(crate) fn run(args: &Discover) -> Result<ExitCode, Failure> {
    let _claims = Outputs::new(args.overwrite)
        .reads("the ROM", &args.rom)
        .whole("--output", &args.output, |_| Kind::RamMap)
        .claim()?;
    let rom = power::load_rom(args.rom.as_deref())?;
    let mut console = Emulator::new(&rom).map_err(Failure::input)?;
    let mut progress = Progress::new("", Unit::Frames, Some(EXPERIMENT_FRAMES));
    let discovery = discover(rom.prg(), &mut console, |frames| progress.at(frames)).map_err(Failure::run)?;
    let written = args.output.as_ref().map_or(Ok(()), |path| {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let cannot_write = || format!("cannot write the RAM map {}", path.display());
        whole::replace(path, discovery.toml(&name).as_bytes()).with_context(cannot_write)
    });
    if args.json {
        print_json(&discovery)?;
    } else {
        print(&text(&discovery))?;
    }
    // The error comes last, so that the result is printed first.
    written.map_err(Failure::run)?;
    Ok(if discovery.is_complete() { ExitCode::SUCCESS } else { ExitCode::from(FAILED) })
}

fn text(discovery: &Discovery) -> String {
    let mut text = format!("{:18} {:8} {:>5}  {:24} last experiment\n", "name", "address", "bytes", "addresses left");
    for finding in &discovery.findings {
        text += &line(finding);
    }
    let found = discovery.findings.iter().filter(|finding| finding.address.is_some()).count();
    text +=
        &format!("{found} of {} entries found in {} frames\n", discovery.findings.len(), thousands(discovery.frames));
    if !discovery.is_complete() {
        text += &match Decoder::new(&discovery.map("found")) {
            Ok(_) => "play does not need the entries that were not found\n".to_owned(),
            Err(error) => format!("play refuses this map: {error}\n"),
        };
    }
    text
}

fn line(finding: &EntryCandidates) -> String {
    let address = match (finding.address, &finding.candidates[..]) {
        (Some(address), _) => format!("${address:04X}"),
        (None, []) => "none".to_owned(),
        (None, several) => format!("{} left", several.len()),
    };
    let trail: Vec<_> = finding.trail.iter().map(|step| step.left.to_string()).collect();
    let last = finding.trail.last().map_or("", |step| step.experiment);
    format!("{:18} {address:8} {:>5}  {:24} {last}\n", finding.name, finding.size, trail.join(" "))
}
