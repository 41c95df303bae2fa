//! The players of a run, made from its settings and flags.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, anyhow};
use sha1::{Digest, Sha1};

use super::flags::PlayerArgs;
use super::values::PlayerChoice;
use super::weights::{self, WeightsBytes};
use crate::config::{Config, override_with};
use crate::system::failure::Failure;
use maxout_console::WallClock;
use maxout_engine::judge::{Judge, LEARNED};
use maxout_engine::planner::filter::{Filter, FilterChoice};
use maxout_engine::planner::{self, Player, PlayerError, Search};
use maxout_external::{self as external, ExternalPlayer, StartError};
use maxout_formats::limited;
use maxout_lab::simulate::PlayerId;

/// Makes the players of a run: one for every game, all alike.
pub(crate) struct PlayerSource {
    who: Who,
    planner: planner::Settings,
    start_level: u8,
}

#[derive(Clone)]
enum Who {
    /// The filter is read once, so that every game is played with the same picture.
    Search {
        judge: Judge,
        /// The bytes of the weights file, unless they are the published weights.
        weights: Option<WeightsBytes>,
        filter: Option<Arc<dyn Filter>>,
        picture: Option<String>,
    },
    External {
        command: String,
        timeout: Option<Duration>,
    },
}

impl PlayerSource {
    /// The source of the players that the settings and the flags describe; files are read here
    /// for the first time.
    pub(crate) fn new(config: &Config, args: &PlayerArgs) -> Result<PlayerSource, Failure> {
        match &args.player {
            None => PlayerSource::of_evaluator(config),
            Some(PlayerChoice::External(command)) => PlayerSource::of_command(config, command, args.player_timeout),
        }
    }

    /// The source of external players by their command line.
    pub(crate) fn of_command(
        config: &Config,
        command: &str,
        timeout: Option<Duration>,
    ) -> Result<PlayerSource, Failure> {
        if config.planner.filter.is_some() || config.planner.target_score.is_some() {
            return Err(Failure::input(anyhow!(
                "filters and target scores need a built-in player: leave them out, or let the external player keep to them"
            )));
        }
        check_rng(&config.planner, None)?;
        check_aim(&config.planner, None)?;
        if let Some(cheat) = config.planner.input.cheat() {
            return Err(Failure::input(StartError::Cheat(cheat)));
        }
        let who = Who::External { command: command.to_owned(), timeout };
        // What an external player thinks is not known.
        let planner = planner::Settings { think: None, think_threads: None, ..config.planner.clone() };
        Ok(PlayerSource { who, planner, start_level: config.bot.start_level })
    }

    /// The source of the players that the settings describe.
    pub(crate) fn of_evaluator(config: &Config) -> Result<PlayerSource, Failure> {
        let (judge, weights) = weights::judge(&config.eval)?;
        check_rng(&config.planner, Some(judge.name()))?;
        check_aim(&config.planner, Some(judge.name()))?;
        let choice = config.planner.filter.as_ref();
        let filter = choice.map(maxout_formats::pattern::filter).transpose().map_err(Failure::input)?;
        let read = |path: &PathBuf| {
            limited::read(path, limited::PICTURE).context(format!("cannot read the pattern {}", path.display()))
        };
        let picture = choice.and_then(FilterChoice::picture).map(read).transpose().map_err(Failure::input)?;
        let picture = picture.as_deref().map(sha1);
        let who = Who::Search { judge, weights, filter, picture };
        Ok(PlayerSource { who, planner: config.planner.clone(), start_level: config.bot.start_level })
    }

    /// The same players with another way of moving pieces.
    pub(crate) fn with_input(&self, input: planner::Input) -> PlayerSource {
        self.with_planner(planner::Settings { input, ..self.planner.clone() })
    }

    /// The same players with these settings.
    pub(crate) fn with_planner(&self, planner: planner::Settings) -> PlayerSource {
        PlayerSource { who: self.who.clone(), planner, ..*self }
    }

    /// How reports and files name the player.
    pub(crate) fn id(&self) -> PlayerId {
        let (name, weights_sha1, picture_sha1) = match &self.who {
            Who::Search { judge, weights, picture, .. } => {
                (judge.name().to_owned(), weights.as_deref().map(sha1), picture.clone())
            }
            Who::External { command, .. } => (format!("exec:{command}"), None, None),
        };
        // Threads change only the time.
        let planner = planner::Settings { think_threads: None, ..self.planner.clone() };
        PlayerId { name, weights_sha1, picture_sha1, planner }
    }

    /// Makes another player.
    pub(crate) fn make(&self) -> Result<Box<dyn Player>, PlayerError> {
        match &self.who {
            Who::Search { judge, filter, .. } => Ok(Box::new(
                Search::new(judge.clone(), self.planner.clone())
                    .with_clock(Arc::new(WallClock::start()))
                    .filtered(filter.clone()),
            )),
            Who::External { .. } => Ok(Box::new(self.start()?)),
        }
    }

    /// The player of a single game; an external one that cannot be started is bad input, one
    /// that does not say hello has failed.
    pub(crate) fn make_one(&self) -> Result<Box<dyn Player>, Failure> {
        match &self.who {
            Who::Search { .. } => self.make().map_err(Failure::input),
            Who::External { .. } => match self.start() {
                Ok(player) => Ok(Box::new(player)),
                Err(error @ (StartError::Spawn { .. } | StartError::Cheat(_))) => Err(Failure::input(error)),
                Err(error @ StartError::Hello(_)) => Err(Failure::run(error)),
            },
        }
    }

    /// The external player, started and greeted.
    fn start(&self) -> Result<ExternalPlayer, StartError> {
        let Who::External { command, timeout } = &self.who else { unreachable!("only external players are started") };
        let mut settings =
            external::Settings { planner: self.planner.clone(), start_level: self.start_level, ..Default::default() };
        override_with(&mut settings.timeout, *timeout);
        ExternalPlayer::start(command, settings)
    }
}

/// Why this is not the learned player with buttons, without filter and target score; `None` where it is. `judge`: the judge of a
/// player that is built in.
fn no_plain_learned(planner: &planner::Settings, judge: Option<&str>) -> Option<String> {
    match judge {
        None => Some("an external player".to_owned()),
        Some(judge) if judge != LEARNED => Some(format!("the evaluator {judge}")),
        Some(_) if planner.input.cheat().is_some() => Some("an input that presses no buttons".to_owned()),
        Some(_) if planner.filter.is_some() => Some("a filter".to_owned()),
        Some(_) if planner.target_score.is_some() => Some("a target score".to_owned()),
        Some(_) => None,
    }
}

/// Refuses to read the piece generator where the player cannot plan with it.
fn check_rng(planner: &planner::Settings, judge: Option<&str>) -> Result<(), Failure> {
    if planner.rng.is_honest() {
        return Ok(());
    }
    let Some(found) = no_plain_learned(planner, judge) else { return Ok(()) };
    Err(Failure::input(anyhow!(
        "--rng {} needs the learned player, with buttons and without filter and target score; found {found}: choose \
         --rng honest, or leave that out",
        planner.rng
    )))
}

/// Refuses an aim where the player cannot play for it.
fn check_aim(planner: &planner::Settings, judge: Option<&str>) -> Result<(), Failure> {
    if planner.aim.is_mean() {
        return Ok(());
    }
    let found = match no_plain_learned(planner, judge) {
        Some(found) => found,
        None if planner.reaction_frames > 0 => "a reaction time".to_owned(),
        None if !planner.rng.is_honest() => format!("--rng {}", planner.rng),
        None => return Ok(()),
    };
    Err(Failure::input(anyhow!(
        "the aim {} needs the learned player, with buttons and without reaction time, piece generator, filter and target score; \
         found {found}: choose the aim mean, or leave that out",
        planner.aim
    )))
}

/// What the values of this player's placements are in; empty where they have no unit.
pub(crate) fn value_unit(player: &str) -> &'static str {
    if player == LEARNED { "points" } else { "" }
}

/// SHA-1 in hexadecimal.
fn sha1(bytes: &[u8]) -> String {
    Sha1::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
