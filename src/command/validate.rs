//! `maxout validate`: checks a RAM map against a ROM.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::ArgAction;
use serde::Serialize;

use crate::console::{power, ram_map};
use crate::system::failure::{FAILED, Failure};
use crate::system::output::{print, print_json};
use crate::system::progress::{Progress, Unit};
use maxout_console::Emulator;
use maxout_engine::ram::Decoder;
use maxout_lab::survey::{self, CheckResult, Program, Validation, validate};
use maxout_screen::numbers::thousands;

/// Frames that are played for the experiments, trials included, measured on the built-in cartridge.
/// The presses are chosen by the rules model, so another ROM takes about as many.
pub(super) const EXPERIMENT_FRAMES: u64 = 6_873;

/// `maxout validate`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  maxout validate                          check the built-in map on the built-in cartridge
  maxout validate tetris.nes --json
  maxout validate hack.nes --force --map hack.toml

There are three layers of checks: static (the rule tables in the ROM), behavioural
(experiments on the running game) and agreement (the rules model compared with a long game
of the bot).

A check that could not be made is unknown, and does not count as failed: with few --frames the
agreement has many.

Exit codes: 0 no check failed, 1 a check failed or play refuses the map, 2 the ROM or the map
cannot be read.")]
pub(crate) struct Validate {
    /// ROM file [default: the built-in cartridge]
    pub rom: Option<PathBuf>,
    /// RAM map to check (TOML) [default: the built-in map]
    #[arg(long, value_name = "FILE")]
    pub map: Option<PathBuf>,
    /// Frames of bot play to compare with the rules model
    #[arg(long, value_name = "N", default_value_t = survey::Settings::default().frames)]
    pub frames: u64,
    /// Seed of the game that the bot plays
    #[arg(long, value_name = "N", default_value_t = survey::Settings::default().seed)]
    pub seed: u64,
    /// Accept an unknown ROM
    #[arg(long, action = ArgAction::SetTrue)]
    pub force: bool,
    /// Print the result as one JSON object
    #[arg(long, action = ArgAction::SetTrue)]
    pub json: bool,
}

/// The result; as JSON, one object with these keys.
#[derive(Debug, Serialize)]
struct Answer<'a> {
    /// Can the game crash past level 154? None where that is not known.
    crashes: Option<bool>,
    /// Why play refuses the map. None where it does not.
    refused: Option<String>,
    #[serde(flatten)]
    report: &'a Validation,
}

pub(crate) fn run(args: &Validate) -> Result<ExitCode, Failure> {
    let map = ram_map::map(args.map.as_deref())?;
    let rom = power::trusted_rom(args.rom.as_deref(), args.force)?;
    let mut console = Emulator::new(&rom).map_err(Failure::input)?;
    let program = Program {
        name: rom.name(),
        description: rom.identity.description(),
        sha1: &rom.sha1,
        is_known: rom.identity.is_known(),
        prg: rom.prg(),
    };
    let settings = survey::Settings { frames: args.frames, seed: args.seed };
    let mut part: Option<(&str, Progress)> = None;
    let tick = |what, frames| {
        if part.as_ref().is_none_or(|(under_way, _)| *under_way != what) {
            // The bar of the last part goes before the next one is drawn.
            part = None;
            let total = if what == "agreement" { settings.frames } else { EXPERIMENT_FRAMES };
            part = Some((what, Progress::new(what, Unit::Frames, Some(total))));
        }
        part.iter_mut().for_each(|(_, progress)| progress.at(frames));
    };
    let report = validate(&program, &mut console, &map, settings, tick).map_err(Failure::run)?;
    drop(part);
    let refused = Decoder::new(&map).err().map(|error| error.to_string());
    let is_good = report.passed() && refused.is_none();
    if args.json {
        print_json(&Answer { crashes: rom.identity.crashes(), refused, report: &report })?;
    } else {
        let refused = refused.map_or(String::new(), |error| format!("play refuses this map: {error}\n"));
        print(&format!("{}{refused}{} crashes: {}\n", text(&report), rom.name(), rom.identity.crashes_in_words()))?;
    }
    Ok(if is_good { ExitCode::SUCCESS } else { ExitCode::from(FAILED) })
}

fn text(report: &Validation) -> String {
    let mut text = format!("{:24} {:7} {:12} {:10} evidence\n", "name", "address", "layer", "verdict");
    for row in &report.rows {
        let address = row.address.map_or("-".to_owned(), |address| format!("${address:04X}"));
        let suggestion = row.suggestion.map_or(String::new(), |address| format!("; it is at ${address:04X}"));
        text += &format!(
            "{:24} {address:7} {:12} {:10} {}{suggestion}\n",
            row.name,
            row.layer.name(),
            row.verdict.name(),
            row.evidence
        );
    }
    text += &format!(
        "map {} on {}: {} checks, {} failed, {} unknown; {} frames of experiments, {} of bot play\n",
        report.map,
        report.rom,
        report.rows.len(),
        report.failures().count(),
        report.rows.iter().filter(|row| row.verdict == CheckResult::Unknown).count(),
        thousands(report.tour_frames),
        thousands(report.agreement_frames)
    );
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use maxout_console::Rom;
    use maxout_lab::survey::discover;

    #[test]
    #[ignore = "experiments on the emulator for a minute; .ci/run runs it"]
    fn the_experiments_take_as_many_frames_as_the_bar_expects() {
        let rom = Rom::cartridge();
        let mut console = Emulator::new(&rom).expect("it runs");
        let mut played = 0;
        discover(rom.prg(), &mut console, |frames| played = frames).expect("it keeps step with the rules");
        assert!((EXPERIMENT_FRAMES * 9 / 10..=EXPERIMENT_FRAMES).contains(&played), "{played} frames");
    }
}
