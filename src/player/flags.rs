//! The flags that describe a player, and how they override the settings.

use std::num::NonZeroU16;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::anyhow;

use super::values::{InputArg, PlayerChoice, seconds};
use super::weights;
use crate::config::{Config, override_with};
use crate::system::failure::Failure;
use maxout_engine::gamepad::Tapping;
use maxout_engine::judge::LEARNED;
use maxout_engine::planner::filter::FilterChoice;
use maxout_engine::planner::{Aim, Dodging, Input, RngUse, Think};

/// A player by flags.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Player")]
pub(crate) struct PlayerArgs {
    /// Who judges.
    #[command(flatten)]
    pub judge: JudgeArgs,
    /// External player: a program that answers over JSON lines, for example exec:"python3 player.py"
    #[arg(long, value_name = "PLAYER", conflicts_with_all = ["evaluator", "weights"])]
    pub player: Option<PlayerChoice>,
    /// Time limit for each answer of --player, in seconds, 0.001 to 86400 [default: 10]
    #[arg(long, value_name = "SECONDS", value_parser = seconds, requires = "player")]
    pub player_timeout: Option<Duration>,
    /// Keep the game from crashing from level 153 on, by another placement, pushdown or Select: auto (where
    /// the game can crash) or off [default: auto]
    #[arg(long, value_name = "WHEN", value_parser = dodging)]
    pub dodge: Option<Dodging>,
    /// What the player does with the game's piece generator: honest (nothing), seen (NOT HONEST: reads it in RAM
    /// and plans with the pieces to come) or steered (NOT HONEST: also pushes down or not so that other pieces
    /// come) [default: honest]
    #[arg(long, value_name = "USE")]
    pub rng: Option<RngUse>,
    /// What the learned player plays for: mean (the most points on average), maxout (the chance of 999,999) or survive
    /// (the chance to reach level 29) [default: mean]
    #[arg(long, value_name = "AIM")]
    pub aim: Option<Aim>,
    /// How the player moves.
    #[command(flatten)]
    pub moves: MoveArgs,
}

/// Who judges placements, by flags.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Player")]
pub(crate) struct JudgeArgs {
    /// Evaluator that judges placements: learned, birken-v1, birken-v2, dellacherie, dellacherie-ga,
    /// el-tetris or exhaustive-pair [default: learned]
    #[arg(long, value_name = "NAME")]
    pub evaluator: Option<String>,
    /// Weights file to use instead of the built-in weights; without --evaluator, the file names the
    /// evaluator
    #[arg(long, value_name = "FILE")]
    pub weights: Option<PathBuf>,
}

/// How far the learned player thinks, by flags.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Player")]
pub(crate) struct ThinkArgs {
    /// How far the learned player looks ahead: fixed:N (N pieces, 1 to 5), or a time in milliseconds per
    /// decision, for example 10 [default: fixed:4 in play, dump, drive and simulate, fixed:3 in other commands]
    #[arg(long, value_name = "THINK")]
    pub think: Option<Think>,
    /// Threads of the learned player's search; with --think fixed:N they do not change the choices
    /// [default: 1]
    #[arg(long, value_name = "N")]
    pub think_threads: Option<NonZeroU16>,
}

/// How a player moves, by flags.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Player")]
pub(crate) struct MoveArgs {
    /// How pieces are moved; drag and teleport cheat: they write RAM [default: taps]
    #[arg(long, value_name = "STYLE")]
    pub input: Option<InputArg>,
    /// Taps per second with --input taps, 1 to 30, or a rhythm: X is a frame with a tap, . one without.
    /// X.... taps in the first frame of a piece, then in every fifth (12 Hz). Or the frames from tap to
    /// tap: 2-3 in turn (24 Hz), 2-2-2-5+ with the last one repeated; slow5 is its name [default: 30]
    #[arg(long, value_name = "RATE")]
    pub tap_rate: Option<Tapping>,
    /// Frames after the spawn before the next box may be used [default: 0]
    #[arg(long, value_name = "N")]
    pub reaction_frames: Option<u32>,
    /// Frames after the spawn in which the player presses nothing [default: 0]
    #[arg(long, value_name = "N")]
    pub first_press: Option<u32>,
    /// How far the learned player thinks.
    #[command(flatten)]
    pub think: ThinkArgs,
    /// Restrict the placements: well keeps the rightmost column open for the I piece, pattern:FILE.png
    /// makes the pile draw a picture of 10 x 20 pixels
    #[arg(long, value_name = "FILTER")]
    pub filter: Option<FilterChoice>,
}

impl PlayerArgs {
    /// Overrides the settings with the flags that are there.
    pub(crate) fn apply(&self, config: &mut Config) -> Result<(), Failure> {
        self.judge.apply(config);
        override_with(&mut config.planner.dodge, self.dodge);
        override_with(&mut config.planner.rng, self.rng);
        override_with(&mut config.planner.aim, self.aim);
        config.planner.think.get_or_insert(Think::Plies(Think::PLAYED_PLIES));
        self.moves.apply(config)?;
        if self.player.is_some() {
            // What an external player thinks is not known: the settings of a run must not say.
            (config.planner.think, config.planner.think_threads) = (None, None);
        }
        Ok(())
    }
}

impl JudgeArgs {
    /// Overrides the settings with the flags that are there.
    pub(crate) fn apply(&self, config: &mut Config) {
        if let Some(path) = &self.weights {
            config.eval.weights = Some(path.clone());
            override_with(&mut config.eval.evaluator, weights::evaluator_in(path));
        }
        override_with(&mut config.eval.evaluator, self.evaluator.clone());
    }
}

impl ThinkArgs {
    /// Overrides the settings with the flags that are there; the evaluator is known by then.
    pub(crate) fn apply(&self, config: &mut Config) {
        let settings = &mut config.planner;
        if config.eval.evaluator != LEARNED {
            // Evaluators do not look ahead: the settings of a run must not say that they do.
            (settings.think, settings.think_threads) = (None, None);
            return;
        }
        settings.think = Some(self.think.or(settings.think).unwrap_or_default());
        settings.think_threads = self.think_threads.or(settings.think_threads);
    }
}

impl MoveArgs {
    /// Overrides the settings with the flags that are there.
    pub(crate) fn apply(&self, config: &mut Config) -> Result<(), Failure> {
        let settings = &mut config.planner;
        override_with(&mut settings.input, self.input.map(Into::into));
        if self.tap_rate.is_some() && settings.input != Input::Taps {
            return Err(Failure::input(anyhow!(
                "--tap-rate needs --input taps: even-frames and gamepad press as fast as they can, drag and teleport nothing"
            )));
        }
        override_with(&mut settings.tap_rate, self.tap_rate);
        override_with(&mut settings.reaction_frames, self.reaction_frames);
        override_with(&mut settings.first_press, self.first_press);
        if self.filter.is_some() {
            settings.filter.clone_from(&self.filter);
        }
        if settings.reaction_frames > 0 && settings.input.cheat().is_some() {
            return Err(reaction_needs_buttons());
        }
        if settings.first_press > 0 && settings.input.cheat().is_some() {
            return Err(Failure::input(anyhow!(
                "a first press needs an input that presses buttons, found drag or teleport; choose --first-press 0 \
                 or another input"
            )));
        }
        self.think.apply(config);
        Ok(())
    }
}

fn dodging(text: &str) -> Result<Dodging, String> {
    match text {
        "auto" => Ok(Dodging::Auto),
        "off" => Ok(Dodging::Off),
        _ => Err(format!("expected auto or off, found {text:?}")),
    }
}

/// Refuses a goal that is reached before anything is played.
pub(crate) fn check_level_goal(level: u8, start_level: u8) -> Result<(), Failure> {
    if level <= start_level {
        return Err(Failure::input(anyhow!(
            "--until level:{level}: the game starts at level {start_level}; give a higher level, or a lower --start-level"
        )));
    }
    Ok(())
}

/// An input that presses no buttons has no reaction time.
pub(crate) fn reaction_needs_buttons() -> Failure {
    Failure::input(anyhow!(
        "reaction frames need an input that presses buttons, found drag or teleport; choose --reaction-frames 0 or \
         another input"
    ))
}
