//! The arguments of `maxout bench-formats`.

use std::path::{Path, PathBuf};

use clap::ArgAction;

use crate::files::outputs::Overwrite;
use crate::player::flags::{JudgeArgs, ThinkArgs};
use crate::system::paths::file_name;
use crate::system::shell::quoted;
use maxout_lab::published::PlayFormat;
use maxout_lab::simulate::Shard;

/// `maxout bench-formats`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  maxout bench-formats --formats 30hz/0,30hz/18 --games 20
  maxout bench-formats --games 100 --out formats --report benchmarks.md
  maxout bench-formats --games 1000 --out formats --shard 3/8

With --out, games are kept in one CSV file per format, and a later run plays only what is missing.
Shards that other machines played count when their files are in the same folder.

Exit codes: 0 done, 1 the run was stopped, or --require was missed, 2 bad usage or input.")]
pub(crate) struct BenchFormats {
    /// Formats, as TAPS/FRAMES: 10hz, 12hz, 15hz, 20hz, 24hz, 30hz or slow5; reaction frames 0, 18, 21, 24,
    /// 30 or 61 [default: all 42]
    #[arg(long, help_heading = "Games", value_name = "LIST", value_delimiter = ',')]
    pub formats: Vec<PlayFormat>,
    /// Number of games of each format
    #[arg(long, help_heading = "Games", value_name = "N", default_value = "100",
        value_parser = clap::value_parser!(u64).range(1..))]
    pub games: u64,
    /// Seed of the games: the same seed gives the same games
    #[arg(long, help_heading = "Games", value_name = "S", default_value = "1")]
    pub seed: u64,
    /// Play only shard I of N, for example 3/8
    #[arg(long, help_heading = "Games", value_name = "I/N", default_value = "1/1")]
    pub shard: Shard,
    /// Number of threads; it does not change the results [default: one per core]
    #[arg(long, help_heading = "Games", value_name = "T", value_parser = clap::value_parser!(u16).range(1..))]
    pub threads: Option<u16>,
    /// Settings file (TOML); flags override it. Its tap rate and reaction frames are not used
    #[arg(long, help_heading = "Games", value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Who judges.
    #[command(flatten)]
    pub judge: JudgeArgs,
    /// How far the player thinks.
    #[command(flatten)]
    pub think: ThinkArgs,
    /// Folder for the games, one CSV file per format: a later run goes on from there
    #[arg(long, help_heading = "Output", value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Write the report as Markdown
    #[arg(long, help_heading = "Output", value_name = "FILE")]
    pub report: Option<PathBuf>,
    /// End with exit code 1 unless our mean is higher in at least N formats
    #[arg(long, help_heading = "Output", value_name = "N")]
    pub require: Option<usize>,
    /// What may be replaced.
    #[command(flatten)]
    pub overwrite: Overwrite,
    /// Print the report as one JSON object
    #[arg(long, help_heading = "Output", action = ArgAction::SetTrue)]
    pub json: bool,
}

impl BenchFormats {
    /// A command that plays the same games and writes the same report.
    pub(super) fn command(&self) -> String {
        let name = |path: &Option<PathBuf>| path.as_deref().map(|path: &Path| quoted(&file_name(path)));
        let formats: Vec<String> = self.formats.iter().map(ToString::to_string).collect();
        let given = [
            ("formats", (!formats.is_empty()).then(|| formats.join(","))),
            ("games", Some(self.games.to_string())),
            ("seed", (self.seed != 1).then(|| self.seed.to_string())),
            ("config", name(&self.config)),
            ("evaluator", self.judge.evaluator.clone()),
            ("weights", name(&self.judge.weights)),
            ("think", self.think.think.map(|think| think.to_string())),
            ("think-threads", self.think.think_threads.map(|threads| threads.to_string())),
        ];
        let flags = given.into_iter().filter_map(|(flag, value)| Some(format!(" --{flag} {}", value?)));
        format!("maxout bench-formats{} --out formats --report benchmarks.md", flags.collect::<String>())
    }
}
