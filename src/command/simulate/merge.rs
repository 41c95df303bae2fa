//! `maxout merge`: one report over the files of many shards.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;

use anyhow::anyhow;
use serde::Serialize;

use super::args::Merge;
use super::result::SimulateResult;
use super::{games_writer, is_stdout, picture};
use crate::files::outputs::{self, Outputs};
use crate::system::failure::Failure;
use maxout_formats::Kind;
use maxout_lab::games::Games;
use maxout_lab::simulate::{GameResult, RunId, Shard, Statistics};

/// Most ranges of missing games that an error lists. Chosen by hand, not measured.
const NAMED: usize = 8;

pub(crate) fn run(args: &Merge) -> Result<ExitCode, Failure> {
    let mut claims = Outputs::new(args.overwrite)
        .reads("the input", &args.files)
        .grows_if("--csv", args.csv.as_deref(), Kind::Games)
        .whole("--plot", &args.plot, outputs::picture)
        .claim()?;
    let mut run: Option<RunId> = None;
    let mut origins: BTreeMap<u64, (GameResult, &Path)> = BTreeMap::new();
    for path in &args.files {
        let games = Games::open(path).map_err(Failure::input)?;
        if games.is_cut {
            log::warn!("{} ends in the middle of a row; that row is ignored", path.display());
        }
        match &run {
            None => run = Some(RunId { shard: Shard::WHOLE, ..games.run }),
            Some(first) => same_run(first, &games.run, &args.files[0], path)?,
        }
        for result in games.results {
            if let Some((_, other)) = origins.get(&result.game) {
                let (other, path) = (other.display(), path.display());
                return Err(Failure::input(anyhow!(
                    "game {} is in {other} and again in {path}; leave one of these files out",
                    result.game
                )));
            }
            origins.insert(result.game, (result, path));
        }
    }
    let run = run.expect("the arguments name a file at least");
    let results: Vec<GameResult> = origins.into_values().map(|(result, _)| result).collect();
    let missing = run.games - results.len() as u64;
    if missing > 0 {
        let which = missing_games(&results, run.games);
        let words = format!("{missing} of {} games are missing: {which}", run.games);
        if !args.partial {
            return Err(Failure::input(anyhow!("{words}; give the files with these games, or use --partial")));
        }
        log::warn!("{words}");
    }
    if let Some(path) = &args.csv {
        let mut csv = games_writer(path, &run, &mut claims)?;
        results.iter().try_for_each(|result| csv.write(result)).and_then(|()| csv.flush()).map_err(Failure::run)?;
    }
    SimulateResult::new(&run, missing, Statistics::of(&run.settings, &results), None)
        .print(args.json, is_stdout(&args.csv))?;
    if let Some(path) = &args.plot {
        picture::draw(path, &run.settings, &[(&run.player, &results)])?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Refuses a file that is of another run than the first one.
fn same_run(first: &RunId, other: &RunId, first_path: &Path, path: &Path) -> Result<(), Failure> {
    fn json(value: &impl Serialize) -> String {
        serde_json::to_string(value).expect("a run holds nothing that JSON cannot say")
    }
    let parts = [
        ("version", json(&first.version), json(&other.version)),
        ("settings", json(&first.settings), json(&other.settings)),
        ("player", json(&first.player), json(&other.player)),
        ("number of games", json(&first.games), json(&other.games)),
    ];
    match parts.iter().find(|(_, expected, found)| expected != found) {
        None => Ok(()),
        Some((what, expected, found)) => Err(Failure::input(anyhow!(
            "{}: different {what} from {}: expected {expected}, found {found}",
            path.display(),
            first_path.display()
        ))),
    }
}

/// `3, 7 to 9, 12`
fn missing_games(results: &[GameResult], games: u64) -> String {
    let mut ranges = Vec::new();
    let mut next = 0;
    for there in results.iter().map(|result| result.game).chain([games]) {
        match there - next {
            0 => {}
            1 => ranges.push(next.to_string()),
            _ => ranges.push(format!("{next} to {}", there - 1)),
        }
        next = there + 1;
    }
    let more = if ranges.len() > NAMED { " and others" } else { "" };
    ranges.truncate(NAMED);
    ranges.join(", ") + more
}
