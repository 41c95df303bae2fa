//! Who plays: flags for a player, and the players that a run asks for.

use std::num::NonZeroU16;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, anyhow};
use sha1::{Digest, Sha1};

use super::args::{InputArg, PlayerChoice, seconds, tap_rate};
use super::failure::Failure;
use super::setup;
use crate::config::Config;
use maxout_console::WallClock;
use maxout_engine::gamepad::TapRate;
use maxout_engine::judge::handmade::{self as eval, LEARNED};
use maxout_engine::judge::learned::QuickNet;
use maxout_engine::planner::filter::{Filter, FilterChoice};
use maxout_engine::planner::{self, Player, PlayerError, Search, Think};
use maxout_external::{self as external, ExecPlayer, StartError};
use maxout_lab::simulate::PlayerId;

/// A player by flags.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Player")]
pub(super) struct PlayerArgs {
    /// Who judges
    #[command(flatten)]
    pub judge: JudgeArgs,
    /// Somebody else's player, a program that is asked over JSON lines: exec:COMMAND
    #[arg(long, value_name = "PLAYER", conflicts_with_all = ["evaluator", "weights"])]
    pub player: Option<PlayerChoice>,
    /// How long each answer of --player may take [default: 10]
    #[arg(long, value_name = "SECONDS", value_parser = seconds, requires = "player")]
    pub player_timeout: Option<Duration>,
    /// How the player moves
    #[command(flatten)]
    pub moves: MoveArgs,
}

/// Who judges placements, by flags.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Player")]
pub(super) struct JudgeArgs {
    /// Who judges placements: learned, birken-v1, birken-v2, dellacherie, dellacherie-ga, el-tetris
    /// or exhaustive-pair [default: learned]
    #[arg(long, value_name = "NAME")]
    pub evaluator: Option<String>,
    /// Weights file instead of the evaluator's own; it names the evaluator where --evaluator does not
    #[arg(long, value_name = "FILE")]
    pub weights: Option<PathBuf>,
}

/// How far the learned player thinks, by flags.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Player")]
pub(super) struct ThinkArgs {
    /// How far the learned player looks ahead: fixed:PLIES (1 to 5), or as far as it gets in a number
    /// of milliseconds [default: fixed:3]
    #[arg(long, value_name = "THINK")]
    pub think: Option<Think>,
    /// Threads that it thinks with; with fixed plies they change no choice [default: 1]
    #[arg(long, value_name = "N")]
    pub think_threads: Option<NonZeroU16>,
}

/// How a player moves, by flags.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Player")]
pub(super) struct MoveArgs {
    /// How pieces are moved; drag and teleport cheat [default: taps]
    #[arg(long, value_name = "STYLE")]
    pub input: Option<InputArg>,
    /// Taps a second of --input taps, 1 to 30 [default: 30]
    #[arg(long, value_name = "HZ", value_parser = tap_rate)]
    pub tap_rate: Option<TapRate>,
    /// Frames after the spawn in which the next box is not yet used [default: 0]
    #[arg(long, value_name = "N")]
    pub reaction_frames: Option<u32>,
    /// How far the learned player thinks
    #[command(flatten)]
    pub think: ThinkArgs,
    /// Refuse placements: well (right-most column open for the I piece) or pattern:FILE.png (the
    /// pile draws a picture of 10x20 pixels)
    #[arg(long, value_name = "FILTER")]
    pub filter: Option<FilterChoice>,
}

impl PlayerArgs {
    /// Overrides the settings with the flags that are there.
    pub(super) fn apply(&self, config: &mut Config) -> Result<(), Failure> {
        self.judge.apply(config);
        self.moves.apply(config)
    }
}

impl JudgeArgs {
    /// Overrides the settings with the flags that are there.
    pub(super) fn apply(&self, config: &mut Config) {
        if let Some(path) = &self.weights {
            config.eval.weights = Some(path.clone());
            setup::override_with(&mut config.eval.evaluator, setup::evaluator_in(path));
        }
        setup::override_with(&mut config.eval.evaluator, self.evaluator.clone());
    }
}

impl ThinkArgs {
    /// Overrides the settings with the flags that are there; the evaluator is known by then.
    pub(super) fn apply(&self, config: &mut Config) {
        let settings = &mut config.planner;
        if config.eval.evaluator != LEARNED {
            // Evaluators do not look ahead, and nothing should say that they do.
            (settings.think, settings.think_threads) = (None, None);
            return;
        }
        settings.think = Some(self.think.or(settings.think).unwrap_or_default());
        settings.think_threads = self.think_threads.or(settings.think_threads);
    }
}

impl MoveArgs {
    /// Overrides the settings with the flags that are there.
    pub(super) fn apply(&self, config: &mut Config) -> Result<(), Failure> {
        let settings = &mut config.planner;
        setup::override_with(&mut settings.input, self.input.map(Into::into));
        setup::override_with(&mut settings.tap_rate, self.tap_rate);
        setup::override_with(&mut settings.reaction_frames, self.reaction_frames);
        if self.filter.is_some() {
            settings.filter.clone_from(&self.filter);
        }
        if settings.reaction_frames > 0 && settings.input.cheat().is_some() {
            return Err(reaction_needs_buttons());
        }
        self.think.apply(config);
        Ok(())
    }
}

/// An input that no hand moves has no reaction time.
pub(super) fn reaction_needs_buttons() -> Failure {
    Failure::input(anyhow!(
        "reaction frames need an input that presses buttons, found drag or teleport; choose --reaction-frames 0 or \
         another input"
    ))
}

/// Where the players of a run come from: one for every game, all alike.
pub(super) struct PlayerSource {
    who: Who,
    planner: planner::Settings,
    start_level: u8,
}

#[derive(Clone)]
enum Who {
    /// The filter is read once: every game is played with the same picture.
    Search {
        judge: Judge,
        filter: Option<Arc<dyn Filter>>,
        picture: Option<String>,
    },
    Exec {
        command: String,
        timeout: Option<Duration>,
    },
}

/// Who judges placements, weights read.
#[derive(Clone)]
enum Judge {
    Evaluator { name: String, weights: Option<String> },
    Learned { net: Arc<QuickNet>, sha1: String },
}

impl Judge {
    fn new(settings: &eval::Settings) -> Result<Judge, Failure> {
        if settings.evaluator == LEARNED {
            let (net, bytes) = setup::learned(settings)?;
            return Ok(Judge::Learned { net: Arc::new(net), sha1: sha1(&bytes) });
        }
        let weights = setup::weights(settings)?;
        // Found out now rather than on the first thread.
        setup::evaluator_of(settings, weights.as_deref())?;
        Ok(Judge::Evaluator { name: settings.evaluator.clone(), weights })
    }

    fn name(&self) -> &str {
        match self {
            Judge::Evaluator { name, .. } => name,
            Judge::Learned { .. } => LEARNED,
        }
    }

    fn weights_sha1(&self) -> Option<String> {
        match self {
            Judge::Evaluator { weights, .. } => weights.as_ref().map(|text| sha1(text.as_bytes())),
            Judge::Learned { sha1, .. } => Some(sha1.clone()),
        }
    }

    fn search(&self, settings: planner::Settings) -> Result<Search, PlayerError> {
        match self {
            Judge::Evaluator { name, weights } => {
                let problem = |error: eval::Error| PlayerError { player: name.clone(), problem: error.to_string() };
                Ok(Search::new(eval::by_name(name, weights.as_deref()).map_err(problem)?, settings))
            }
            Judge::Learned { net, .. } => {
                Ok(Search::learned(Arc::clone(net), settings).with_clock(Arc::new(WallClock::start())))
            }
        }
    }
}

impl PlayerSource {
    /// The source of the players that the settings and the flags describe; files are read here
    /// for the first time.
    pub(super) fn new(config: &Config, args: &PlayerArgs) -> Result<PlayerSource, Failure> {
        match &args.player {
            None => PlayerSource::of_evaluator(config),
            Some(PlayerChoice::Exec(command)) => PlayerSource::of_command(config, command, args.player_timeout),
        }
    }

    /// The source of external players by their command line.
    pub(super) fn of_command(
        config: &Config,
        command: &str,
        timeout: Option<Duration>,
    ) -> Result<PlayerSource, Failure> {
        if config.planner.filter.is_some() || config.planner.target_score.is_some() {
            return Err(Failure::input(anyhow!(
                "filters and target scores are for evaluators; an external player sees to them itself"
            )));
        }
        if let Some(cheat) = config.planner.input.cheat() {
            return Err(Failure::input(StartError::Cheat(cheat)));
        }
        let who = Who::Exec { command: command.to_owned(), timeout };
        Ok(PlayerSource { who, planner: config.planner.clone(), start_level: config.bot.start_level })
    }

    /// The source of the players that the settings describe.
    pub(super) fn of_evaluator(config: &Config) -> Result<PlayerSource, Failure> {
        let judge = Judge::new(&config.eval)?;
        let choice = config.planner.filter.as_ref();
        let filter = choice.map(FilterChoice::load).transpose().map_err(Failure::input)?;
        let picture = match choice {
            Some(FilterChoice::Pattern(path)) => Some(sha1(
                &std::fs::read(path)
                    .context(format!("cannot read the pattern {}", path.display()))
                    .map_err(Failure::input)?,
            )),
            Some(FilterChoice::Well) | None => None,
        };
        let who = Who::Search { judge, filter, picture };
        Ok(PlayerSource { who, planner: config.planner.clone(), start_level: config.bot.start_level })
    }

    /// The same players, moving pieces in another way.
    pub(super) fn with_input(&self, input: planner::Input) -> PlayerSource {
        PlayerSource { who: self.who.clone(), planner: planner::Settings { input, ..self.planner.clone() }, ..*self }
    }

    /// What the report and the files call it.
    pub(super) fn id(&self) -> PlayerId {
        let (name, weights_sha1, picture_sha1) = match &self.who {
            Who::Search { judge, picture, .. } => (judge.name().to_owned(), judge.weights_sha1(), picture.clone()),
            Who::Exec { command, .. } => (format!("exec:{command}"), None, None),
        };
        // Threads change nothing but the time.
        let planner = planner::Settings { think_threads: None, ..self.planner.clone() };
        PlayerId { name, weights_sha1, picture_sha1, planner }
    }

    /// One player more.
    pub(super) fn make(&self) -> Result<Box<dyn Player>, PlayerError> {
        match &self.who {
            Who::Search { judge, filter, .. } => {
                Ok(Box::new(judge.search(self.planner.clone())?.filtered(filter.clone())))
            }
            Who::Exec { .. } => Ok(Box::new(self.start()?)),
        }
    }

    /// The player of a single game; an external one that cannot be started is bad input, one
    /// that does not say hello has failed.
    pub(super) fn make_one(&self) -> Result<Box<dyn Player>, Failure> {
        match &self.who {
            Who::Search { .. } => self.make().map_err(Failure::input),
            Who::Exec { .. } => match self.start() {
                Ok(player) => Ok(Box::new(player)),
                Err(error @ (StartError::Spawn { .. } | StartError::Cheat(_))) => Err(Failure::input(error)),
                Err(error @ StartError::Hello(_)) => Err(Failure::run(error)),
            },
        }
    }

    /// The external player, started and greeted.
    fn start(&self) -> Result<ExecPlayer, StartError> {
        let Who::Exec { command, timeout } = &self.who else { unreachable!("only external players are started") };
        let mut settings =
            external::Settings { planner: self.planner.clone(), start_level: self.start_level, ..Default::default() };
        setup::override_with(&mut settings.timeout, *timeout);
        ExecPlayer::start(command, settings)
    }
}

/// SHA-1 in hexadecimal.
fn sha1(bytes: &[u8]) -> String {
    Sha1::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
