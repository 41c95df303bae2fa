//! `maxout analyze`: the best placement in a position, and what each of the others gives up.

pub(crate) mod args;
mod drawing;
pub(crate) mod json;
mod position;
pub(crate) mod request;
mod text;
mod words;

use std::io::Read;
use std::path::Path;
use std::process::ExitCode;

use anyhow::Context;

use self::args::Analyze;
use self::position::Found;
use self::request::{AskedBy, analyst};
use crate::system::failure::{FAILED, Failure};
use crate::system::output::{print, print_json};
use crate::system::progress::{Progress, Unit};
use crate::system::stdout::STDOUT;
use maxout_engine::analysis::{Analyst, Answer, Question};

pub(crate) fn run(args: &Analyze) -> Result<ExitCode, Failure> {
    let analyst = analyst(args.player()?)?;
    let question = args.request(text::SHOWN).about(&found(&args.position)?, AskedBy::Flags)?;
    let answer = answer(&analyst, &question);
    if args.json {
        print_json(&json::answer(&analyst, &question, &answer))?;
    } else {
        let shown = if args.all { usize::MAX } else { text::SHOWN };
        print(&text::answer(&analyst, &question, &answer, shown))?;
    }
    Ok(if answer.choices.is_empty() { ExitCode::from(FAILED) } else { ExitCode::SUCCESS })
}

/// The position that is named on the command line.
fn found(position: &str) -> Result<Found, Failure> {
    if position == STDOUT {
        let mut text = String::new();
        std::io::stdin()
            .take(1 << 20)
            .read_to_string(&mut text)
            .context("cannot read the position from standard input")
            .map_err(Failure::input)?;
        return position::of_text(&text);
    }
    if Path::new(position).exists() { position::of_file(Path::new(position)) } else { position::of_text(position) }
}

/// The answer, with a progress bar where it takes long.
fn answer(analyst: &Analyst, question: &Question) -> Answer {
    let mut progress: Option<Progress> = None;
    analyst.answer_watched(question, |done, of| {
        let progress = progress.get_or_insert_with(|| Progress::new("", Unit::Placements, Some(of as u64)));
        progress.at(done as u64);
    })
}
