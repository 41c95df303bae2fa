//! `maxout analyze`: the best placement in a position, and what each of the others gives up.

pub(crate) mod args;
mod drawing;
mod explain;
mod interactive;
pub(crate) mod json;
mod picture;
pub(crate) mod request;
mod text;
mod words;

use std::process::ExitCode;

use anyhow::{Context, anyhow};
use serde::Serialize;

use self::args::Analyze;
use self::explain::Explanation;
use self::request::{AskedBy, analyst};
use crate::console::ram_map::decoder;
use crate::files::outputs::{self, Outputs};
use crate::system::failure::{FAILED, Failure};
use crate::system::output::{print, print_json, say};
use crate::system::progress::{Progress, Unit};
use crate::system::stdout::STDOUT;
use maxout_engine::analysis::{Analyst, Answer, Question};
use maxout_engine::console::Simulated;
use maxout_formats::limited;
use maxout_formats::position::{self, ReadPosition};
use maxout_lab::plot;

pub(crate) fn run(args: &Analyze) -> Result<ExitCode, Failure> {
    let analyst = analyst(args.player()?)?;
    if let Some(path) = &args.picture {
        plot::check(path).map_err(Failure::input)?;
    }
    let _claims = Outputs::new(args.overwrite)
        .reads("the position", &args.file())
        .whole("--picture", &args.picture, outputs::picture)
        .claim()?;
    let found = found(&args.position)?;
    let request = args.request(text::SHOWN);
    let question = request.about(&found, AskedBy::Flags)?;
    for note in found.notes.iter().chain(&request.differences(&found)) {
        say(note);
    }
    if args.interactive {
        interactive::run(analyst, question)?;
        return Ok(ExitCode::SUCCESS);
    }
    let answer = answer(&analyst, &question);
    let explanation = explanation(args, &question, &answer)?;
    if let Some(path) = &args.picture {
        picture::write(path, &analyst, &question, &answer)?;
    }
    if args.json {
        let answer = json::answer(&analyst, &question, &answer);
        print_json(&Explained { answer, explanation })?;
    } else {
        let shown = if args.all { usize::MAX } else { text::SHOWN };
        let mut text = text::answer(&analyst, &question, &answer, shown);
        text.extend(explanation.map(|explanation| explanation.text()));
        print(&text)?;
    }
    Ok(if answer.choices.is_empty() { ExitCode::from(FAILED) } else { ExitCode::SUCCESS })
}

/// An answer with `--explain`.
#[derive(Serialize)]
struct Explained {
    #[serde(flatten)]
    answer: json::AnswerJson,
    #[serde(skip_serializing_if = "Option::is_none")]
    explanation: Option<Explanation>,
}

/// What `--explain` asks for. With one placement there is nothing to compare.
fn explanation(args: &Analyze, question: &Question, answer: &Answer) -> Result<Option<Explanation>, Failure> {
    if !args.explain {
        return Ok(None);
    }
    let count = answer.choices.len();
    match args.against.map(usize::from) {
        Some(against) if against > count => {
            Err(Failure::input(anyhow!("expected a rank of 2 to {count} for --against, found {against}")))
        }
        against => Ok(explain::explain(question, &answer.choices, against.unwrap_or(2))),
    }
}

/// The position that is named on the command line.
pub(crate) fn found(given: &str) -> Result<ReadPosition, Failure> {
    if given != STDOUT {
        let decoder = decoder(None)?;
        return position::open(given, &mut Simulated::power_on(), &decoder).map_err(Failure::input);
    }
    let read = limited::read_from(std::io::stdin(), position::MAX_BYTES);
    let bytes = read.context("cannot read the position from standard input").map_err(Failure::input)?;
    position::read_bytes(&bytes).context("the position from standard input").map_err(Failure::input)
}

/// The answer, with a progress bar where it takes long.
fn answer(analyst: &Analyst, question: &Question) -> Answer {
    let mut progress: Option<Progress> = None;
    analyst.answer_watched(question, |done, of| {
        let progress = progress.get_or_insert_with(|| Progress::new("", Unit::Placements, Some(of as u64)));
        progress.at(done as u64);
    })
}
