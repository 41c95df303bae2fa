//! `maxout tas`: searches for the fastest tool-assisted game.

mod args;
mod best;
mod improve;
mod kept;
mod lists;
mod merge;
mod plan;
mod words;

use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use anyhow::anyhow;

pub(crate) use args::Tas;
use best::Best;
use words::{Outcome, Shown, Summary};

use crate::console::crashes::CrashesChoice;
use crate::console::power::{ConsoleChoice, Powered, switch_on};
use crate::console::ram_map;
use crate::files::outputs::{Claims, Outputs, begun};
use crate::files::playback;
use crate::files::run_files::{self, origin};
use crate::system::failure::{FAILED, Failure};
use crate::system::interrupt::stop_on_interrupt;
use crate::system::output::{print, print_json, say};
use crate::system::paths::is_special;
use maxout_engine::console::Video;
use maxout_engine::game::memory::GameType;
use maxout_formats::fm2::Step;
use maxout_formats::{Kind, Presses, limited, whole};
use maxout_lab::tas::shard::{SeedsRun, ShardResult};
use maxout_lab::tas::{Count, Goal, Played, Search, Settings, checkpoint as layers};

/// Searches, writes the game that it found and prints the summary.
pub(crate) fn run(args: &Tas) -> Result<ExitCode, Failure> {
    let mut claims = claim(args)?;
    // A console that does not start must not cost a search. What comes through a pipe can be read once.
    if !matches!(&args.console, Some(ConsoleChoice::Rom(path)) if is_special(path)) {
        switch_on_console(args)?;
    }
    if !args.merge.is_empty() {
        return merge::run(args, &mut claims);
    }
    let settings = args.settings()?;
    match &args.improve {
        Some(movie) if args.replans.is_none() => return improve::run(args, movie, settings, &mut claims),
        None if !args.plan => {}
        movie => return plan::run(args, movie.as_deref(), settings, &mut claims),
    }
    let stop = stop_on_interrupt();
    let (goal, start_level) = (settings.goal, settings.start_level);
    say(&format!("tool-assisted search: {goal} from level {start_level}, at most {} games a layer", settings.width));
    let begun = Instant::now();
    let mut best: Option<Best> = None;
    let mut interrupted = false;
    for seed in args.seeds() {
        let settings = Settings { seed, ..settings.clone() };
        let mut search = begin(args, &settings)?;
        interrupted = search_on(args, &mut search, begun, &stop)?;
        if let Some(path) = &args.checkpoint {
            save(CHECKPOINT, path, &layers::write(&search))?;
        }
        if let Some(found) = search.found() {
            best = Best::faster(best, Best::of(settings, &found)?.say(args));
        }
        if interrupted {
            break;
        }
    }
    write_result(args, SeedsRun::new(&settings, args.seeds, None), interrupted, best.as_ref())?;
    let seconds = begun.elapsed().as_secs_f64();
    let outcome = if interrupted { Outcome::Interrupted } else { Outcome::Done };
    let Some(Best { settings, played }) = best else {
        let (how, advice) = if interrupted {
            ("stopped before", kept::advice(args.checkpoint.as_deref()))
        } else {
            ("the search ended without", "a wider search (--width) gets further")
        };
        return Err(Failure::run(anyhow!("{how} a game that reaches {goal}: {advice}")));
    };
    let console = write(args, &settings, Made::Searched, &played, &mut claims)?;
    let summary = Summary::new(&settings, outcome, None, &played, console, seconds);
    finish(args, &summary, interrupted)
}

/// Writes the fastest game of these seeds for `--merge`, if that is wanted.
fn write_result(args: &Tas, run: SeedsRun, interrupted: bool, best: Option<&Best>) -> Result<(), Failure> {
    let Some(path) = &args.result else { return Ok(()) };
    let game = best.map(|best| (best.settings.seed, &best.played));
    let result = ShardResult::new(run, args.shard, interrupted, game);
    whole::replace(path, result.text().as_bytes()).map_err(|error| {
        Failure::run(anyhow::Error::new(error).context(format!("cannot write the result {}", path.display())))
    })
}

/// Prints the summary; the exit code.
fn finish(args: &Tas, summary: &Summary, interrupted: bool) -> Result<ExitCode, Failure> {
    if args.json {
        print_json(summary)?
    } else {
        print(&summary.text())?
    }
    Ok(if interrupted { ExitCode::from(FAILED) } else { ExitCode::SUCCESS })
}

/// Checks all files before the search.
fn claim(args: &Tas) -> Result<Claims, Failure> {
    let mut outputs =
        Outputs::new(args.files.overwrite).reads("--weights", &args.weights).reads("--improve", &args.improve);
    outputs = outputs.reads_console(&args.console.clone().unwrap_or_default());
    for (index, (path, format)) in args.files.files()?.iter().enumerate() {
        outputs = outputs.grows(args.files.flag_of(index), path, Kind::Frames(*format));
    }
    outputs = outputs.reads("--merge", &args.merge).whole("--result", &args.result, |_| Kind::TasShard);
    outputs = outputs.continues("--lists", args.lists.as_deref(), Kind::TasLists);
    outputs.continues("--checkpoint", args.checkpoint.as_deref(), Kind::TasCheckpoint).claim()
}

/// A new search, or the one of the checkpoint.
fn begin(args: &Tas, settings: &Settings) -> Result<Search, Failure> {
    let read = |bytes: &[u8]| layers::read(bytes, settings.clone());
    let Some(search) = read_kept(CHECKPOINT, args.checkpoint.as_deref(), layers::LONGEST, read)? else {
        return Ok(Search::new(settings.clone()));
    };
    say(&format!("continuing after {} pieces", search.pieces()));
    Ok(search)
}

/// What a checkpoint is called in messages.
const CHECKPOINT: &str = "the checkpoint";

/// Reads a checkpoint or lists (`what`) of at most `longest` bytes; `None` without a file, or if it is empty.
fn read_kept<T, E: std::error::Error + Send + Sync + 'static>(
    what: &str,
    path: Option<&Path>,
    longest: u64,
    read: impl FnOnce(&[u8]) -> Result<T, E>,
) -> Result<Option<T>, Failure> {
    let Some(path) = begun(path) else { return Ok(None) };
    let failed = |error: anyhow::Error| Failure::input(error.context(format!("{what} {}", path.display())));
    let bytes = limited::read(path, longest).map_err(|error| failed(error.into()))?;
    read(&bytes).map(Some).map_err(|error| failed(error.into()))
}

/// Writes a checkpoint or lists (`what`).
fn save(what: &str, path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    whole::replace(path, bytes).map_err(|error| {
        Failure::run(anyhow::Error::new(error).context(format!("cannot write {what} {}", path.display())))
    })
}

/// Searches layer by layer; was it interrupted?
fn search_on(args: &Tas, search: &mut Search, begun: Instant, stop: &AtomicBool) -> Result<bool, Failure> {
    let threads = args.threads();
    let mut shown = Shown::new(args.minutes.map(|limit| limit.saturating_sub(begun.elapsed())));
    let mut saved = Instant::now();
    while !search.is_over() {
        let Some(layer) = search.layer(threads, stop) else { return Ok(true) };
        shown.layer(&layer, search);
        if let Some(path) = args.checkpoint.as_ref().filter(|_| saved.elapsed() >= args.every) {
            save(CHECKPOINT, path, &layers::write(search))?;
            saved = Instant::now();
        }
        if shown.is_time_up() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// How a game was made.
#[derive(Debug, Clone, Copy)]
enum Made<'a> {
    /// By a search piece by piece.
    Searched,
    /// By a plan first.
    Planned,
    /// From this movie; if it was the first plan: how often parts were planned again.
    Improves { movie: &'a str, replans: Option<u32> },
}

/// The console that checks the game.
fn switch_on_console(args: &Tas) -> Result<Powered, Failure> {
    switch_on(&args.console.clone().unwrap_or_default(), false, CrashesChoice::Auto, Video::Off)
}

/// Plays the game on the console and writes its files; the console's name.
fn write(
    args: &Tas,
    settings: &Settings,
    made: Made<'_>,
    played: &Played,
    claims: &mut Claims,
) -> Result<String, Failure> {
    let mut powered = switch_on_console(args)?;
    let decoder = ram_map::decoder(None)?;
    let provenance = provenance(&powered, settings, made, args.files.details.date.as_deref());
    let mut writers = Vec::new();
    for (index, (path, format)) in args.files.files()?.into_iter().enumerate() {
        // When the last button counts, a movie ends with it.
        let is_cut = settings.count == Count::Input && args.files.flag_of(index) == "--movie";
        let frames = if is_cut { played.length as usize } else { usize::MAX };
        let writer = run_files::run_writer(claims, &path, format, &provenance, args.files.details.options())?;
        writers.push((frames, writer));
    }
    let steps = Presses::Steps(played.buttons.iter().map(|&buttons| Step::Frame(buttons)).collect());
    let mut at = 0;
    let result = playback::play(&steps, &mut powered, &decoder, 0, |step| {
        at += 1;
        let mut open = writers.iter_mut().filter(|(frames, _)| at <= *frames).map(|(_, writer)| writer);
        open.try_for_each(|writer| Ok(writer.take(step)?))
    })?;
    for (_, mut writer) in writers {
        writer.finish().map_err(Failure::run)?;
    }
    let snapshot = &result.snapshot;
    let found = match settings.goal {
        Goal::Score(_) => (snapshot.score, played.score),
        Goal::Lines(_) | Goal::BType(_) => (u32::from(snapshot.lines), u32::from(played.lines)),
        Goal::Level(_) => (u32::from(snapshot.level), u32::from(played.level)),
    };
    if found.0 != found.1 {
        let problem = format!("{}: expected {}, found {}", settings.goal, found.1, found.0);
        return Err(Failure::run(anyhow!("{} plays the game differently: {problem}", powered.name())));
    }
    Ok(powered.name().to_owned())
}

/// The header of logs and movies: it says that no person and no bot could press this.
fn provenance(
    powered: &Powered,
    settings: &Settings,
    made: Made<'_>,
    date: Option<&str>,
) -> maxout_formats::Provenance {
    let mut of_search = serde_json::json!({
        "tool-assisted": true,
        "goal": settings.goal.to_string(),
        "count": settings.count.to_string(),
        "width": settings.width,
        "menu-delay": settings.menu_delay,
    });
    match made {
        Made::Searched => {
            of_search["pause"] = settings.longest_pause.into();
            of_search["same-playfield"] = settings.same_playfield.into();
            of_search["noise"] = settings.noise.into();
        }
        Made::Planned => of_search["plan"] = true.into(),
        Made::Improves { movie, replans } => {
            of_search["improves"] = movie.into();
            if let Some(replans) = replans {
                of_search["replans"] = replans.into();
            }
        }
    }
    let game_type = match settings.goal.game_type() {
        GameType::A => "A",
        GameType::B => "B",
    };
    origin(powered)
        .with("seed", settings.seed)
        .with("start-level", settings.start_level)
        .with("game-type", game_type)
        .with("player", "tool-assisted search")
        .with("settings", of_search)
        .closed(date)
}
