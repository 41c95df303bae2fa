//! `maxout bench-formats`: a player in the published formats of another, beside its results.

pub(crate) mod args;
mod kept;
mod result;
mod text;

use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, anyhow};

use self::args::BenchFormats;
use self::kept::Kept;
use self::result::{BenchFormatsResult, FormatResult};
use crate::command::simulate::args::without_target;
use crate::config::Config;
use crate::files::outputs::{Claims, Outputs};
use crate::player::source::PlayerSource;
use crate::system::cores::cores;
use crate::system::failure::{FAILED, Failure};
use crate::system::interrupt::stop_on_interrupt;
use crate::system::output::{print, print_json};
use crate::system::progress::{Progress, Unit};
use maxout_engine::planner::{self, Input};
use maxout_formats::{Kind, whole};
use maxout_lab::published::{self, Published, betatetris};
use maxout_lab::simulate::{self, Job, RunId};

/// One format of the run: what is published, who plays it, and the games.
struct Played {
    published: &'static Published,
    source: PlayerSource,
    kept: Kept,
}

pub(crate) fn run(args: &BenchFormats) -> Result<ExitCode, Failure> {
    let mut config = Config::load(args.config.as_deref()).map_err(Failure::input)?;
    args.judge.apply(&mut config);
    args.think.apply(&mut config);
    without_target(&config)?;
    without_aim(&config)?;
    let settings = published::settings(args.seed);
    config.planner = planner::Settings {
        input: Input::Taps,
        rules: settings.rules,
        last_line: settings.until.last_line(),
        ..config.planner
    };
    config.bot.start_level = settings.start_level;
    let chosen: Vec<&Published> = betatetris()
        .iter()
        .filter(|published| args.formats.is_empty() || args.formats.contains(&published.format))
        .collect();
    if let Some(required) = args.require.filter(|&required| required > chosen.len()) {
        let most = chosen.len();
        return Err(Failure::input(anyhow!(
            "--require: expected at most {most}, the number of formats, found {required}"
        )));
    }
    let everybody = PlayerSource::of_evaluator(&config)?;
    let _claims = claim(args, &config, &chosen)?;
    let stop = stop_on_interrupt();

    let open = |published: &'static Published| {
        let format = &published.format;
        let planner = planner::Settings {
            tap_rate: format.tapping,
            reaction_frames: format.reaction_frames,
            ..config.planner.clone()
        };
        let source = everybody.with_planner(planner);
        let version = env!("CARGO_PKG_VERSION").to_owned();
        let run = RunId { version, settings, player: source.id(), games: args.games, shard: args.shard };
        let kept = Kept::open(args.out.as_deref(), format, run)?;
        Ok(Played { published, source, kept })
    };
    let mut formats: Vec<Played> = chosen.into_iter().map(open).collect::<Result<_, Failure>>()?;
    play(args, &settings, &mut formats, &stop)?;

    let results = formats.iter().map(|played| FormatResult::of(played.published, &settings, played.kept.games()));
    let id = everybody.id();
    let result = BenchFormatsResult {
        version: env!("CARGO_PKG_VERSION"),
        settings,
        player: player_of(&config, &id),
        weights_sha1: id.weights_sha1,
        games: args.games,
        formats: results.collect(),
        higher: 0,
        ahead: 0,
        behind: 0,
        required: None,
    };
    let result = result.counted(args.require);
    if let Some(path) = &args.report {
        let page = result.markdown(&args.command());
        whole::replace(path, page.as_bytes())
            .with_context(|| format!("cannot write {}", path.display()))
            .map_err(Failure::run)?;
    }
    if args.json {
        print_json(&result)?
    } else {
        print(&result.text())?
    }
    let is_missed = stop.load(Ordering::Relaxed) || result.required == Some(false);
    Ok(if is_missed { ExitCode::from(FAILED) } else { ExitCode::SUCCESS })
}

/// Checks the outputs and keeps other runs from writing them; makes the folder of the games.
fn claim(args: &BenchFormats, config: &Config, chosen: &[&Published]) -> Result<Claims, Failure> {
    let mut files = Vec::new();
    let mut made = None;
    if let Some(folder) = &args.out {
        made = folder.ancestors().take_while(|path| !path.as_os_str().is_empty() && !path.exists()).last();
        std::fs::create_dir_all(folder)
            .with_context(|| format!("cannot make the folder {}", folder.display()))
            .map_err(Failure::input)?;
        files.extend(chosen.iter().map(|published| kept::file(folder, &published.format, args.shard)));
    }
    let outputs = Outputs::new(args.overwrite).reads("--config", &args.config).reads_player(config).whole(
        "--report",
        &args.report,
        |_: &Path| Kind::Formats,
    );
    let claimed =
        files.iter().fold(outputs, |outputs, file| outputs.continues("--out", Some(file), Kind::Games)).claim();
    if let (Err(_), Some(top), Some(folder)) = (&claimed, made, &args.out) {
        // A run that does not start leaves no folder.
        let ours = folder.ancestors().take_while(|path| path.starts_with(top));
        ours.for_each(|path| drop(std::fs::remove_dir(path)));
    }
    claimed
}

/// Plays what is missing, format by format.
fn play(
    args: &BenchFormats,
    settings: &simulate::Settings,
    formats: &mut [Played],
    stop: &AtomicBool,
) -> Result<(), Failure> {
    let threads = args.threads.map_or_else(cores, usize::from);
    let missing: Vec<Vec<(u64, u64)>> = formats.iter().map(|played| played.kept.missing(args.games)).collect();
    let total = missing.iter().flatten().map(|(_, games)| games).sum();
    let mut progress = Progress::new("", Unit::Games, Some(total));
    let mut done = 0;
    let step = args.shard.job(*settings, args.games, threads).step;
    for (Played { source, kept, .. }, ranges) in formats.iter_mut().zip(missing) {
        for (first, games) in ranges {
            let job = Job { settings: *settings, first, games, step, threads };
            let mut failed = None;
            let ended = simulate::run(&job, &|| source.make(), stop, &mut |played| {
                done += 1;
                progress.at(done);
                if let Err(error) = kept.add(played.result) {
                    // The disk may be full: stop, because further games could not be kept.
                    failed.get_or_insert(error);
                    stop.store(true, Ordering::Relaxed);
                }
            });
            // Before a player's error is returned: the games until then are kept.
            kept.write()?;
            failed.map_or(Ok(()), Err)?;
            ended.map_err(Failure::run)?;
            if stop.load(Ordering::Relaxed) {
                return Ok(());
            }
        }
    }
    Ok(())
}

/// Refuses an aim: most formats have a reaction time, and their means are compared.
fn without_aim(config: &Config) -> Result<(), Failure> {
    match config.planner.aim {
        aim if aim.is_mean() => Ok(()),
        aim => Err(Failure::input(anyhow!("expected settings with the aim mean, found {aim}: remove it"))),
    }
}

/// The player without what the formats set: `learned (weights 0f3a6c21), think fixed:3`.
fn player_of(config: &Config, id: &simulate::PlayerId) -> String {
    let think = config.planner.think.map(|think| format!(", think {}", think.describe()));
    format!("{}{}", id.named(), think.unwrap_or_default())
}
