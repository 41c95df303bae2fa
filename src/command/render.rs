//! `maxout render`: makes a film of a log or movie.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::anyhow;

use crate::config::Config;
use crate::console::flags::Playback;
use crate::console::power::Powered;
use crate::files::film::FilmArgs;
use crate::files::outputs::{Outputs, Overwrite};
use crate::files::playback;
use crate::files::run_files::format_of_input;
use crate::player::source::{PlayerSource, value_unit};
use crate::system::failure::Failure;
use crate::system::output::print;
use crate::system::paths::{self, is_special};
use maxout_engine::bot::{Flow, FrameSink};
use maxout_engine::console::Video;
use maxout_engine::planner::Player;
use maxout_engine::ram::Decoder;
use maxout_formats::replay::Retrace;
use maxout_formats::{InputFile, PlayedStep, Provenance};
use maxout_screen::RunHeader;
use maxout_screen::numbers::thousands;

/// `maxout render`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  maxout render game.csv -o game.mp4
  maxout render movie.fm2 tetris.nes -o game.gif --record-overlay off --record-speed 4
  maxout render game.jsonl.gz -o end.png --record-from 24000 --record-to 24386

The log or movie is played from power-on. If its header says that the bot played the game
(logs, FM2, BK2), the bot plans every piece again, and the film is the same, byte for byte,
as that of play --record. The film of any other game shows no plans.

Exit codes: 0 done, 1 the replay failed or was stopped, 2 bad usage or input, or nothing to film.")]
pub(crate) struct Render {
    /// Log or movie to film: .csv or .jsonl (also .gz), .fm2, .bk2 or .r08
    #[arg(value_name = "FILE")]
    pub movie: PathBuf,
    /// What plays it.
    #[command(flatten)]
    pub playback: Playback,
    /// Frames to play past the end, without buttons; ends at a topout
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub past_the_end: u64,
    /// Film to write, the same as --record; may be repeated
    #[arg(short, long, value_name = "FILE", group = "films")]
    pub output: Vec<PathBuf>,
    /// What may be replaced.
    #[command(flatten)]
    pub overwrite: Overwrite,
    /// What to film.
    #[command(flatten)]
    pub film: FilmArgs,
}

pub(crate) fn run(mut args: Render) -> Result<ExitCode, Failure> {
    args.film.record.append(&mut args.output);
    let args = &args;
    if !args.film.is_wanted() {
        return Err(Failure::input(anyhow!("expected a film to be written: -o FILE.gif, .png or .mp4")));
    }
    let films = args.film.films()?;
    let format = format_of_input(&args.movie, args.playback.from)?;
    let input = InputFile::open(&args.movie, format).map_err(Failure::input)?;
    let outputs = Outputs::new(args.overwrite).reads("the input", [&args.movie]).reads_playback(&args.playback);
    let outputs = match settings_of(&input.provenance) {
        Some(config) => outputs.reads_player(&config),
        None => outputs,
    };
    let mut claims = films.add_to(outputs).claim()?;
    let decoder = args.playback.decoder()?;
    let mut powered = args.playback.power_on(Video::On)?;
    films.check(&powered)?;
    playback::warn_of_differences(&input, &powered);
    let (mut retrace, header) = recalled(&input.provenance, &powered, &decoder, &paths::file_name(&args.movie));
    let known = retrace.parted().is_none();
    let Some(mut camera) = films.start(&mut claims, header)? else { return Ok(ExitCode::SUCCESS) };

    let played =
        playback::play_until_stopped(&input.presses, &mut powered, &decoder, args.past_the_end, |step, console| {
            let is_frame = matches!(step, PlayedStep::Frame { .. });
            let picture = if is_frame && camera.wants_picture() { console.picture() } else { None };
            retrace.take(step, picture.as_ref(), |report| camera.frame(report)).transpose()?;
            Ok(if camera.is_done() { Flow::Stop } else { Flow::Continue })
        });
    // Even when the replay failed: what was filmed stays.
    camera.finish()?;
    let nothing = camera.nothing_filmed();
    let result = played?.finished(if nothing.is_some() { "nothing was filmed" } else { "the film ends there" })?;
    if let Some(nothing) = nothing {
        return Err(Failure::input(anyhow!("{nothing}")));
    }
    playback::warn_of_stuck(&result);
    let frames = result.frames;
    if let Some(frame) = retrace.parted().filter(|&frame| known && frame + 1 < frames) {
        log::warn!("the player presses something else from frame {frame} on; no plan is shown from there");
    }
    print(&format!("{} frames played on {}\n", thousands(frames), powered.name()))?;
    Ok(ExitCode::SUCCESS)
}

/// The settings of the run that the header of a file describes.
fn settings_of(provenance: &Provenance) -> Option<Config> {
    provenance.get("settings").and_then(|text| serde_json::from_str(text).ok())
}

/// Who has played, and what is known of it.
fn recalled(provenance: &Provenance, powered: &Powered, decoder: &Decoder, name: &str) -> (Retrace, RunHeader) {
    let rom = powered.name().to_owned();
    let Some(mut config) = settings_of(provenance) else {
        let header = RunHeader { rom, evaluator: name.to_owned(), ..RunHeader::default() };
        return (Retrace::of_anybody(), header);
    };
    config.planner.crashes = powered.crashes;
    let player = provenance.get("player").unwrap_or_default();
    let header = RunHeader {
        rom,
        seed: format!("seed {}", config.bot.seed),
        evaluator: player.to_owned(),
        unit: value_unit(player).to_owned(),
        input: config.planner.describe(),
        mark: config.planner.mark(),
        start_level: config.bot.start_level,
        menu_frames: None,
        until: config.bot.until.to_string(),
    };
    let retrace = match player_of(&config) {
        Some(made) if made.name() == player => {
            let retrace = Retrace::of(made, config.bot.start_level, config.bot.seed);
            retrace.until(config.bot.until).seeing_scenes(decoder.is_of_the_original())
        }
        // An external player, or a weights file that is gone.
        _ => Retrace::of_anybody(),
    };
    (retrace, header)
}

/// The player of these settings. The files that the header of a recording names are read only if they are ordinary ones: nothing
/// may ever come out of a pipe.
fn player_of(config: &Config) -> Option<Box<dyn Player>> {
    if config.player_files().any(|(_, path)| is_special(path)) {
        return None;
    }
    PlayerSource::of_evaluator(config).and_then(|source| source.make_one()).ok()
}
