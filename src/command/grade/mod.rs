//! `maxout grade`: what each placement of a game gave up.

mod args;
mod json;
mod rows;
mod text;
mod words;

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, anyhow};
use serde::Serialize;

pub(crate) use args::Grade;
pub(crate) use json::grade_json;

use crate::command::analyze::json::tenth;
use crate::command::analyze::request::net;
use crate::files::outputs::{Claims, Outputs};
use crate::files::playback::{self, Waiting};
use crate::system::failure::Failure;
use crate::system::interrupt::stop_on_interrupt;
use crate::system::output::{json_line, print_beside, say_failure};
use crate::system::paths::{file_name, is_special};
use crate::system::progress::{Progress, Unit};
use crate::system::shell;
use crate::system::stdout::{is_stdout, stdout};
use maxout_engine::analysis::PlayedGame;
use maxout_engine::analysis::grade::{GameGrade, GradeSettings, Grader, MeasuredHand, Totals};
use maxout_engine::judge::learned::NetSet;
use maxout_engine::text::counted;
use maxout_formats::games::RecordedGames;
use maxout_formats::report::{GradedGame, graded_page};
use maxout_formats::{FileFormat, Kind, Provenance};

/// A game of a file.
struct Found {
    /// The file as it was given.
    file: String,
    /// Its number in the file, counted from 1.
    number: usize,
    /// What people read: the file, and the number where there are several.
    name: String,
    game: PlayedGame,
}

/// The object of `--json`.
#[derive(Serialize)]
struct Output {
    version: &'static str,
    games: Vec<serde_json::Value>,
    /// Of all games together.
    score: u64,
    score_with_average_luck: f64,
    /// Over all games.
    totals: json::TotalsJson,
}

pub(crate) fn run(args: &Grade) -> Result<ExitCode, Failure> {
    let mut claims = Outputs::new(args.overwrite)
        .reads("the input", &args.games)
        .reads_console(&args.console.console)
        .reads("--map", &args.map)
        .grows_if("--csv", args.csv.as_deref(), Kind::Grades)
        .grows_beside("--report", args.report.as_deref(), Kind::GradedReport)
        .claim()?;
    let (games, failed) = read_all(args)?;
    let stop = stop_on_interrupt();
    let net = net()?;
    let mut progress =
        Progress::new("", Unit::Pieces, Some(games.iter().map(|game| game.game.pieces.len() as u64).sum()));
    let mut done = 0;
    let mut grades = Vec::new();
    for found in &games {
        let settings = args.settings(&MeasuredHand::of(&found.game));
        let grade = Grader::new(Arc::clone(&net), settings).grade_unless(&found.game, &stop, |_| {
            done += 1;
            progress.at(done);
        });
        let stopped = || anyhow!("stopped after {}: nothing is written", counted(done, "piece"));
        grades.push(grade.ok_or_else(|| Failure::run(stopped()))?);
    }
    drop(progress);
    if let Some(path) = &args.csv {
        write_rows(path, &games, &grades, &mut claims)?;
    }
    if let Some(path) = &args.report {
        write_page(path, &games, &grades, &mut claims)?;
    }
    let rows_on_stdout = args.csv.as_deref().is_some_and(is_stdout);
    print_beside(rows_on_stdout, &if args.json { output(&games, &grades) } else { told(&games, &grades) })?;
    Ok(failed.unwrap_or(ExitCode::SUCCESS))
}

/// The grades of the games of a file, as JSON; `None` when `stop` is set before the end.
///
/// # Errors
/// What is wrong with the file.
pub(crate) fn graded_json(
    args: &Grade,
    path: &Path,
    net: &Arc<NetSet>,
    stop: &AtomicBool,
) -> Result<Option<String>, Failure> {
    let games = match read(args, path, file_name(path).into_owned(), Waiting::Request(stop)) {
        Err(_) if stop.load(Ordering::Relaxed) => return Ok(None),
        games => games?,
    };
    let mut grades = Vec::new();
    for found in &games {
        let settings = args.settings(&MeasuredHand::of(&found.game));
        let Some(grade) = Grader::new(Arc::clone(net), settings).grade_unless(&found.game, stop, |_| ()) else {
            return Ok(None);
        };
        grades.push(grade);
    }
    Ok(Some(output(&games, &grades)))
}

/// The games of all files. A file that cannot be graded is told and left out: its exit code is that of
/// the run.
fn read_all(args: &Grade) -> Result<(Vec<Found>, Option<ExitCode>), Failure> {
    // What comes through a pipe may be waited for, which only the end of the program ends.
    let stop = (!args.games.iter().any(|path| is_special(path))).then(stop_on_interrupt);
    let is_stopped = || stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed));
    let (mut games, mut failures) = (Vec::new(), Vec::new());
    for path in &args.games {
        match read(args, path, path.display().to_string(), Waiting::User { listens: stop.is_some() }) {
            Ok(found) => games.extend(found),
            Err(failure) if is_stopped() => return Err(failure),
            Err(failure) => failures.push(failure),
        }
    }
    let code = failures.last().map(|failure| failure.code);
    let ends_the_run = if games.is_empty() { failures.pop() } else { None };
    for failure in failures {
        say_failure(&failure);
    }
    ends_the_run.map_or(Ok((games, code)), Err)
}

/// The games of a file that can be graded, under this name.
fn read(args: &Grade, path: &Path, file: String, waiting: Waiting<'_>) -> Result<Vec<Found>, Failure> {
    // Of several files each may be of another kind.
    let from = args.from.filter(|_| args.games.len() == 1 || FileFormat::of_path(path).is_none());
    let recorded = playback::games(path, from, args.map.as_deref(), &args.console, waiting)?;
    let RecordedGames { games, other_games, skipped_pieces } = recorded;
    if games.is_empty() {
        return Err(playback::no_game(path, other_games));
    }
    if skipped_pieces > 0 {
        log::warn!("{}: {skipped_pieces} pieces are left out: what the playfield was is not known", path.display());
    }
    let several = games.len() > 1;
    let found = games.into_iter().enumerate().map(|(index, game)| Found {
        name: if several { format!("{file}, game {}", index + 1) } else { file.clone() },
        file: file.clone(),
        number: index + 1,
        game,
    });
    Ok(found.collect())
}

/// For people: a screen for each game, and for several a table.
fn told(games: &[Found], grades: &[GameGrade]) -> String {
    let named = || games.iter().map(|game| &*game.name).zip(grades);
    match grades {
        [grade] => text::game(&games[0].name, grade),
        _ => {
            let mut told: String = named().map(|(name, grade)| text::game(name, grade) + "\n").collect();
            told += &text::table(named().collect::<Vec<_>>(), &totals(grades));
            told
        }
    }
}

fn totals(grades: &[GameGrade]) -> Totals {
    Totals::of(grades.iter().flat_map(|grade| &grade.pieces))
}

/// For programs.
fn output(games: &[Found], grades: &[GameGrade]) -> String {
    let game = |(found, grade): (&Found, &GameGrade)| {
        let mut game = grade_json(grade);
        game["file"] = found.file.clone().into();
        game["game"] = found.number.into();
        game
    };
    let totals = totals(grades);
    let score = grades.iter().map(|grade| grade.score).sum();
    json_line(&Output {
        version: env!("CARGO_PKG_VERSION"),
        games: games.iter().zip(grades).map(game).collect(),
        score,
        score_with_average_luck: tenth(grades.iter().map(GameGrade::score_with_average_luck).sum()),
        totals: json::TotalsJson::of(&totals),
    })
}

fn write_rows(path: &Path, games: &[Found], grades: &[GameGrade], claims: &mut Claims) -> Result<(), Failure> {
    let mut text = rows::HEADER.to_owned();
    for (found, grade) in games.iter().zip(grades) {
        text += &rows::rows(&found.file, found.number, grade);
    }
    write("--csv", path, &text, claims)
}

fn write_page(path: &Path, games: &[Found], grades: &[GameGrade], claims: &mut Claims) -> Result<(), Failure> {
    let graded: Vec<GradedGame<'_>> = games
        .iter()
        .zip(grades)
        .map(|(found, grade)| GradedGame { begins_recording: found.number == 1, game: &found.game, grade })
        .collect();
    let sources: Vec<&str> = games.iter().filter(|game| game.number == 1).map(|game| &*game.file).collect();
    let provenance = Provenance::default()
        .with("source", sources.join(", "))
        .with("command", shell::command_line())
        .with("version", env!("CARGO_PKG_VERSION"));
    let hands = games.iter().zip(grades).map(|(found, grade)| format!("{}: {}", found.name, grade.hand.describe()));
    let mut provenance = provenance.with("graded for", hands.collect::<Vec<_>>().join("; "));
    if grades.iter().any(|grade| grade.plies > GradeSettings::WIDE_PLIES) {
        provenance = provenance.with("better", "of the best three placements at three plies, which are looked into");
    }
    write("--report", path, &graded_page(&graded, &provenance), claims)
}

/// Writes a file at once: what was there stays until then.
fn write(flag: &str, path: &Path, text: &str, claims: &mut Claims) -> Result<(), Failure> {
    let written = if is_stdout(path) {
        let mut stdout = stdout();
        stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()).map_err(anyhow::Error::from)
    } else {
        claims.take(path)?.replace(text.as_bytes()).map_err(anyhow::Error::from)
    };
    written.context(format!("cannot write {flag} {}", path.display())).map_err(Failure::run)
}
