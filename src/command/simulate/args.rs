//! The arguments of simulations.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::anyhow;
use clap::ArgAction;
use clap::builder::{PathBufValueParser, TypedValueParser};

use crate::config::Config;
use crate::config::override_with;
use crate::console::crashes::CrashesChoice;
use crate::files::outputs::Overwrite;
use crate::player::flags::{MoveArgs, PlayerArgs, check_level_goal};
use crate::player::values::seconds;
use crate::system::cores::cores;
use crate::system::failure::Failure;
use maxout_engine::game::{HIGHEST_START_LEVEL, Ruleset};
use maxout_lab::plot;
use maxout_lab::simulate::{self, PieceSource, Scoring, Shard, Until};

/// `maxout simulate`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  maxout simulate --games 1000
  maxout simulate --evaluator el-tetris --until topout --json
  maxout simulate --games 1000 --plot points.svg
  maxout simulate --games 100000 --shard 3/8 --csv shard3.csv
  maxout simulate --games 100000 --csv games.csv --resume

Exit codes: 0 all games were played, 1 the run was stopped; the report then covers the
finished games.")]
pub(crate) struct Simulate {
    /// Which games.
    #[command(flatten)]
    pub games: GamesArgs,
    /// Who plays them.
    #[command(flatten)]
    pub player: PlayerArgs,
    /// Play only shard I of N, for example 3/8; --games counts the games of all shards, and maxout merge
    /// puts them together
    #[arg(long, help_heading = "Games", value_name = "I/N", default_value = "1/1")]
    pub shard: Shard,
    /// Write a CSV file with one row per game, - for standard output; rows are written while the run goes
    /// on
    #[arg(long, help_heading = "Output", value_name = "FILE")]
    pub csv: Option<PathBuf>,
    /// Go on with the file of --csv that a run with the same flags has left: its games are not played again. An empty
    /// file or none is begun
    #[arg(long, help_heading = "Output", action = ArgAction::SetTrue, requires = "csv")]
    pub resume: bool,
    /// Draw points, lock rows and lock cells as a picture (.svg or .png)
    #[arg(long, help_heading = "Output", value_name = "FILE", value_parser = PathBufValueParser::new().try_map(picture))]
    pub plot: Option<PathBuf>,
    /// What may be replaced.
    #[command(flatten)]
    pub overwrite: Overwrite,
    /// Print the report as one JSON object
    #[arg(long, help_heading = "Output", action = ArgAction::SetTrue)]
    pub json: bool,
}

/// `maxout compare`.
#[derive(Debug, clap::Args)]
#[command(after_help = "A player is one of:
  birken-v2               an evaluator by name
  birken-v2:my.toml       an evaluator with a weights file
  my-weights.toml         a weights file; it names its evaluator
  my-settings.toml        a settings file; its [eval] and [planner] are used
  exec:COMMAND            an external player

Examples:
  maxout compare birken-v2 el-tetris --games 500
  maxout compare birken-v2 my-weights.toml --input taps --tap-rate 12

Both players play games with the same seeds. The game's own generator depends on the frames
played, so the pieces of a game differ once the players play differently. With --pieces
uniform both get the same pieces from start to end.

Exit codes: 0 all games were played, 1 the run was stopped.")]
pub(crate) struct Compare {
    /// First player
    pub a: String,
    /// Second player
    pub b: String,
    /// Which games.
    #[command(flatten)]
    pub games: GamesArgs,
    /// Time limit for each answer of an exec: player, in seconds, 0.001 to 86400 [default: 10]
    #[arg(long, help_heading = "Player", value_name = "SECONDS", value_parser = seconds)]
    pub player_timeout: Option<Duration>,
    /// How both move.
    #[command(flatten)]
    pub moves: MoveArgs,
    /// Draw points, lock rows and lock cells as a picture (.svg or .png)
    #[arg(long, help_heading = "Output", value_name = "FILE", value_parser = PathBufValueParser::new().try_map(picture))]
    pub plot: Option<PathBuf>,
    /// What may be replaced.
    #[command(flatten)]
    pub overwrite: Overwrite,
    /// Print the result as one JSON object
    #[arg(long, help_heading = "Output", action = ArgAction::SetTrue)]
    pub json: bool,
}

/// `maxout merge`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  maxout merge shard*.csv
  maxout merge shard*.csv --csv all.csv --json

The files must come from the same run: same seed, rules, player and version.

Exit codes: 0 done, 2 the files do not belong together, a game is there twice, or a game is
missing (allowed with --partial).")]
pub(crate) struct Merge {
    /// CSV files written by maxout simulate --csv
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// Report even if games are missing, and list the missing games
    #[arg(long, action = ArgAction::SetTrue)]
    pub partial: bool,
    /// Write the games of all files into one CSV file, - for standard output
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,
    /// Draw points, lock rows and lock cells as a picture (.svg or .png)
    #[arg(long, value_name = "FILE", value_parser = PathBufValueParser::new().try_map(picture))]
    pub plot: Option<PathBuf>,
    /// What may be replaced.
    #[command(flatten)]
    pub overwrite: Overwrite,
    /// Print the report as one JSON object
    #[arg(long, action = ArgAction::SetTrue)]
    pub json: bool,
}

/// Which games are simulated.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Games")]
pub(crate) struct GamesArgs {
    /// Number of games [default: 100]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub games: Option<u64>,
    /// Seed of the games: the same seed gives the same games [default: 1]
    #[arg(long, value_name = "S")]
    pub seed: Option<u64>,
    /// Level to start from, 0 to 19 [default: 19]
    #[arg(long, value_name = "LEVEL", value_parser = clap::value_parser!(u8).range(0..=i64::from(HIGHEST_START_LEVEL)))]
    pub start_level: Option<u8>,
    /// Rules: original, or ksx2 (from level 39 on a piece falls two rows in every frame)
    /// [default: original]
    #[arg(long, value_name = "RULES")]
    pub rules: Option<Ruleset>,
    /// Crashes: on (slow frames from level 133 on, crashes and hangs from level 155 on, as on the original),
    /// off, or auto (on with the rules of the original). Games up to level 132 are the same
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub crashes: CrashesChoice,
    /// When a game ends, apart from a topout: lines:N, level:N, score:N, pieces:N, rebirth (level 255 is
    /// followed by 0), rebirth:N (N times) or topout (nothing else) [default: lines:230]
    #[arg(long, value_name = "END")]
    pub until: Option<Until>,
    /// Where pieces come from: nes (the game's generator), uniform (each piece 1 in 7) or drought:N (nes
    /// with at least N other pieces before each I) [default: nes]
    #[arg(long, value_name = "SOURCE")]
    pub pieces: Option<PieceSource>,
    /// Points for a clear of n rows: nes (the game's rule), n2 (n * (n - 1) + 1) or flat (the game's
    /// rule at the start level throughout) [default: nes]
    #[arg(long, value_name = "RULE", value_parser = scoring)]
    pub scoring: Option<Scoring>,
    /// Number of threads; it does not change the results [default: one per core]
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..))]
    pub threads: Option<u16>,
    /// Settings file (TOML); flags override it
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
}

/// A path for a picture, checked before any game is played: its ending is known.
fn picture(path: PathBuf) -> Result<PathBuf, String> {
    plot::check(&path).map_err(|error| error.to_string())?;
    Ok(path)
}

/// Refuses a target score, which only `maxout play` can aim at.
pub(crate) fn without_target(config: &Config) -> Result<(), Failure> {
    match config.planner.target_score {
        None => Ok(()),
        Some(score) => Err(Failure::input(anyhow!(
            "expected settings without target-score, found {score}: remove it, or use maxout play --target-score"
        ))),
    }
}

/// Refuses to read the piece generator where other pieces come.
pub(super) fn with_generator(config: &Config, pieces: PieceSource) -> Result<(), Failure> {
    let rng = config.planner.rng;
    if rng.is_honest() || pieces == PieceSource::Nes {
        return Ok(());
    }
    Err(Failure::input(anyhow!(
        "--rng {rng} needs the pieces of the game's generator, found --pieces {pieces}: choose --pieces nes or --rng honest"
    )))
}

fn scoring(text: &str) -> Result<Scoring, String> {
    match text {
        "nes" => Ok(Scoring::Nes),
        "n2" => Ok(Scoring::N2),
        "flat" => Ok(Scoring::Flat),
        _ => Err(format!("expected nes, n2 or flat, found {text:?}")),
    }
}

impl GamesArgs {
    /// Overrides the settings with the flags that are there.
    pub(super) fn apply(&self, config: &mut Config) -> Result<(), Failure> {
        override_with(&mut config.bot.seed, self.seed);
        override_with(&mut config.bot.start_level, self.start_level);
        override_with(&mut config.simulate.games, self.games);
        override_with(&mut config.simulate.rules, self.rules);
        config.planner.rules = config.simulate.rules;
        override_with(&mut config.simulate.until, self.until);
        config.planner.last_line = config.simulate.until.last_line();
        override_with(&mut config.simulate.pieces, self.pieces);
        override_with(&mut config.simulate.scoring, self.scoring);
        config.planner.crashes = settings(config, self).crashes();
        match config.simulate.until {
            Until::Level(level) => check_level_goal(level, config.bot.start_level),
            _ => Ok(()),
        }
    }

    /// Threads to play on.
    pub(super) fn threads(&self) -> usize {
        self.threads.map_or_else(cores, usize::from)
    }
}

/// The simulation that the settings describe.
pub(super) fn settings(config: &Config, games: &GamesArgs) -> simulate::Settings {
    let batch = config.simulate;
    simulate::Settings {
        seed: config.bot.seed,
        start_level: config.bot.start_level,
        rules: batch.rules,
        crashes: games.crashes.into(),
        until: batch.until,
        pieces: batch.pieces,
        scoring: batch.scoring,
    }
}
