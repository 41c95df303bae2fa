//! `maxout crash`: which clears crash the original game, and what would save it.

mod args;
mod judged;

use std::fmt::Write;
use std::path::Path;
use std::process::ExitCode;

use anyhow::anyhow;
use serde::Serialize;

pub(crate) use args::Crash;
use judged::{Found, Judged, clear};

use crate::command::analyze;
use crate::command::analyze::request::{AskedBy, analyst};
use crate::config::Config;
use crate::files::playback::{self, Waiting};
use crate::system::failure::{FAILED, Failure};
use crate::system::output::{print, print_json, say};
use maxout_engine::analysis::played_locks;
use maxout_engine::game::crash::Lock;
use maxout_engine::planner::Think;
use maxout_engine::text::{thousands, visible};
use maxout_formats::FileFormat;
use maxout_formats::trace::TraceReader;

/// The answer; as JSON, one object with these keys.
#[derive(Debug, Serialize)]
struct Answer {
    version: &'static str,
    /// Locks that were judged: of a game all, of a position one for each placement.
    judged: usize,
    /// Those that may crash or hang.
    dangerous: usize,
    /// Every clear, and every other lock that is not safe.
    locks: Vec<Judged>,
    #[serde(skip)]
    is_position: bool,
}

pub(crate) fn run(args: &Crash) -> Result<ExitCode, Failure> {
    let path = Path::new(&args.game);
    let is_trace = is_trace(path);
    let is_position = !is_trace && args.from.is_none() && !(path.is_file() && FileFormat::of_path(path).is_some());
    if let Some(flag) = args.facts.first_given().filter(|_| !is_position) {
        let error = format!("{flag} is about a position, but {} is a game, which tells it itself", visible(&args.game));
        return Err(Failure::input(anyhow!(error)));
    }
    let locks = match (is_trace, is_position) {
        (true, _) => of_trace(args, path)?,
        (_, true) => of_position(args)?,
        _ => of_game(args, path)?,
    };
    let dangerous = locks.iter().filter(|lock| !lock.is_safe()).count();
    let answer = Answer {
        version: env!("CARGO_PKG_VERSION"),
        judged: locks.len(),
        dangerous,
        locks: locks.into_iter().filter(|lock| is_position || lock.clears > 0 || !lock.is_safe()).collect(),
        is_position,
    };
    if args.json {
        print_json(&answer)?
    } else {
        print(&text(args, &answer))?
    }
    let failed = if is_position { dangerous == answer.judged } else { dangerous > 0 };
    Ok(if failed { ExitCode::from(FAILED) } else { ExitCode::SUCCESS })
}

fn is_trace(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    path.is_file() && (name.ends_with(".trace") || name.ends_with(".zst"))
}

/// The locks of a trace, which shows all that matters.
fn of_trace(args: &Crash, path: &Path) -> Result<Vec<Judged>, Failure> {
    let mut reader = TraceReader::open(path).map_err(Failure::input)?;
    let mut locks = Vec::new();
    while let Some(row) = reader.next_row().map_err(Failure::input)? {
        if let Some(lock) = Lock::next(&row.ram).filter(|_| row.is_in_game()) {
            let found = Found { frame: Some(row.frame.saturating_add(1)), ..Found::default() };
            locks.push(Judged::new(found, &hidden(args, lock)));
        }
    }
    some(locks, path, 0)
}

/// The locks of a log, a movie or an NGF file.
fn of_game(args: &Crash, path: &Path) -> Result<Vec<Judged>, Failure> {
    let waiting = Waiting::User { listens: true };
    let recorded = playback::games(path, args.from, args.map.as_deref(), &args.console, waiting)?;
    let mut locks = Vec::new();
    for (index, game) in recorded.games.iter().enumerate() {
        locks.extend(played_locks(game).iter().map(|played| {
            let found = Found {
                game: Some(index + 1),
                piece: Some(played.piece),
                of: Some(played.of),
                frame: Some(played.frame),
                ..Found::default()
            };
            Judged::new(found, &hidden(args, played.lock))
        }));
    }
    some(locks, path, recorded.other_games)
}

/// The locks of a game, if there is one.
fn some(locks: Vec<Judged>, path: &Path, other_games: u64) -> Result<Vec<Judged>, Failure> {
    if locks.is_empty() { Err(playback::no_game(path, other_games)) } else { Ok(locks) }
}

/// The same failure of a file that is no position; it may be a game with another name.
fn or_game(name: &str, failure: Failure) -> Failure {
    let path = Path::new(name);
    let shows_position =
        path.extension().is_some_and(|it| it.eq_ignore_ascii_case("txt") || it.eq_ignore_ascii_case("png"));
    if shows_position || !path.is_file() {
        return failure;
    }
    Failure {
        error: anyhow!("no position: {:#}; if it is a game, say so with --from FORMAT", failure.error),
        ..failure
    }
}

/// A lock for each placement of a position, the best first.
fn of_position(args: &Crash) -> Result<Vec<Judged>, Failure> {
    let mut config = Config::default();
    args.moves.apply(&mut config)?;
    // Only the placements count, not which is best.
    config.planner.think = Some(Think::Plies(1));
    let analyst = analyst(config.planner)?;
    let found = analyze::found(&args.game).map_err(|failure| or_game(&args.game, failure))?;
    let request = args.request();
    let question = request.about(&found, AskedBy::Flags)?;
    for note in found.notes.iter().chain(&request.differences(&found)) {
        say(note);
    }
    let position = &question.position;
    let before = position.progress();
    let answer = analyst.answer(&question);
    let locks = answer.choices.iter().map(|choice| {
        let placement = choice.judged.placement;
        let lock = Lock::planned(&position.playfield, placement, before, 0, [0; 4]);
        let of = Some(placement.orientation.piece());
        Judged::new(Found { of, placement: Some(placement.name()), ..Found::default() }, &hidden(args, lock))
    });
    let locks: Vec<Judged> = locks.collect();
    if locks.is_empty() {
        return Err(Failure::input(anyhow!("expected a position with a placement within reach, found none")));
    }
    Ok(locks)
}

/// The lock as the flags have it.
fn hidden(args: &Crash, lock: Lock) -> Lock {
    Lock { next_hidden: lock.next_hidden || args.next_hidden, ..lock }
}

/// Columns of the place of a lock, where none is longer.
const LEAST_WIDTH: usize = 12;

/// For people.
fn text(args: &Crash, answer: &Answer) -> String {
    let what = if answer.is_position { "placements" } else { "locks" };
    let (judged, dangerous) = (thousands(answer.judged as u64), thousands(answer.dangerous as u64));
    let mut text = format!("{}: {judged} {what}, {dangerous} may crash or hang\n", visible(&args.game));
    let is_shown = |lock: &&Judged| answer.is_position || args.all || !lock.is_safe();
    let shown: Vec<&Judged> = answer.locks.iter().filter(is_shown).collect();
    if shown.is_empty() {
        text += "--all lists every clear with its cycles\n";
        return text;
    }
    let place = if answer.is_position { "placement" } else { "frame" };
    // Of a file with one game its number says nothing.
    let is_of_several = answer.locks.iter().any(|lock| lock.game.is_some_and(|game| game > 1));
    let where_is = |lock: &Judged| match (&lock.placement, lock.frame.map_or(String::new(), thousands), lock.game) {
        (Some(placement), ..) => placement.clone(),
        (None, frame, Some(game)) if is_of_several => format!("game {game}: {frame}"),
        (None, frame, _) => frame,
    };
    let width = shown.iter().map(|lock| where_is(lock).len()).max().unwrap_or(0).max(LEAST_WIDTH);
    let mut line = |cells: [&str; 7]| {
        let [place, clear, level, lines, cycles, verdict, remedy] = cells;
        let line = format!("{place:>width$}  {clear:<9} {level:>5} {lines:>6} {cycles:>7}  {verdict:<30}  {remedy}");
        // Writing into a string does not fail.
        let _ = writeln!(text, "{}", line.trim_end());
    };
    line([place, "clear", "level", "lines", "T", "verdict", "safe instead"]);
    for lock in shown {
        line([
            &where_is(lock),
            clear(lock.clears),
            &lock.level.to_string(),
            &thousands(lock.lines.into()),
            &thousands(lock.cycles.into()),
            &lock.words(),
            &lock.remedy_words(),
        ]);
    }
    text
}
