//! `maxout tas --merge`: the fastest game of the results of many shards.

use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, anyhow};

use super::args::Tas;
use super::best::Best;
use super::words::{Outcome, Summary};
use super::{Made, finish, write};
use crate::files::outputs::Claims;
use crate::system::failure::Failure;
use maxout_formats::limited;
use maxout_lab::tas::shard::{LONGEST, ShardResult};

/// Most seeds that an error lists. Chosen by hand, not measured.
const NAMED: usize = 8;

/// Reads the files, plays the fastest game and writes it.
pub(super) fn run(args: &Tas, claims: &mut Claims) -> Result<ExitCode, Failure> {
    let begun = Instant::now();
    let results: Vec<ShardResult> = args.merge.iter().map(|path| read(path)).collect::<Result<_, _>>()?;
    belong_together(args, &results)?;
    let mut best: Option<Best> = None;
    for (path, result) in args.merge.iter().zip(&results) {
        let wrong = |problem: String| Failure::input(anyhow!("{}: {problem}", path.display()));
        // Every game is played: a damaged file is named.
        if let Some((settings, played)) = result.played().map_err(|error| wrong(error.to_string()))? {
            best = Best::faster(best, Best { settings, played });
        }
    }
    let Some(Best { settings, played }) = best else {
        return Err(Failure::run(anyhow!("no shard has found a game: a wider search (--width) gets further")));
    };
    let interrupted = results.iter().any(|result| result.interrupted);
    let outcome = if interrupted { Outcome::Interrupted } else { Outcome::Done };
    let made = if results.iter().any(|result| result.run().plans()) { Made::Planned } else { Made::Searched };
    let console = write(args, &settings, made, &played, claims)?;
    let seconds = begun.elapsed().as_secs_f64();
    finish(args, &Summary::new(&settings, outcome, None, &played, console, seconds), interrupted)
}

fn read(path: &Path) -> Result<ShardResult, Failure> {
    let name = path.display();
    let text = limited::read_text(path, LONGEST).with_context(|| format!("cannot read {name}"));
    ShardResult::parse(&text.map_err(Failure::input)?).map_err(|error| Failure::input(anyhow!("{name}: {error}")))
}

/// Are they of one run, each seed in one of them?
fn belong_together(args: &Tas, results: &[ShardResult]) -> Result<(), Failure> {
    let [first, ..] = results else { return Ok(()) };
    for (path, result) in args.merge.iter().zip(results) {
        if let Some(difference) = first.run().difference(result.run()) {
            let (path, first) = (path.display(), args.merge[0].display());
            return Err(Failure::input(anyhow!("{path}: expected {difference}; {first} is of another run")));
        }
    }
    let mut missing = Vec::new();
    for index in 0..first.run().seeds() {
        let mut holding = args.merge.iter().zip(results).filter(|(_, result)| result.shard.holds(index));
        match (holding.next(), holding.next()) {
            (None, _) => missing.push(index + 1),
            (Some((path, _)), Some((other, _))) => {
                let (path, other) = (path.display(), other.display());
                return Err(Failure::input(anyhow!(
                    "seed {} of the run is in {path} and again in {other}; leave one of these files out",
                    index + 1
                )));
            }
            (Some(_), None) => {}
        }
    }
    if missing.is_empty() {
        return Ok(());
    }
    let more = if missing.len() > NAMED { " and others" } else { "" };
    let which: Vec<String> = missing.iter().take(NAMED).map(u64::to_string).collect();
    let words = format!("{} of {} seeds are missing: {}{more}", missing.len(), first.run().seeds(), which.join(", "));
    if args.partial {
        log::warn!("{words}");
        return Ok(());
    }
    Err(Failure::input(anyhow!("{words}; give the files with these seeds, or use --partial")))
}
