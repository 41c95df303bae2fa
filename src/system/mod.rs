//! The program and its system: exit codes, standard output and error, log lines, Ctrl-C.

pub mod address;
pub mod cores;
mod drawn;
pub mod failure;
pub mod interrupt;
pub mod logging;
pub mod message;
pub mod output;
pub mod paths;
pub mod programs;
pub mod progress;
pub mod shell;
pub mod stdout;
pub mod time;
