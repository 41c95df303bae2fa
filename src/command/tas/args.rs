//! The flags of `maxout tas`.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, anyhow};
use clap::ArgAction;

use crate::console::power::ConsoleChoice;
use crate::files::run_files::RunFiles;
use crate::system::cores::cores;
use crate::system::failure::Failure;
use crate::system::time::seconds;
use maxout_engine::game::HIGHEST_START_LEVEL;
use maxout_engine::tas::Pause;
use maxout_formats::limited;
use maxout_lab::simulate::Shard;
use maxout_lab::tas::improve::{Columns, Improving, SearchOfParts};
use maxout_lab::tas::shard::{MOST_NOISE, MOST_SEEDS};
use maxout_lab::tas::{Count, Goal, Settings, Weights, bytes_of_width};

/// `maxout tas`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  maxout tas --movie fastest.fm2
  maxout tas --width 20000 --checkpoint tas.checkpoint --movie fastest.fm2 --movie fastest.bk2
  maxout tas --plan --movie fastest.fm2
  maxout tas --goal score:20000 --width 100 --json
  maxout tas --improve old.fm2 --width 3000 --movie faster.fm2
  maxout tas --seeds 80 --noise 5 --shard 3/8 --result shard3.json
  maxout tas --plan --seeds 16 --shard 3/8 --result shard3.json
  maxout tas --merge shard*.json --movie fastest.fm2

The game is tool-assisted: it presses any button in any frame, Left and Right at once too, and it
knows which pieces come. Playing by hand or by maxout play cannot do that.

Exit codes: 0 done, 1 interrupted, time up or no game found, 2 bad usage or input.")]
pub(crate) struct Tas {
    /// What is to be reached in as few frames as possible: score:N, lines:N, level:N, or
    /// b-type:N (a B-type game of height N, 0 to 5: its 25 lines)
    #[arg(long, value_name = "GOAL", default_value = "score:999999")]
    pub goal: Goal,
    /// What is measured: goal (frames up to the goal) or input (frames up to the last button; the movie
    /// ends there, and the goal comes by itself)
    #[arg(long, value_name = "WHAT", default_value_t = Count::Goal)]
    pub count: Count,
    /// Level to start from, 0 to 19
    #[arg(long, value_name = "LEVEL", default_value_t = 18, value_parser = clap::value_parser!(u8).range(0..=i64::from(HIGHEST_START_LEVEL)))]
    pub start_level: u8,
    /// Games that are kept after each piece: more take longer and find faster games
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    pub width: u32,
    /// Longest pause before a spawn to get other pieces, in frames, 0 to 43
    #[arg(long, value_name = "FRAMES", default_value_t = 2, value_parser = clap::value_parser!(u8).range(0..=i64::from(Pause::LONGEST)))]
    pub pause: u8,
    /// Games with the same playfield that are kept at most, 1 to 255
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u8).range(1..))]
    pub same_playfield: u8,
    /// Frames by which the menus may be delayed to begin with other pieces, 0 to 20
    #[arg(long, value_name = "FRAMES", default_value_t = 2, value_parser = clap::value_parser!(u32).range(0..=20))]
    pub menu_delay: u32,
    /// Seed of the noise; with --plan: of the parts that are planned again
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,
    /// Noise on the estimate of a game, in frames: with it another seed finds another game
    #[arg(long, value_name = "FRAMES", default_value_t = 0.0, value_parser = noise)]
    pub noise: f32,
    /// Search this many seeds, from --seed on, and keep the fastest game; needs --noise or --plan
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=MOST_SEEDS))]
    pub seeds: u64,
    /// Search only shard I of N of the seeds, for example 3/8; --merge puts the shards together
    #[arg(long, value_name = "I/N", default_value = "1/1", requires = "result")]
    pub shard: Shard,
    /// Write the fastest game for --merge
    #[arg(long, value_name = "FILE")]
    pub result: Option<PathBuf>,
    /// Search nothing: take the fastest game of these files of --result
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["goal", "count", "start_level", "width", "pause", "same_playfield", "menu_delay", "seed", "noise", "seeds", "shard", "result", "weights", "improve", "plan", "replans", "shape", "across", "cycles", "parts", "columns", "same_clears", "playfields_of", "memory", "minutes", "checkpoint", "every", "lists"])]
    pub merge: Vec<PathBuf>,
    /// With --merge: go on if shards are missing, and list the seeds that are
    #[arg(long, requires = "merge", action = ArgAction::SetTrue)]
    pub partial: bool,
    /// Weights of the estimate (TOML) [default: the built-in ones]
    #[arg(long, value_name = "FILE")]
    pub weights: Option<PathBuf>,
    /// Make this movie or log faster instead of a new game: it must be of one game from power-on
    #[arg(long, value_name = "FILE", group = "by_stretches", conflicts_with_all = ["start_level", "pause", "same_playfield", "seed", "noise", "seeds", "shard", "result", "weights", "every"])]
    pub improve: Option<PathBuf>,
    /// Plan the whole game with freely chosen pieces first, then find the generator's pieces for it: faster
    /// games; for a goal of points from levels 16 to 19
    #[arg(long, group = "by_stretches", action = ArgAction::SetTrue, conflicts_with_all = ["pause", "same_playfield", "noise", "weights", "every"])]
    pub plan: bool,
    /// How often a part of the plan is planned again, 0 to 1,000,000 [default with --plan: 400]; more take longer and find
    /// faster games. With --improve the movie is the first plan: its pieces, placements and frames all may change. The
    /// pieces are looked for when the planning is over
    #[arg(long, value_name = "N", requires = "by_stretches", value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
    pub replans: Option<u32>,
    /// With --improve or --plan: pieces of a stretch whose cells may be filled by other pieces in another order,
    /// 1 to 10; more take longer. With 1 and --across 0 only the times of locks and spawns change
    #[arg(long, value_name = "N", default_value_t = 4, requires = "by_stretches", value_parser = clap::value_parser!(u8).range(1..=10))]
    pub shape: u8,
    /// With --improve or --plan: also search in stretches of 24 pieces that go on after their clears, so that the
    /// playfields at the clears change, too; N playfields are kept after each piece, up to 100,000. More take
    /// longer and find faster games. 0: all playfields at clears stay
    #[arg(long, value_name = "N", default_value_t = 2000, requires = "by_stretches", value_parser = clap::value_parser!(u32).range(0..=100_000))]
    pub across: u32,
    /// With --improve or --plan: also search through whole runs of cycles at once: tetrises of the rows 0 to 2, one after
    /// another. Only the playfields before a run and at its end stay. Listing the cycles takes minutes
    #[arg(long, requires = "by_stretches", action = ArgAction::SetTrue)]
    pub cycles: bool,
    /// With --improve or --plan: also search both towers, both bursts and both runs of cycles from scratch. Their numbers of
    /// pieces may change, and a cycle may move over the first burst. Each search takes half an hour to an hour
    #[arg(long, requires = "by_stretches", action = ArgAction::SetTrue)]
    pub parts: bool,
    /// With --parts: columns over whose holes cycles are listed, of 0 to 9, as in 3,5,9. Fewer take less time and
    /// memory, and leave room for slower ways [default: 1,3,5,7,9 and those of the movie]
    #[arg(long, value_name = "COLUMNS", requires = "parts")]
    pub columns: Option<Columns>,
    /// With --parts: no cycle moves over the first burst. A search takes less than half the time, and no game with more or fewer
    /// cycles before the burst takes the room of others
    #[arg(long, requires = "parts", action = ArgAction::SetTrue)]
    pub same_clears: bool,
    /// With --improve and --parts: also list cycles that begin with a playfield that one of these movies has after a
    /// clear. They must reach the goal
    #[arg(long, value_name = "MOVIE", num_args = 1.., requires_all = ["improve", "parts"], conflicts_with_all = ["plan", "replans"])]
    pub playfields_of: Vec<PathBuf>,
    /// With --parts: keep the lists of playfields and cycles in this file, which is written every 5 minutes and at the
    /// end. A search that was interrupted, and those of other movies, go on from them: making them takes up to an hour
    #[arg(long, value_name = "FILE", requires = "parts")]
    pub lists: Option<PathBuf>,
    /// Memory that the search may take, in GiB; a wider search is refused, and --parts leaves out the slowest ways
    /// through a run of cycles
    #[arg(long, value_name = "GIB", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=4096))]
    pub memory: u32,
    /// Stop after M minutes; --checkpoint lets a later run go on
    #[arg(long, value_name = "M", value_parser = minutes)]
    pub minutes: Option<Duration>,
    /// Checkpoint file; if it exists, the search goes on from it. With --plan or --improve it is written after
    /// each round of planning and after each search through the game
    #[arg(long, value_name = "FILE", conflicts_with_all = ["seeds", "shard", "result"])]
    pub checkpoint: Option<PathBuf>,
    /// Seconds between two writes of the checkpoint; it is also written at the end
    #[arg(long, value_name = "SECONDS", default_value = "300", value_parser = seconds)]
    pub every: Duration,
    /// Number of threads; it does not change the result [default: one per core]
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// What plays the found game to check it and to write the files: cartridge (built in), simulated (the
    /// rules model), rom (your ROM in the folder roms/), or the path of a ROM [default: cartridge]
    #[arg(long, value_name = "CONSOLE")]
    pub console: Option<ConsoleChoice>,
    /// What to write when the search is over.
    #[command(flatten)]
    pub files: RunFiles,
    /// Print the summary as one JSON object
    #[arg(long, help_heading = "Output", action = ArgAction::SetTrue)]
    pub json: bool,
}

fn noise(text: &str) -> Result<f32, String> {
    let noise = text.parse().ok().filter(|noise| (0.0..=MOST_NOISE).contains(noise));
    noise.ok_or_else(|| format!("expected a number of frames, 0 to {MOST_NOISE}, found {text:?}"))
}

fn minutes(text: &str) -> Result<Duration, String> {
    let duration = text.parse().ok().and_then(|minutes: f64| Duration::try_from_secs_f64(60.0 * minutes).ok());
    duration.ok_or_else(|| format!("expected a number of minutes, 0 or more, found {text:?}"))
}

impl Tas {
    /// The settings of the search.
    pub(super) fn settings(&self) -> Result<Settings, Failure> {
        let most = (u64::from(self.memory) << 30) / bytes_of_width();
        if u64::from(self.width) > most {
            let found = self.width;
            let advice = "give more --memory, or a narrower search";
            return Err(Failure::input(anyhow!(
                "--width: expected at most {most} with --memory {}, found {found}; {advice}",
                self.memory
            )));
        }
        let weights = match &self.weights {
            None => Weights::built_in(),
            Some(path) => {
                let name = path.display();
                let text = limited::read_text(path, limited::SETTINGS).context(format!("cannot read --weights {name}"));
                Weights::from_toml(&text.map_err(Failure::input)?)
                    .map_err(|error| Failure::input(anyhow!("{name}: {error}")))?
            }
        };
        if let Goal::Level(level) = self.goal
            && level <= self.start_level
            && self.improve.is_none()
        {
            let (goal, start) = (self.goal, self.start_level);
            return Err(Failure::input(anyhow!(
                "--goal {goal}: expected a level above that of the start, {start}; give another --goal or --start-level"
            )));
        }
        if self.seeds > 1 && self.noise == 0.0 && !self.plan {
            let advice = "give --noise FRAMES or --plan: without them all seeds find the same game";
            return Err(Failure::input(anyhow!("--seeds: expected 1, found {}; {advice}", self.seeds)));
        }
        if self.seeds().next().is_none() {
            let (shard, seeds) = (self.shard, self.seeds);
            return Err(Failure::input(anyhow!(
                "--shard: expected at most as many shards as --seeds, {seeds}, found {shard}"
            )));
        }
        Ok(Settings {
            goal: self.goal,
            count: self.count,
            start_level: self.start_level,
            width: self.width as usize,
            longest_pause: self.pause,
            same_playfield: self.same_playfield,
            menu_delay: self.menu_delay,
            seed: self.seed,
            noise: self.noise,
            weights,
        })
    }

    /// The same of a search by stretches.
    pub(super) fn improving(&self, settings: &Settings) -> Improving {
        let &Settings { goal, count, width, menu_delay, .. } = settings;
        let (shape, across) = (self.shape.into(), self.across as usize);
        let (columns, same_clears, memory) = (self.columns, self.same_clears, u64::from(self.memory) << 30);
        let parts = self.parts.then_some(SearchOfParts { columns, same_clears, memory });
        Improving { goal, count, shape, across, cycles: self.cycles, parts, width, menu_delay }
    }

    /// The seeds to search, in their order.
    pub(super) fn seeds(&self) -> impl Iterator<Item = u64> + use<> {
        let (first, shard) = (self.seed, self.shard);
        (0..self.seeds).filter(move |&index| shard.holds(index)).map(move |index| first.wrapping_add(index))
    }

    /// The threads to search with.
    pub(super) fn threads(&self) -> usize {
        self.threads.map_or_else(cores, usize::from)
    }
}
