//! The answers of the server: those of the command line.

use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::{game, request};
use crate::command::analyze::json;
use crate::command::analyze::request::{analyst_with, net};
use crate::config::Config;
use crate::player::flags::ThinkArgs;
use crate::system::failure::{BAD_INPUT, Failure};
use crate::system::output::json_line;
use maxout_engine::judge::learned::NetSet;
use maxout_engine::planner;
use maxout_serve::{Answers, Game, Refusal};

/// The program behind the server.
pub(super) struct Program {
    net: Arc<NetSet>,
    /// Those of the command line without flags.
    settings: planner::Settings,
}

impl Program {
    /// Reads the built-in net.
    pub(super) fn new() -> Result<Program, Failure> {
        let mut config = Config::default();
        ThinkArgs { think: None, think_threads: None }.apply(&mut config);
        Ok(Program { net: net()?, settings: config.planner })
    }
}

impl Answers for Program {
    fn analyze(&self, question: &[u8], stop: &AtomicBool) -> Result<String, Refusal> {
        let request = request::read(question).map_err(Refusal::Input)?;
        let question = request.question().map_err(refusal)?;
        let analyst = analyst_with(Arc::clone(&self.net), request.player(&self.settings)).map_err(refusal)?;
        match analyst.answer_unless(&question, stop) {
            Some(answer) => Ok(json_line(&json::answer(&analyst, &question, &answer))),
            None => Err(stopped()),
        }
    }

    fn grade(&self, game: &Game, stop: &AtomicBool) -> Result<String, Refusal> {
        match game::grade(game, &self.net, stop).map_err(refusal)? {
            Some(json) => Ok(json),
            None => Err(stopped()),
        }
    }
}

/// Nobody waits for the answer.
fn stopped() -> Refusal {
    Refusal::Failed("stopped".to_owned())
}

fn refusal(failure: Failure) -> Refusal {
    let words = failure.line();
    if failure.code == ExitCode::from(BAD_INPUT) { Refusal::Input(words) } else { Refusal::Failed(words) }
}
