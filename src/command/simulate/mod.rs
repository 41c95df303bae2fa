//! `maxout simulate`, `compare` and `merge`: many games on the rules model.

pub(crate) mod args;
mod compare;
mod machine;
mod merge;
mod picture;
mod result;
mod text;

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::time::Instant;

pub(crate) use compare::run as compare;
pub(crate) use merge::run as merge;

use anyhow::anyhow;

use self::args::Simulate;
use self::machine::Machine;
use self::result::SimulateResult;
use crate::config::Config;
use crate::files::outputs::{self, Claims, Outputs, begun};
use crate::player::source::PlayerSource;
use crate::system::failure::{FAILED, Failure};
use crate::system::interrupt::stop_on_interrupt;
use crate::system::progress::{Progress, Unit};
use crate::system::stdout::{is_stdout, stdout};
use maxout_formats::Kind;
use maxout_lab::games::{Games, GamesWriter};
use maxout_lab::plot::DrawnGames;
use maxout_lab::simulate::{self, Collector, Decisions, GameResult, Job, RunId};

/// `maxout simulate`.
pub(crate) fn run(args: &Simulate) -> Result<ExitCode, Failure> {
    let mut config = Config::load(args.games.config.as_deref()).map_err(Failure::input)?;
    args.games.apply(&mut config)?;
    args.player.apply(&mut config)?;
    args::without_target(&config)?;
    args::with_generator(&config, config.simulate.pieces)?;
    let mut claims = Outputs::new(args.overwrite)
        .reads("--config", &args.games.config)
        .reads_player(&config)
        .grows_if("--csv", args.csv.as_deref(), Kind::Games)
        .whole("--plot", &args.plot, outputs::picture)
        .claim()?;
    let source = PlayerSource::new(&config, &args.player)?;
    let run = RunId {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        settings: args::settings(&config, &args.games),
        player: source.id(),
        games: config.simulate.games,
        shard: args.shard,
    };
    let mut job = run.shard.job(run.settings, run.games, args.games.threads());
    let all = job.games;
    let begun = read_begun(args, &run, &mut job)?;
    let stop = stop_on_interrupt();

    let mut collector = Collector::new(&run.settings);
    let mut decisions = Decisions::default();
    // The rows begin with the first game: a player that does not start leaves an old file as it was.
    let mut csv = None;
    let mut csv_error = None;
    let mut drawn = DrawnGames::default();
    for result in begun.iter().flat_map(|begun| &begun.results) {
        collector.add(result);
        drawn.add(result);
    }
    let (games_before, pieces_before) = (collector.games(), collector.pieces());
    let since = Instant::now();
    let mut progress = Progress::new("", Unit::Games, Some(job.games));
    let mut done = 0;
    let played = simulate::run(&job, &|| source.make(), &stop, &mut |played| {
        done += 1;
        progress.at(done);
        collector.add(&played.result);
        decisions.merge(&played.decisions);
        if csv_error.is_none()
            && let Err(error) =
                begin(&mut csv, args, &run, begun.as_ref(), &mut claims).and_then(|csv| write(csv, &played.result))
        {
            // The disk may be full: stop, because further games could not be kept.
            csv_error = Some(error);
            stop.store(true, Ordering::Relaxed);
        }
        drawn.add(&played.result);
    });
    drop(progress);
    let wall = since.elapsed();
    if let Some(error) = csv_error {
        return Err(error);
    }
    if played.is_ok() {
        begin(&mut csv, args, &run, begun.as_ref(), &mut claims)?;
    }
    // Before a player's error is returned: the games until then are kept.
    csv.as_mut().map_or(Ok(()), GamesWriter::flush).map_err(Failure::run)?;
    let missing = all - collector.games();
    let (games, pieces) = (collector.games() - games_before, collector.pieces() - pieces_before);
    let machine = Machine::new(job.threads, wall, games, pieces, &decisions);
    SimulateResult::new(&run, missing, collector.statistics(), Some(machine))
        .print(args.json, args.csv.as_deref().is_some_and(is_stdout))?;
    // The error comes last, so that the report over the finished games is printed first.
    played.map_err(Failure::run)?;
    if let Some(path) = &args.plot {
        picture::draw(path, &run.settings, vec![(&run.player, drawn)])?;
    }
    Ok(if missing == 0 { ExitCode::SUCCESS } else { ExitCode::from(FAILED) })
}

type Csv = GamesWriter<Box<dyn Write>>;

/// The games that the CSV file has of this run, if it is to go on with them; the others are left to be played.
fn read_begun(args: &Simulate, run: &RunId, job: &mut Job) -> Result<Option<Games>, Failure> {
    let Some(path) = args.csv.as_deref().filter(|_| args.resume) else { return Ok(None) };
    if is_stdout(path) {
        return Err(Failure::input(anyhow!("--resume needs a file: give --csv a name in place of {}", path.display())));
    }
    let Some(path) = begun(Some(path)) else { return Ok(None) };
    let found = Games::open(path).map_err(Failure::input)?;
    let advice = "give the flags of that run, or another file";
    if let Some(difference) = run.difference(&found.run) {
        return Err(Failure::input(anyhow!("{}: expected {difference}; {advice}", path.display())));
    }
    if run.shard != found.run.shard {
        let (path, expected, found) = (path.display(), run.shard, found.run.shard);
        return Err(Failure::input(anyhow!("{path}: expected shard {expected}, found {found}; {advice}")));
    }
    for result in &found.results {
        if result.game != job.first {
            let (path, expected, found) = (path.display(), job.first, result.game);
            let words = format!("{path}: expected game {expected}, found game {found}: games are missing before it");
            return Err(Failure::input(anyhow!("{words}; give another file")));
        }
        job.first += job.step;
        job.games -= 1;
    }
    Ok(Some(found))
}

/// The CSV file, started or gone on with if it is not yet; `None` if there is none.
fn begin<'a>(
    csv: &'a mut Option<Csv>,
    args: &Simulate,
    run: &RunId,
    begun: Option<&Games>,
    claims: &mut Claims,
) -> Result<Option<&'a mut Csv>, Failure> {
    if csv.is_none() {
        *csv = match (args.csv.as_deref(), begun) {
            (Some(path), Some(begun)) => Some(GamesWriter::resume(claims.take(path)?, begun).map_err(Failure::run)?),
            (Some(path), None) => Some(games_writer(path, run, claims)?),
            (None, _) => None,
        };
    }
    Ok(csv.as_mut())
}

fn write(csv: Option<&mut Csv>, result: &GameResult) -> Result<(), Failure> {
    csv.map_or(Ok(()), |csv| csv.write(result)).map_err(Failure::run)
}

/// Starts a CSV file of games; `-` is standard output.
fn games_writer(path: &Path, run: &RunId, claims: &mut Claims) -> Result<Csv, Failure> {
    if is_stdout(path) {
        let rows: Box<dyn Write> = Box::new(stdout());
        return GamesWriter::new(rows, Path::new("standard output"), run).map_err(Failure::run);
    }
    GamesWriter::start(claims.take(path)?, run).map_err(Failure::run)
}
