//! Who plays: flags for a player, and the players that a run asks for.

use std::path::PathBuf;

use sha1::{Digest, Sha1};

use super::args::{InputArg, tap_rate};
use super::failure::Failure;
use super::setup;
use crate::config::Config;
use crate::gamepad::TapRate;
use crate::planner::{self, Player, PlayerError, Search};
use crate::simulate::PlayerId;
use crate::{config, eval};

/// A player by flags.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Player")]
pub(super) struct PlayerArgs {
    /// Who judges placements: birken-v2 or el-tetris [default: birken-v2]
    #[arg(long, value_name = "NAME")]
    pub evaluator: Option<String>,
    /// Weights file for the evaluator instead of its own
    #[arg(long, value_name = "FILE")]
    pub weights: Option<PathBuf>,
    /// How the player moves
    #[command(flatten)]
    pub moves: MoveArgs,
}

/// How a player moves, by flags.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Player")]
pub(super) struct MoveArgs {
    /// How buttons are pressed [default: even-frames]
    #[arg(long, value_name = "STYLE")]
    pub input: Option<InputArg>,
    /// Taps a second of --input taps, 1 to 30 [default: 30]
    #[arg(long, value_name = "HZ", value_parser = tap_rate)]
    pub tap_rate: Option<TapRate>,
    /// Frames after the spawn in which the next box is not yet used [default: 0]
    #[arg(long, value_name = "N")]
    pub reaction_frames: Option<u32>,
}

impl PlayerArgs {
    /// Overrides the settings with the flags that are there.
    pub(super) fn apply(&self, config: &mut Config) {
        setup::override_with(&mut config.eval.evaluator, self.evaluator.clone());
        if self.weights.is_some() {
            config.eval.weights.clone_from(&self.weights);
        }
        self.moves.apply(&mut config.planner);
    }
}

impl MoveArgs {
    /// Overrides the settings with the flags that are there.
    pub(super) fn apply(&self, settings: &mut planner::Settings) {
        setup::override_with(&mut settings.input, self.input.map(Into::into));
        setup::override_with(&mut settings.tap_rate, self.tap_rate);
        setup::override_with(&mut settings.reaction_frames, self.reaction_frames);
    }
}

/// Where the players of a run come from: one for every thread, all alike.
#[derive(Debug)]
pub(super) struct PlayerSource {
    evaluator: String,
    weights: Option<String>,
    planner: planner::Settings,
}

impl PlayerSource {
    /// The source of the players that the settings describe; the weights are read here, once.
    pub(super) fn new(config: &config::Config) -> Result<PlayerSource, Failure> {
        let weights = setup::weights(&config.eval)?;
        // Found out now rather than on the first thread.
        setup::evaluator_of(&config.eval, weights.as_deref())?;
        Ok(PlayerSource { evaluator: config.eval.evaluator.clone(), weights, planner: config.planner })
    }

    /// What the report and the files call it.
    pub(super) fn id(&self) -> PlayerId {
        let hash =
            |text: &String| Sha1::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect::<String>();
        PlayerId { name: self.evaluator.clone(), weights_sha1: self.weights.as_ref().map(hash), planner: self.planner }
    }

    /// One player more.
    pub(super) fn make(&self) -> Result<Box<dyn Player>, PlayerError> {
        let evaluator = eval::by_name(&self.evaluator, self.weights.as_deref())
            .map_err(|error| PlayerError { player: self.evaluator.clone(), problem: error.to_string() })?;
        Ok(Box::new(Search::new(evaluator, self.planner)))
    }
}
