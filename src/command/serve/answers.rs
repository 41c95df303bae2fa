//! The answers of the server: those of the command line.

use std::sync::atomic::AtomicBool;

use crate::system::failure::Failure;
use maxout_serve::{Answers, Game, Refusal};

/// The program behind the server.
pub(super) struct Program;

impl Program {
    pub(super) fn new() -> Result<Program, Failure> {
        Ok(Program)
    }
}

impl Answers for Program {
    fn analyze(&self, _question: &[u8], _stop: &AtomicBool) -> Result<String, Refusal> {
        Err(Refusal::Failed("there is no analysis yet".to_owned()))
    }

    fn grade(&self, _game: &Game, _stop: &AtomicBool) -> Result<String, Refusal> {
        Err(Refusal::Failed("there is no grading yet".to_owned()))
    }
}
