//! The command line: arguments in, one file for each subcommand, exit codes out.
//!
//! Results go to standard output, words about the run to standard error. Exit codes: 0 done,
//! 1 the goal was missed or the run failed, 2 bad usage or input.

mod args;
mod bench;
mod completions;
mod convert;
mod discover;
mod doctor;
mod dump;
mod failure;
mod film;
mod hand_camera;
mod interrupt;
mod logging;
mod output;
mod play;
mod player;
mod progress;
mod ram;
mod record;
mod render;
mod replay;
mod report;
mod rom;
mod screenshot;
mod setup;
mod shell;
mod simulate;
mod summary;
mod trace;
mod train;
mod validate;
mod watch;

use std::process::ExitCode;

pub use args::Args;
use args::Command;
pub use failure::Failure;
pub use logging::LogTarget;

/// Does what the arguments ask for.
///
/// # Errors
/// One line for people, and the exit code that goes with it.
pub fn run(args: Args, log: &LogTarget) -> Result<ExitCode, Failure> {
    match args.command {
        None => play::run(&args.play, log),
        Some(Command::Play(play)) => play::run(&play, log),
        Some(Command::Rom(rom)) => rom::run(&rom),
        Some(Command::Dump(dump)) => dump::run(dump, log),
        Some(Command::Replay(replay)) => replay::run(&replay),
        Some(Command::Render(args)) => render::run(&args),
        Some(Command::Convert(convert)) => convert::run(&convert),
        Some(Command::Report(report)) => report::run(&report),
        Some(Command::Trace(trace)) => trace::run(&trace),
        Some(Command::Simulate(args)) => simulate::run(&args),
        Some(Command::Compare(args)) => simulate::compare(&args),
        Some(Command::Merge(args)) => simulate::merge(&args),
        Some(Command::Bench(bench)) => bench::run(&bench),
        Some(Command::Train(train)) => train::run(&train),
        Some(Command::Validate(validate)) => validate::run(&validate),
        Some(Command::Discover(discover)) => discover::run(&discover),
        Some(Command::Ram(ram)) => ram::run(&ram),
        Some(Command::Doctor(doctor)) => doctor::run(&doctor),
        Some(Command::Completions(shell)) => completions::completions(&shell),
        Some(Command::Man(man)) => completions::man(&man),
    }
}
