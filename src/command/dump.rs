//! `maxout dump`: plays without a view and writes one log or movie, by default to standard output.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::anyhow;

use super::play;
use super::play::args::Play;
use crate::system::failure::Failure;
use crate::system::logging::LogTarget;
use crate::system::stdout::STDOUT;
use maxout_screen::ViewChoice;

/// `maxout dump`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  maxout dump --until frames:2000 | head
  maxout dump --seed 3 --format jsonl | jq .score
  maxout dump tetris.nes --output game.bk2

The log or movie goes to standard output, the summary to standard error.

Exit codes: 0 done, 1 goal missed or run failed, 2 bad usage or input.")]
pub(crate) struct Dump {
    /// File to write, - for standard output. The format comes from the name, else from --format; standard
    /// output, pipes and devices are csv without it
    #[arg(short, long, value_name = "FILE", default_value = STDOUT)]
    pub output: PathBuf,
    /// What is played, as for play.
    #[command(flatten)]
    pub play: Play,
}

pub(crate) fn run(mut args: Dump, log: &LogTarget) -> Result<ExitCode, Failure> {
    if let Some(view) = args.play.game.view.filter(|view| !matches!(view, ViewChoice::None | ViewChoice::Auto)) {
        let error = anyhow!("dump plays without a view, found --view {view}: leave it out, or use play with --log");
        return Err(Failure::input(error));
    }
    let format = args.play.game.run_files.log_format(&args.output)?;
    args.play.game.view = Some(ViewChoice::None);
    play::run_and_dump(&args.play, log, Some((args.output, format)))
}
