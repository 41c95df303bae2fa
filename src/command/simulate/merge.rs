//! `maxout merge`: one report over the files of many shards.

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::anyhow;

use super::args::Merge;
use super::result::SimulateResult;
use super::{games_writer, picture};
use crate::files::outputs::{self, Outputs};
use crate::system::failure::Failure;
use crate::system::stdout::is_stdout;
use maxout_formats::Kind;
use maxout_lab::games::{GameSet, GamesReader};
use maxout_lab::plot::DrawnGames;
use maxout_lab::simulate::{Collector, GameResult, RunId};

/// Most ranges of missing games that an error lists. Chosen by hand, not measured.
const NAMED: usize = 8;

pub(crate) fn run(args: &Merge) -> Result<ExitCode, Failure> {
    let mut claims = Outputs::new(args.overwrite)
        .reads("the input", &args.files)
        .grows_if("--csv", args.csv.as_deref(), Kind::Games)
        .whole("--plot", &args.plot, outputs::picture)
        .claim()?;
    let mut merged = Merged::default();
    for index in 0..args.files.len() {
        merged.read(&args.files, index, args.csv.is_some())?;
    }
    let Merged { totals, seen, mut kept, drawn } = merged;
    let (run, collector) = totals.expect("the arguments name a file at least");
    let missing = run.games - seen.count();
    if missing > 0 {
        let which = missing_games(&seen, run.games);
        let words = format!("{missing} of {} games are missing: {which}", run.games);
        if !args.partial {
            return Err(Failure::input(anyhow!("{words}; give the files with these games, or use --partial")));
        }
        log::warn!("{words}");
    }
    if let Some(path) = &args.csv {
        kept.sort_unstable_by_key(|result| result.game);
        let mut csv = games_writer(path, &run, &mut claims)?;
        kept.iter().try_for_each(|result| csv.write(result)).and_then(|()| csv.flush()).map_err(Failure::run)?;
    }
    SimulateResult::new(&run, missing, collector.statistics(), None)
        .print(args.json, args.csv.as_deref().is_some_and(is_stdout))?;
    if let Some(path) = &args.plot {
        picture::draw(path, &run.settings, vec![(&run.player, drawn)])?;
    }
    Ok(ExitCode::SUCCESS)
}

/// What is kept of the games of all files.
#[derive(Default)]
struct Merged {
    /// The run of the first file, and the sums.
    totals: Option<(RunId, Collector)>,
    seen: GameSet,
    /// All games, if they are to be written in their order.
    kept: Vec<GameResult>,
    drawn: DrawnGames,
}

impl Merged {
    /// Adds the games of a file.
    fn read(&mut self, files: &[PathBuf], index: usize, keep: bool) -> Result<(), Failure> {
        let path = &files[index];
        let mut games = GamesReader::open(path).map_err(Failure::input)?;
        if let Some((first, _)) = &self.totals {
            same_run(first, games.run(), &files[0], path)?;
        }
        let begin = || {
            let run = games.run().whole();
            let collector = Collector::new(&run.settings);
            (run, collector)
        };
        let (_, collector) = self.totals.get_or_insert_with(begin);
        while let Some(result) = games.next_game().map_err(Failure::input)? {
            if !self.seen.insert(result.game) {
                return Err(twice(files, index, result.game));
            }
            collector.add(&result);
            self.drawn.add(&result);
            if keep {
                self.kept.push(result);
            }
        }
        if games.is_cut() {
            log::warn!("{} ends in the middle of a row; that row is ignored", path.display());
        }
        Ok(())
    }
}

/// The error that a game of a file is in one of the files before it, too.
fn twice(files: &[PathBuf], index: usize, game: u64) -> Failure {
    let holds = |path: &&PathBuf| {
        let Ok(mut games) = GamesReader::open(path) else { return false };
        std::iter::from_fn(|| games.next_game().ok().flatten()).any(|result| result.game == game)
    };
    // A pipe cannot be read again.
    let other =
        files[..index].iter().find(holds).map_or("a file before it".to_owned(), |path| path.display().to_string());
    let path = files[index].display();
    Failure::input(anyhow!("game {game} is in {other} and again in {path}; leave one of these files out"))
}

/// Refuses a file that is of another run than the first one.
fn same_run(first: &RunId, other: &RunId, first_path: &Path, path: &Path) -> Result<(), Failure> {
    match first.difference(other) {
        None => Ok(()),
        Some(difference) => Err(Failure::input(anyhow!(
            "{}: expected {difference}; {} is of another run",
            path.display(),
            first_path.display()
        ))),
    }
}

/// `3, 7 to 9, 12`
fn missing_games(seen: &GameSet, games: u64) -> String {
    let ranges = seen.missing(games, NAMED + 1);
    let more = if ranges.len() > NAMED { " and others" } else { "" };
    let text = |range: &RangeInclusive<u64>| match (range.start(), range.end()) {
        (first, last) if first == last => first.to_string(),
        (first, last) => format!("{first} to {last}"),
    };
    ranges.iter().take(NAMED).map(text).collect::<Vec<_>>().join(", ") + more
}
