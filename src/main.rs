//! The command line program: parses the arguments, runs the command and returns its exit code.

use std::process::ExitCode;

use system::failure::PIPE_CLOSED;
use system::logging::LogTarget;

mod cli;
mod command;
mod config;
mod console;
mod files;
mod player;
mod system;

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args_os().collect();
    let args = match cli::parse(&arguments) {
        Ok(args) => args,
        Err(error) => return cli::refuse(&error, &arguments),
    };
    let log = LogTarget::install();
    match system::interrupt::listen().and_then(|()| cli::run(args, &log)) {
        Ok(code) => code,
        Err(error) if error.is_pipe_closed() => ExitCode::from(PIPE_CLOSED),
        Err(error) => {
            system::output::say_failure(&error);
            error.code
        }
    }
}
