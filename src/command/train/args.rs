//! `maxout train`: its flags, and the training that they describe.

use std::convert::Infallible;
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use anyhow::{Context, anyhow};
use clap::{ArgAction, Subcommand, ValueEnum};

use super::join::Join;
use super::td::Td;
use super::values::{count, positive};
use crate::files::outputs::Overwrite;
use crate::player::flags::reaction_needs_buttons;
use crate::player::values::InputArg;
use crate::system::failure::Failure;
use crate::system::paths::file_name;
use crate::system::shell::quoted;
use maxout_engine::game::HIGHEST_START_LEVEL;
use maxout_engine::game::crash::Crashes;
use maxout_engine::gamepad::Tapping;
use maxout_engine::judge::handmade::{Notes, WeightSet};
use maxout_engine::planner::{self, Input};
use maxout_formats::limited;
use maxout_lab::simulate::{self, Until};
use maxout_lab::train::pso::checkpoint::Described;
use maxout_lab::train::pso::{self, Convergence, Dynamics, Fitness, FitnessGames, SwarmStart};

/// `maxout train`.
#[derive(Debug, Subcommand)]
pub(crate) enum Train {
    /// Train the weights of an evaluator by particle swarm; each particle is a set of weights
    #[command(after_help = "Examples:
  maxout train pso --evaluator birken-v2 -o better.toml --minutes 40
  maxout train pso --evaluator birken-v2 -o better.toml --minutes 40 --resume
  maxout train pso --evaluator el-tetris --start random --fitness mean --restarts 3 -o own.toml

The training ends after --iterations, --restarts or --minutes, whichever comes first.
Without any of them it ends when the first swarm has converged. The checkpoint is written
after every iteration. With --resume an interrupted training goes on and ends with the same
weights as an uninterrupted one.

Exit codes: 0 done, 1 interrupted or failed, 2 bad usage or input.")]
    Pso(Box<Pso>),
    /// Train a net by temporal differences; it learns the value of playfields
    #[command(after_help = "Examples:
  maxout train td -o learned.mxw --checkpoint learned.checkpoint
  maxout train td --schedule my.toml -o my.mxw --checkpoint my.checkpoint --curve my.svg
  maxout train td -o small.mxw --checkpoint learned.checkpoint --bits 8 --min-visits 50

The training ends after the last phase of the schedule. If the checkpoint exists, the
training goes on from it and ends with the same weights, byte for byte, as an uninterrupted
one, with any number of threads. With --minutes it ends in between; where, depends on the
speed of the machine. The weights are then those of an unfinished training, and running the
command again goes on. The schedule may have more phases than the checkpoint's:
they are added. If the training of the checkpoint is complete, only the weights are written,
with the flags given. A checkpoint of format 1 does not contain its schedule; the schedule
given is used unchecked.

A schedule is a TOML file with one [[phases]] table per phase:
  play      \"heuristic\", \"greedy\" or \"search\"
  width     search only: number of placements searched
  margin    search only: how much worse than the best a searched placement may be, in rewards
  pieces    pieces placed in the phase
  discount  [FIRST, LAST]: weight of a reward one piece later, 0 to less than 1
  step      [FIRST, LAST]: step size
  lambda    0 to 1: weight of what really followed against what the net expected
  explore   probability of a random placement
  strap     probability of learning a placement that was searched but not chosen (default: 0)
  clip      largest error that counts in full
  topout    value of a topout, in rewards, 0 or less (default: 0)
  cut       end the phase after this many pieces, without changing its rates (optional)
  strays    probability that a new game begins with the playfield of another (default: 0)
  table     step of the table as a share of what it is otherwise, 0 to 1; 0 trains the heads only
            (default: 1)
  spans     step of the spans (windows of six and seven columns) as a multiple of `step`; 0 leaves
            them as they are (default: 0)
  messy     probability of a random placement in every eighth game (default: that of explore)

A net may have several heads: layers for games of different speeds and tap rates over one table.
A schedule names them in `heads`, a list at its beginning, as in
  heads = [{ level = 19, tap_rate = 12, games = 40 }, { level = 29, tap_rate = 30, games = 24 }]
  level     sets the gravity; from 39 on pieces fall two rows a frame, as with --rules ksx2
  tap_rate  taps per second, or a rhythm such as \"X....\"
  games     how many of the 64 games that are played side by side; all together 64
  scale     what a piece wins there, as a share of what it wins on the plateau at 30 Hz (default: 1)
Without it there is one head, for the plateau and taps at 30 Hz.

Exit codes: 0 done, 1 interrupted or failed, 2 bad usage or input.")]
    Td(Box<Td>),
    /// Put several nets into one weights file; each plays the speeds and tap rates that it was trained for
    #[command(after_help = "Examples:
  maxout train join learned killscreen.mxw -o both.mxw
  maxout train join both.mxw slow.mxw -o three.mxw --packed --without 3:19:20

For each level and tap rate the head plays that was trained with about as many taps for each row
that a piece falls, and among these the one whose reaction time is nearest; where two suit equally
well, the one of the first file. --also and --without change which heads there are. The built-in
weights are packed.

Exit codes: 0 done, 1 failed, 2 bad usage or input.")]
    Join(Join),
}

/// `maxout train pso`.
#[derive(Debug, clap::Args)]
pub(crate) struct Pso {
    /// Evaluator to train: birken-v1, birken-v2, dellacherie, dellacherie-ga, el-tetris or exhaustive-pair
    #[arg(long, value_name = "NAME", default_value = "birken-v2")]
    pub evaluator: String,
    /// Weights file to write: the best weights so far, after every iteration
    #[arg(short, long, alias = "out", value_name = "FILE")]
    pub output: PathBuf,
    /// Checkpoint file [default: the name of --output, ending in .checkpoint.toml]
    #[arg(long, value_name = "FILE")]
    pub checkpoint: Option<PathBuf>,
    /// Go on from the checkpoint
    #[arg(long, action = ArgAction::SetTrue)]
    pub resume: bool,
    /// CSV file with one row per iteration [default: the name of --checkpoint, ending in .csv]
    #[arg(long, value_name = "FILE")]
    pub curve: Option<PathBuf>,
    /// Draw the curve at the end (.svg or .png)
    #[arg(long, value_name = "FILE")]
    pub plot: Option<PathBuf>,
    /// What may be replaced.
    #[command(flatten)]
    pub overwrite: Overwrite,

    /// N iterations at most, all swarms together
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub iterations: Option<u64>,
    /// End when R swarms after the first have converged [default: 0, or no limit with --iterations or
    /// --minutes]
    #[arg(long, value_name = "R")]
    pub restarts: Option<u64>,
    /// Start no iteration after M minutes
    #[arg(long, value_name = "M", value_parser = positive)]
    pub minutes: Option<f64>,

    /// Seed of the swarm's random numbers
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,
    /// Particles per swarm
    #[arg(long, value_name = "P", default_value_t = 20, value_parser = count)]
    pub particles: usize,
    /// Games per particle; all particles play the same games
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = count)]
    pub games: usize,
    /// Seed of the games
    #[arg(long, value_name = "SEED", default_value_t = 1000)]
    pub game_seed: u64,
    /// Fitness is the mean of the best K games, the same as --fitness best:K [default: a third of --games]
    #[arg(long, value_name = "K", value_parser = count, conflicts_with = "fitness")]
    pub best: Option<usize>,
    /// Fitness of a particle, from the points of its games without pushdown points: mean, median, best:K
    /// or worst:K (mean of the K best or worst games) [default: best:K as for --best]
    #[arg(long, value_name = "FITNESS")]
    pub fitness: Option<Fitness>,

    /// Where the first swarm starts: published (weights), random (anywhere in --box) or a weights file
    #[arg(long, value_name = "START", default_value = "published")]
    pub start: Start,
    /// Spread of the first swarm around its start, as a share of each weight
    #[arg(long, value_name = "X", default_value_t = 0.3, value_parser = positive)]
    pub spread: f64,
    /// Where later swarms start
    #[arg(long, value_name = "WHERE", default_value = "random")]
    pub restart_from: RestartFrom,
    /// Largest absolute value of a weight [default: twice the largest of the start weights]
    #[arg(long = "box", value_name = "X", value_parser = positive)]
    pub half_width: Option<f64>,
    /// Largest change of a weight in one iteration, as a share of --box
    #[arg(long, value_name = "X", default_value_t = 1.0, value_parser = positive)]
    pub max_speed: f64,
    /// Share of its velocity that a particle keeps per iteration
    #[arg(long, value_name = "X", default_value_t = 0.72984, value_parser = positive)]
    pub inertia: f64,
    /// Acceleration towards the best position of the particle
    #[arg(long, value_name = "X", default_value_t = 1.49618, value_parser = positive)]
    pub own_acceleration: f64,
    /// Acceleration towards the best position of the swarm
    #[arg(long, value_name = "X", default_value_t = 1.49618, value_parser = positive)]
    pub social_acceleration: f64,
    /// A swarm has converged when its radius falls to this share of its first radius
    #[arg(long, value_name = "X", default_value_t = 0.01, value_parser = positive)]
    pub radius: f64,
    /// A swarm has also converged after N iterations without a better fitness
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..))]
    pub patience: u32,

    /// How pieces are moved; drag and teleport cheat: they write RAM
    #[arg(long, value_name = "STYLE", default_value = "even-frames")]
    pub input: InputArg,
    /// Taps per second with --input taps, 1 to 30, a rhythm such as X...., gaps such as 2-3, or slow5
    #[arg(long, value_name = "RATE", default_value = "30")]
    pub tap_rate: Tapping,
    /// Frames after the spawn before the next box may be used
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub reaction_frames: u32,
    /// Level to start from, 0 to 19
    #[arg(long, value_name = "LEVEL", default_value_t = 19, value_parser = clap::value_parser!(u8).range(0..=i64::from(HIGHEST_START_LEVEL)))]
    pub start_level: u8,
    /// When a game ends, apart from a topout: lines:N, level:N, score:N, pieces:N or topout (nothing else)
    #[arg(long, value_name = "GOAL", default_value = "lines:230")]
    pub until: Until,

    /// Number of threads; it does not change the result [default: one per core]
    #[arg(long, value_name = "T", value_parser = count)]
    pub threads: Option<usize>,
    /// Print the summary as one JSON object
    #[arg(long, action = ArgAction::SetTrue)]
    pub json: bool,
}

/// Where the first swarm begins, on the command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Start {
    Published,
    Random,
    File(PathBuf),
}

impl FromStr for Start {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Start, Infallible> {
        Ok(match text {
            "published" => Start::Published,
            "random" => Start::Random,
            path => Start::File(path.into()),
        })
    }
}

impl fmt::Display for Start {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Start::Published => f.write_str("published"),
            Start::Random => f.write_str("random"),
            Start::File(path) => path.display().fmt(f),
        }
    }
}

/// Where later swarms begin, on the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum RestartFrom {
    /// Anywhere in --box
    Random,
    /// Around the weights of --start
    Start,
    /// Around the best weights so far
    Best,
}

/// What the flags describe: everything on which the weights depend.
pub(super) struct PsoPlan {
    /// The start; its evaluator and rules are those of every particle.
    pub start: WeightSet,
    pub settings: pso::Settings,
    pub games: FitnessGames,
    /// Flags with their values, in the order of the command.
    flags: Vec<(&'static str, String)>,
}

impl Pso {
    /// Checks the flags against each other and against the evaluator.
    pub(super) fn plan(&self) -> Result<PsoPlan, Failure> {
        if self.reaction_frames > 0 && Input::from(self.input).cheat().is_some() {
            return Err(reaction_needs_buttons());
        }
        let start = self.start_weights()?;
        let fitness =
            self.fitness.unwrap_or_else(|| Fitness::Best(self.best.unwrap_or_else(|| (self.games / 3).max(1))));
        if fitness.games() > self.games {
            let error = anyhow!("the fitness {fitness} needs more than --games {}: give more games", self.games);
            return Err(Failure::input(error));
        }
        let largest = start.values().iter().fold(0.0, |largest: f64, weight| largest.max(weight.abs()));
        let half_width = self.half_width.unwrap_or(2.0 * largest);
        if half_width < largest || half_width == 0.0 {
            let error =
                anyhow!("--box {half_width:?} does not hold the weight {largest:?} of the start: give a larger one");
            return Err(Failure::input(error));
        }
        let dynamics = Dynamics {
            inertia: self.inertia,
            own: self.own_acceleration,
            social: self.social_acceleration,
            half_width,
            max_speed: self.max_speed,
        };
        let settings = pso::Settings {
            seed: self.seed,
            particles: self.particles,
            start: start.values().to_vec(),
            first: if self.start == Start::Random { SwarmStart::Random } else { SwarmStart::Start },
            again: match self.restart_from {
                RestartFrom::Random => SwarmStart::Random,
                RestartFrom::Start => SwarmStart::Start,
                RestartFrom::Best => SwarmStart::Best,
            },
            spread: self.spread,
            dynamics,
            convergence: Convergence { radius: self.radius, patience: self.patience },
        };
        let games = FitnessGames {
            settings: simulate::Settings {
                seed: self.game_seed,
                start_level: self.start_level,
                until: self.until,
                crashes: Some(Crashes::Off),
                ..simulate::Settings::default()
            },
            planner: planner::Settings {
                input: self.input.into(),
                tap_rate: self.tap_rate,
                reaction_frames: self.reaction_frames,
                ..planner::Settings::default()
            },
            games: self.games,
            fitness,
        };
        let flags = self.flags(&settings, &games);
        Ok(PsoPlan { start, settings, games, flags })
    }

    fn start_weights(&self) -> Result<WeightSet, Failure> {
        let Start::File(path) = &self.start else {
            return WeightSet::published(&self.evaluator).map_err(Failure::input);
        };
        let text = limited::read_text(path, limited::SETTINGS)
            .context(format!("cannot read the start weights {}", path.display()))
            .map_err(Failure::input)?;
        WeightSet::read(&self.evaluator, &text)
            .map_err(|error| Failure::input(anyhow!("start weights {}: {error}", path.display())))
    }

    fn flags(&self, settings: &pso::Settings, games: &FitnessGames) -> Vec<(&'static str, String)> {
        let name = |value: &dyn Fn() -> Option<clap::builder::PossibleValue>| {
            value().expect("no value is hidden").get_name().to_owned()
        };
        vec![
            ("--evaluator", self.evaluator.clone()),
            ("--seed", settings.seed.to_string()),
            ("--particles", settings.particles.to_string()),
            ("--games", games.games.to_string()),
            ("--game-seed", games.settings.seed.to_string()),
            ("--fitness", games.fitness.to_string()),
            ("--start", self.start.to_string()),
            ("--spread", settings.spread.to_string()),
            ("--restart-from", name(&|| self.restart_from.to_possible_value())),
            ("--box", settings.dynamics.half_width.to_string()),
            ("--max-speed", settings.dynamics.max_speed.to_string()),
            ("--inertia", settings.dynamics.inertia.to_string()),
            ("--own-acceleration", settings.dynamics.own.to_string()),
            ("--social-acceleration", settings.dynamics.social.to_string()),
            ("--radius", settings.convergence.radius.to_string()),
            ("--patience", settings.convergence.patience.to_string()),
            ("--input", name(&|| self.input.to_possible_value())),
            // A rate that is not used must not make two runs different.
            (
                "--tap-rate",
                if games.planner.input == Input::Taps { self.tap_rate } else { Tapping::default() }.to_string(),
            ),
            ("--reaction-frames", self.reaction_frames.to_string()),
            ("--start-level", self.start_level.to_string()),
            ("--until", self.until.to_string()),
        ]
    }

    /// The checkpoint's path.
    pub(super) fn checkpoint_path(&self) -> PathBuf {
        self.checkpoint.clone().unwrap_or_else(|| self.output.with_extension("checkpoint.toml"))
    }

    /// The curve's path.
    pub(super) fn curve_path(&self) -> PathBuf {
        self.curve.clone().unwrap_or_else(|| self.checkpoint_path().with_extension("csv"))
    }
}

impl PsoPlan {
    /// What a checkpoint keeps of the plan. It keeps the start weights, not their path; and the
    /// version of the program, because another version would not play the same games.
    pub(super) fn described(&self) -> Described {
        let mut described: Described =
            self.flags.iter().map(|(flag, value)| ((*flag).to_owned(), value.clone())).collect();
        let start = if self.settings.first == SwarmStart::Random { "random" } else { "published or a file" };
        described.insert("--start".to_owned(), start.to_owned());
        let names = self.start.names().iter().zip(self.start.values());
        let weights: Vec<String> = names.map(|(name, value)| format!("{name} {value:?}")).collect();
        let rules: Vec<String> = self.start.rules().map(|(rule, on)| format!("{rule} {on}")).collect();
        described.insert("start weights".to_owned(), weights.join(", "));
        described.insert("rules".to_owned(), rules.join(", "));
        described.insert("program version".to_owned(), env!("CARGO_PKG_VERSION").to_owned());
        described
    }

    /// A command that gives the same weights in one go, however many runs it took. It keeps the first
    /// name of --output, so that a training gives the same bytes as before.
    pub(super) fn command(&self, iterations: u64, out: &Path) -> String {
        let name = file_name(out);
        let flags = self.flags.iter().map(|(flag, value)| format!(" {flag} {}", quoted(value)));
        format!("maxout train pso{} --iterations {iterations} --out {}", flags.collect::<String>(), quoted(&name))
    }

    /// The origin of the weights after `iterations`.
    pub(super) fn provenance(&self, command: String, best: f64, found_in: u64, start: Option<f64>) -> Notes {
        let provenance = Notes::default()
            .with("command", command)
            .with("program", concat!("maxout ", env!("CARGO_PKG_VERSION")))
            .with("seed", self.settings.seed.to_string())
            .with("training_score", format!("{best:.1}"))
            .with("fitness", format!("{}, points without those of pushdowns", self.games.fitness))
            .with("games", format!("0 to {} of seed {}", self.games.games - 1, self.games.settings.seed))
            .with("found_in_iteration", found_in.to_string());
        match start {
            Some(start) => provenance.with("training_score_of_the_start", format!("{start:.1}")),
            None => provenance,
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    /// The part of the command line that is tested here.
    #[derive(Debug, Parser)]
    enum Program {
        #[command(subcommand)]
        Train(Train),
    }

    fn pso(flags: &[&str]) -> Pso {
        let given = ["maxout", "train", "pso", "--out", "folder/w.toml"].iter().chain(flags);
        match Program::try_parse_from(given).expect("valid") {
            Program::Train(Train::Pso(pso)) => *pso,
            other => panic!("{other:?}"),
        }
    }

    fn plan(flags: &[&str]) -> PsoPlan {
        pso(flags).plan().map_err(|failure| failure.error).expect("a plan")
    }

    #[test]
    fn the_defaults_are_the_published_set_up() {
        let plan = plan(&[]);
        let PsoPlan { settings, games, start, .. } = &plan;
        assert_eq!(settings.dynamics, Dynamics { max_speed: 1.0, ..Dynamics::in_box(2.0 * 2.645_656_132_241_128) });
        assert_eq!(settings.convergence, Convergence::default());
        assert_eq!((games.fitness, games.games), (Fitness::Best(33), 100));
        assert_eq!((games.settings.start_level, games.settings.until), (19, Until::Lines(230)));
        assert_eq!(start, &WeightSet::published("birken-v2").unwrap());
    }

    #[test]
    fn the_command_in_the_provenance_describes_the_same_training() {
        let flags = [
            "--start",
            "random",
            "--input",
            "taps",
            "--tap-rate",
            "12",
            "--best",
            "7",
            "--box",
            "0.1e2",
            "--seed",
            "18446744073709551615",
        ];
        let first = plan(&flags);
        let command = first.command(17, Path::new("folder/w.toml"));
        let words: Vec<&str> = command.split(' ').collect();
        let Program::Train(Train::Pso(again)) = Program::try_parse_from(words).expect("a command") else {
            panic!("{command}");
        };
        assert_eq!((again.iterations, again.output.as_path()), (Some(17), Path::new("w.toml")));
        let again = again.plan().map_err(|failure| failure.error).expect("a plan");
        assert_eq!(again.described(), first.described());
        assert_eq!((again.settings, again.games), (first.settings, first.games));
    }

    #[test]
    fn what_does_not_fit_together_is_refused() {
        let message = |flags: &[&str]| pso(flags).plan().err().expect("refused").error.to_string();
        assert!(message(&["--games", "10", "--best", "11"]).contains("best:11 needs more than --games 10"));
        assert!(message(&["--box", "1"]).contains("--box 1.0 does not hold the weight 2.645"));
        assert!(message(&["--evaluator", "nobody"]).contains("unknown evaluator `nobody`"));
        assert!(message(&["--start", "nowhere.toml"]).contains("cannot read the start weights nowhere.toml"));
    }

    #[test]
    fn files_without_a_name_lie_beside_the_weights() {
        let named = pso(&["--checkpoint", "c.toml"]);
        assert_eq!(named.curve_path(), Path::new("c.csv"));
        let unnamed = pso(&[]);
        assert_eq!(unnamed.checkpoint_path(), Path::new("folder/w.checkpoint.toml"));
        assert_eq!(unnamed.curve_path(), Path::new("folder/w.checkpoint.csv"));
    }
}
