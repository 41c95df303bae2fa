//! `maxout dump`: plays headless and writes one recording, to standard output if nothing else
//! is said.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::anyhow;

use super::play;
use super::play::args::Play;
use crate::files::record;
use crate::system::failure::Failure;
use crate::system::logging::LogTarget;
use maxout_screen::ViewChoice;

/// `maxout dump`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  maxout dump --until frames:2000 | head
  maxout dump --seed 3 --format jsonl | jq .score
  maxout dump tetris.nes --output game.bk2

The recording goes to standard output, the summary to standard error. Exit codes as of play.")]
pub(crate) struct Dump {
    /// File to write, - for standard output; its name tells the format, else --format, else csv
    #[arg(short, long, value_name = "FILE", default_value = record::STDOUT)]
    pub output: PathBuf,
    /// What is played, as for play
    #[command(flatten)]
    pub play: Play,
}

pub(crate) fn run(mut args: Dump, log: &LogTarget) -> Result<ExitCode, Failure> {
    if args.play.view == Some(ViewChoice::Terminal) {
        let error = anyhow!("dump plays without a view, found --view terminal: leave it out, or use play with --log");
        return Err(Failure::input(error));
    }
    let format = args.play.record.log_format(&args.output);
    args.play.view = Some(ViewChoice::None);
    play::run_and_dump(&args.play, log, Some((args.output, format)))
}
