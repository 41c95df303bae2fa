//! The arguments of simulations.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::anyhow;
use clap::ArgAction;

use crate::cli::args::seconds;
use crate::cli::failure::Failure;
use crate::cli::player::{MoveArgs, PlayerArgs};
use crate::cli::setup::override_with;
use crate::config::Config;
use maxout_engine::bot::HIGHEST_START_LEVEL;
use maxout_lab::plot;
use maxout_lab::simulate::{self, PieceSource, Scoring, Shard, Until};

/// `maxout simulate`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  maxout simulate --games 1000
  maxout simulate --evaluator el-tetris --until topout --json
  maxout simulate --games 1000 --plot points.svg
  maxout simulate --games 100000 --shard 3/8 --csv shard3.csv

Exit code 0 when all games were played, 1 when the run was stopped (the report is then for the
games that were finished).")]
pub(in crate::cli) struct Simulate {
    /// Which games
    #[command(flatten)]
    pub games: GamesArgs,
    /// Who plays them
    #[command(flatten)]
    pub player: PlayerArgs,
    /// Play only part I of N of the games; `maxout merge` puts the parts together
    #[arg(long, value_name = "I/N", default_value = "1/1")]
    pub shard: Shard,
    /// Write one CSV row for every game, as the run goes
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,
    /// Draw the points, the lock rows and the lock cells (SVG or PNG)
    #[arg(long, value_name = "FILE", value_parser = picture)]
    pub plot: Option<PathBuf>,
    /// Print the report as one JSON object
    #[arg(long, action = ArgAction::SetTrue)]
    pub json: bool,
}

/// `maxout compare`.
#[derive(Debug, clap::Args)]
#[command(after_help = "A player is an evaluator's name, NAME:WEIGHTS, a weights file (which names its
evaluator), a settings file whose [eval] and [planner] are used, or exec:COMMAND.

Examples:
  maxout compare birken-v2 el-tetris --games 500
  maxout compare birken-v2 my-weights.toml --input taps --tap-rate 12

Both play the same games: those of a seed begin alike. What is drawn later depends on the frames
that a player takes, except with --pieces uniform, which deals both the same pieces throughout.
Exit code 0 when all games were played, whoever is better; 1 when the run was stopped.")]
pub(in crate::cli) struct Compare {
    /// One player
    pub a: String,
    /// The other player
    pub b: String,
    /// Which games
    #[command(flatten)]
    pub games: GamesArgs,
    /// How long each answer of an exec:COMMAND may take [default: 10]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub player_timeout: Option<Duration>,
    /// How both move
    #[command(flatten)]
    pub moves: MoveArgs,
    /// Draw the points, the lock rows and the lock cells (SVG or PNG)
    #[arg(long, value_name = "FILE", value_parser = picture)]
    pub plot: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long, action = ArgAction::SetTrue)]
    pub json: bool,
}

/// `maxout merge`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  maxout merge shard*.csv
  maxout merge shard*.csv --csv all.csv --json

The files have to be of the same games, player and version. Exit code 2 when they are not, when a
game is there twice, or when one is missing.")]
pub(in crate::cli) struct Merge {
    /// CSV files that `maxout simulate` wrote
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// Report even if games are missing, and say which
    #[arg(long, action = ArgAction::SetTrue)]
    pub partial: bool,
    /// Write the games of all files into one
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,
    /// Draw the points, the lock rows and the lock cells (SVG or PNG)
    #[arg(long, value_name = "FILE", value_parser = picture)]
    pub plot: Option<PathBuf>,
    /// Print the report as one JSON object
    #[arg(long, action = ArgAction::SetTrue)]
    pub json: bool,
}

/// Which games are simulated.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Games")]
pub(in crate::cli) struct GamesArgs {
    /// How many games, with simulate those of all shards together [default: 100]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub games: Option<u64>,
    /// Which games: those of a seed are always the same [default: 1]
    #[arg(long, value_name = "S")]
    pub seed: Option<u64>,
    /// Level to start from, 0 to 19 [default: 19]
    #[arg(long, value_name = "LEVEL", value_parser = clap::value_parser!(u8).range(0..=i64::from(HIGHEST_START_LEVEL)))]
    pub start_level: Option<u8>,
    /// When a game is over: lines:N, level:N, score:N, pieces:N or topout [default: lines:230]
    #[arg(long, value_name = "END")]
    pub until: Option<Until>,
    /// Where pieces come from: nes, uniform or drought:N [default: nes]
    #[arg(long, value_name = "SOURCE")]
    pub pieces: Option<PieceSource>,
    /// What a clear of n rows pays: nes, n2 (n * (n - 1) + 1), or flat (as at the start level)
    /// [default: nes]
    #[arg(long, value_name = "RULE", value_parser = scoring)]
    pub scoring: Option<Scoring>,
    /// Threads to play on; they change no result [default: one for each core]
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..))]
    pub threads: Option<u16>,
    /// Settings file (TOML); flags go before it
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
}

/// A name that says of which kind the picture is; found out before any game is played.
fn picture(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    plot::check(&path).map_err(|error| error.to_string())?;
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() && !folder.is_dir() => {
            Err(format!("{} is no folder: make it, or name another", folder.display()))
        }
        _ => Ok(path),
    }
}

/// The game goes on to its end, whatever the score: a target is for `maxout play`.
pub(super) fn without_target(config: &Config) -> Result<(), Failure> {
    match config.planner.target_score {
        None => Ok(()),
        Some(score) => Err(Failure::input(anyhow!(
            "expected settings without target-score, found {score}: remove it, or use maxout play --target-score"
        ))),
    }
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
    pub(super) fn apply(&self, config: &mut Config) {
        override_with(&mut config.bot.seed, self.seed);
        override_with(&mut config.bot.start_level, self.start_level);
        override_with(&mut config.simulate.games, self.games);
        override_with(&mut config.simulate.until, self.until);
        override_with(&mut config.simulate.pieces, self.pieces);
        override_with(&mut config.simulate.scoring, self.scoring);
    }

    /// Threads to play on.
    pub(super) fn threads(&self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        self.threads.map_or_else(cores, usize::from)
    }
}

/// The simulation that the settings describe.
pub(super) fn settings(config: &Config) -> simulate::Settings {
    let batch = config.simulate;
    simulate::Settings {
        seed: config.bot.seed,
        start_level: config.bot.start_level,
        until: batch.until,
        pieces: batch.pieces,
        scoring: batch.scoring,
    }
}
