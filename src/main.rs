//! The command line program: parses the arguments, runs the command and returns its exit code.

use std::process::ExitCode;

use clap::Parser;
use cli::Args;
use system::logging::LogTarget;

mod cli;
mod command;
mod config;
mod console;
mod files;
mod player;
mod system;

fn main() -> ExitCode {
    let args = Args::parse();
    let log = LogTarget::install();
    match cli::run(args, &log) {
        Ok(code) => code,
        Err(error) => {
            system::output::say(&format!("maxout: {}", error.line()));
            error.code
        }
    }
}
