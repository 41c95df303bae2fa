//! The command line: arguments in, the command that they name, exit codes out.
//!
//! Results go to standard output, words about the run to standard error. Exit codes: 0 done,
//! 1 the goal was missed or the run failed, 2 bad usage or input.

mod args;
mod completed;
mod mistakes;
mod program;
mod usage_error;

use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::anyhow;
use clap::error::ErrorKind;

pub use self::args::Args;
use self::args::Command;
use self::completed::completed;
pub use self::mistakes::parse;
use self::program::program;
use crate::command::{
    analyze, bench, bench_formats, completions, convert, crash, discover, doctor, drive, dump, grade, play, ram,
    render, replay, report, rom, serve, simulate, tas, trace, train, validate,
};
use crate::system::failure::{BAD_INPUT, FAILED, Failure};
use crate::system::logging::LogTarget;
use crate::system::output::say_failure;

/// Prints what is wrong with these arguments in one line, or the help that they ask for; returns the exit code.
pub fn refuse(error: &clap::Error, arguments: &[OsString]) -> ExitCode {
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand | ErrorKind::DisplayVersion => {
            // In colours, where there are any.
            let printed = error.print().and_then(|()| io::stdout().flush());
            match printed {
                Err(problem) if problem.kind() != io::ErrorKind::BrokenPipe => {
                    let problem = anyhow::Error::new(problem).context("cannot write the help to standard output");
                    say_failure(&Failure::run(problem));
                    ExitCode::from(FAILED)
                }
                // A reader that has read enough closes the pipe.
                Ok(()) | Err(_) => ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(BAD_INPUT)),
            }
        }
        _ => {
            let (command, _) = mistakes::command_of(&program(), arguments);
            let failure = Failure::input(anyhow!(usage_error::line(error, &command)));
            say_failure(&failure);
            failure.code
        }
    }
}

/// Does what the arguments ask for.
///
/// # Errors
/// One line for people, and the exit code that goes with it.
pub fn run(args: Args, log: &LogTarget) -> Result<ExitCode, Failure> {
    match args.command {
        None => play::run(&args.play, log),
        Some(Command::Play(play)) => play::run(&play, log),
        Some(Command::Drive(drive)) => drive::run(&drive, log),
        Some(Command::Rom(rom)) => rom::run(&rom),
        Some(Command::Dump(dump)) => dump::run(dump, log),
        Some(Command::Replay(replay)) => replay::run(&replay),
        Some(Command::Render(args)) => render::run(args),
        Some(Command::Convert(convert)) => convert::run(convert),
        Some(Command::Report(report)) => report::run(&report),
        Some(Command::Grade(grade)) => grade::run(&grade),
        Some(Command::Crash(crash)) => crash::run(&crash),
        Some(Command::Trace(trace)) => trace::run(&trace),
        Some(Command::Simulate(args)) => simulate::run(&args),
        Some(Command::Compare(args)) => simulate::compare(&args),
        Some(Command::Merge(args)) => simulate::merge(&args),
        Some(Command::Analyze(args)) => analyze::run(&args),
        Some(Command::Bench(bench)) => bench::run(&bench),
        Some(Command::BenchFormats(args)) => bench_formats::run(&args),
        Some(Command::Serve(serve)) => serve::run(&serve),
        Some(Command::Tas(tas)) => tas::run(&tas),
        Some(Command::Train(train)) => train::run(&train),
        Some(Command::Validate(validate)) => validate::run(&validate),
        Some(Command::Discover(discover)) => discover::run(&discover),
        Some(Command::Ram(ram)) => ram::run(&ram),
        Some(Command::Doctor(doctor)) => doctor::run(&doctor),
        Some(Command::Completions(shell)) => completions::completions(&shell, completed(program())),
        Some(Command::Man(man)) => completions::man(&man, program()),
    }
}
