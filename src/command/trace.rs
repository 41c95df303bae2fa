//! `maxout trace`: RAM compared with a trace, frame by frame, and new traces.

use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, anyhow};
use clap::{ArgAction, Subcommand};

use crate::console::flags::OnConsole;
use crate::console::power::ConsoleChoice;
use crate::files::outputs::{Outputs, Overwrite};
use crate::files::playback;
use crate::system::failure::{FAILED, Failure};
use crate::system::output::{print, print_json, print_line};
use crate::system::progress::{Progress, Unit};
use crate::system::stdout::STDOUT;
use maxout_engine::gamepad::Buttons;
use maxout_engine::text::counted;
use maxout_formats::fm2::Step;
use maxout_formats::replay::{NewTrace, ReplayError, Subject, TraceVerification, verify, write_trace};
use maxout_formats::trace::TraceReader;
use maxout_formats::whole::Replacement;
use maxout_formats::{FileFormat, Format, InputFile, Kind, Presses};
use maxout_lab::random_presses;
use maxout_screen::numbers::thousands;

/// Frames of a new trace that follows no movie. Chosen by hand, not measured.
const RANDOM_FRAMES: u64 = 6000;

/// `maxout trace`.
#[derive(Debug, Subcommand)]
pub(crate) enum Trace {
    /// Play a trace's input and compare RAM after every frame
    #[command(after_help = "Examples:
  maxout trace verify tests/golden/d05_level19_bot.trace.zst
  maxout trace verify game.trace --console simulated --json

Exit codes: 0 every compared byte is equal, 1 a difference or missing frames, 2 the trace cannot
be read.")]
    Verify(TraceVerify),
    /// Record a new trace from power-on
    #[command(after_help = "Examples:
  maxout trace record new.trace --movie movie.fm2
  maxout trace record mash.trace --random 7 --frames 5000 --console simulated")]
    Record(TraceRecord),
}

/// `maxout trace verify`.
#[derive(Debug, clap::Args)]
pub(crate) struct TraceVerify {
    /// Trace to verify; a .zst file is decompressed
    pub trace: PathBuf,
    /// What it is compared with.
    #[command(flatten)]
    pub console: OnConsole,
    /// Print the result as one JSON object
    #[arg(long, action = ArgAction::SetTrue)]
    pub json: bool,
}

/// `maxout trace record`.
#[derive(Debug, clap::Args)]
pub(crate) struct TraceRecord {
    /// File to write, as plain text
    #[arg(value_name = "OUTPUT", required_unless_present = "output", conflicts_with = "output")]
    pub place: Option<PathBuf>,
    /// File to write, in place of OUTPUT
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// What runs the game.
    #[command(flatten)]
    pub console: OnConsole,
    /// Press the buttons of this log or movie: .fm2, .bk2, .csv or .jsonl; any other name is read as FM2
    #[arg(long, value_name = "FILE", conflicts_with = "random")]
    pub movie: Option<PathBuf>,
    /// Press random buttons with this seed
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    pub random: u64,
    /// Frames to record [default: the length of --movie, else 6000]
    #[arg(long, value_name = "N")]
    pub frames: Option<u64>,
    /// What may be replaced.
    #[command(flatten)]
    pub overwrite: Overwrite,
}

pub(crate) fn run(args: &Trace) -> Result<ExitCode, Failure> {
    match args {
        Trace::Verify(args) => run_verify(args),
        Trace::Record(args) => run_record(args),
    }
}

fn run_verify(args: &TraceVerify) -> Result<ExitCode, Failure> {
    let mut reader = TraceReader::open(&args.trace).map_err(Failure::input)?;
    let mut powered = args.console.power_on()?;
    let subject = match args.console.console {
        ConsoleChoice::Simulated => Subject::Model,
        ConsoleChoice::Cartridge | ConsoleChoice::OwnRom | ConsoleChoice::Rom(_) => {
            Subject::Console(&mut *powered.console)
        }
    };
    let mut progress = Progress::new("", Unit::Frames, reader.header().frames());
    let verification = verify(&mut reader, subject, |frame| progress.at(frame)).map_err(playback::failure)?;
    if args.json {
        print_json(&verification)?
    } else {
        print(&text(&verification))?
    }
    Ok(if verification.is_equal() { ExitCode::SUCCESS } else { ExitCode::from(FAILED) })
}

fn text(verification: &TraceVerification) -> String {
    let mut text = format!(
        "{} frames and {} bytes compared, {} frames differ\n",
        thousands(verification.frames),
        thousands(verification.bytes),
        thousands(verification.differing_frames)
    );
    if verification.frames_out_of_scope > 0 {
        text += &format!(
            "{} frames of demo or ending not compared, {} later games compared again\n",
            thousands(verification.frames_out_of_scope),
            verification.restarts
        );
    }
    if let Some(first) = &verification.first_difference {
        text += &format!(
            "first difference: frame {}, ${:04X} {}, expected {:02X}, found {:02X}\n",
            first.frame, first.address, first.name, first.expected, first.found
        );
    }
    if verification.missing_frames > 0 {
        text += &format!("{} missing at the end of the trace\n", counted(verification.missing_frames, "frame"));
    }
    text
}

fn run_record(args: &TraceRecord) -> Result<ExitCode, Failure> {
    let output = args.output.as_deref().or(args.place.as_deref()).unwrap_or(Path::new(STDOUT));
    if output.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("zst")) {
        let error =
            "a trace is written as plain text: give a name that does not end in .zst, and compress it with zstd";
        return Err(Failure::input(anyhow!("{}: {error}", output.display())));
    }
    let _claims = Outputs::new(args.overwrite)
        .reads("--movie", &args.movie)
        .reads_console(&args.console.console)
        .whole("the trace", [&output.to_owned()], |_| Kind::Trace)
        .claim()?;
    let (presses, description, frames) = presses(args)?;
    let mut powered = args.console.power_on()?;
    let trace = NewTrace {
        name: output.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
        description,
        rom_sha1: powered.rom_sha1().map(str::to_owned),
        frames: args.frames.unwrap_or(frames),
    };
    let cannot_write = || format!("cannot write the trace {}", output.display());
    let mut file = Replacement::start(output).with_context(cannot_write).map_err(Failure::input)?;
    let mut progress = Progress::new("", Unit::Frames, Some(trace.frames));
    write_trace(&mut *powered.console, presses, &trace, BufWriter::new(&mut file), |frame| progress.at(frame))
        .map_err(|error| match error {
            ReplayError::Write(error) => Failure::run(anyhow!(error).context(cannot_write())),
            error => playback::failure(error),
        })?;
    file.finish().with_context(cannot_write).map_err(Failure::run)?;
    print_line(&format!("{} frames written to {}", thousands(trace.frames), output.display()))?;
    Ok(ExitCode::SUCCESS)
}

type Pressed = Box<dyn Iterator<Item = Buttons>>;

/// What to press, where it comes from, and for how many frames.
fn presses(args: &TraceRecord) -> Result<(Pressed, String, u64), Failure> {
    let Some(path) = &args.movie else {
        let description = format!("random presses, seed {}", args.random);
        return Ok((Box::new(random_presses(args.random)), description, RANDOM_FRAMES));
    };
    let input = InputFile::open(path, FileFormat::of_path_or(path, Format::Fm2.into())).map_err(Failure::input)?;
    let Presses::Steps(steps) = input.presses else {
        let error = "an R08 does not say how long its lag frames are: convert it first, with maxout convert";
        return Err(Failure::input(anyhow!("{}: {error}", path.display())));
    };
    let buttons: Option<Vec<Buttons>> = steps
        .into_iter()
        .map(|step| match step {
            Step::Frame(buttons) => Some(buttons),
            Step::Reset | Step::PowerCycle => None,
        })
        .collect();
    let Some(buttons) = buttons else {
        return Err(Failure::input(anyhow!(
            "{} resets the console, and a trace runs from one power-on to its end",
            path.display()
        )));
    };
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let frames = buttons.len() as u64;
    Ok((Box::new(buttons.into_iter()), format!("the presses of {name}"), frames))
}
