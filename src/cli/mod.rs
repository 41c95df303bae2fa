//! The command line: arguments in, the command that they name, exit codes out.
//!
//! Results go to standard output, words about the run to standard error. Exit codes: 0 done,
//! 1 the goal was missed or the run failed, 2 bad usage or input.

mod args;
mod mistakes;

use std::process::ExitCode;

use clap::CommandFactory;

pub use self::args::Args;
use self::args::Command;
pub use self::mistakes::parse;
use crate::command::{
    bench, completions, convert, discover, doctor, dump, play, ram, render, replay, report, rom, simulate, trace,
    train, validate,
};
use crate::system::failure::Failure;
use crate::system::logging::LogTarget;

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
        Some(Command::Render(args)) => render::run(args),
        Some(Command::Convert(convert)) => convert::run(convert),
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
        Some(Command::Completions(shell)) => completions::completions(&shell, Args::command()),
        Some(Command::Man(man)) => completions::man(&man, Args::command()),
    }
}
