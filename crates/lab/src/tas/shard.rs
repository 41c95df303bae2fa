//! The file of a shard: the best game of some seeds, to be merged with those of other machines.

use serde::{Deserialize, Serialize};

use super::beam::Settings;
use super::improve::SearchOfParts;
use super::path::Played;
use super::weights::Weights;
use crate::Difference;
use crate::simulate::Shard;

/// Most bytes of a file that is read: up to four for each frame, of which a game has some ten thousand.
pub const LONGEST: u64 = 1024 * 1024;
/// Most noise of a search, in frames.
pub const MOST_NOISE: f32 = 1000.0;

/// Most seeds of a run. Chosen by hand, not measured: a seed takes half a minute.
pub const MOST_SEEDS: u64 = 1_000_000;
/// The layout that is written and read.
const LAYOUT: u32 = 4;

/// A run over some seeds, as all its shards have it in common.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SeedsRun {
    /// The program's version: another one may find another game.
    version: String,
    goal: String,
    count: String,
    start_level: u8,
    width: usize,
    pause: u8,
    same_playfield: u8,
    menu_delay: u32,
    noise: f32,
    weights: Weights,
    first_seed: u64,
    /// How many, in all shards together.
    seeds: u64,
    /// Does each seed make a plan first?
    plan: Option<PlanRun>,
}

/// What runs over plans have in common besides.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlanRun {
    /// How often parts of the plan are planned again.
    pub replans: u32,
    /// Pieces of a stretch.
    pub shape: usize,
    /// Playfields kept in long stretches.
    pub across: usize,
    /// Are there searches through runs of cycles?
    pub cycles: bool,
    /// The searches of parts, if there are any.
    pub parts: Option<SearchOfParts>,
}

/// What a shard has found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShardResult {
    #[serde(rename = "maxout-tas-shard")]
    layout: u32,
    /// The run that it is a part of.
    run: SeedsRun,
    /// Which part.
    pub shard: Shard,
    /// Was it stopped before all its seeds were searched?
    pub interrupted: bool,
    game: Option<Game>,
}

/// A file of any layout.
#[derive(Deserialize)]
struct AnyLayout {
    #[serde(rename = "maxout-tas-shard")]
    layout: u32,
}

/// A game to the goal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Game {
    seed: u64,
    played: Played,
}

/// Why a file is no such result.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ShardError {
    /// It is not of this form.
    #[error("expected a file that maxout tas --result has written, found {0}")]
    Form(String),
    /// Another version has written it.
    #[error("expected a file of layout {LAYOUT}, found layout {0}")]
    Layout(u32),
    /// Its game does not reach the goal in its last frame with its points, lines and level, or it is of no seed of the shard.
    #[error("its game is damaged: the rules model plays another one, or it is of a seed of another shard")]
    Game,
}

impl SeedsRun {
    /// The run over the seeds from that of the settings on. `plan`: each of them makes a plan first.
    pub fn new(settings: &Settings, seeds: u64, plan: Option<PlanRun>) -> SeedsRun {
        SeedsRun {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            goal: settings.goal.to_string(),
            count: settings.count.to_string(),
            start_level: settings.start_level,
            width: settings.width,
            pause: settings.longest_pause,
            same_playfield: settings.same_playfield,
            menu_delay: settings.menu_delay,
            noise: settings.noise,
            weights: settings.weights.clone(),
            first_seed: settings.seed,
            seeds,
            plan,
        }
    }

    /// Does each seed make a plan first?
    pub const fn plans(&self) -> bool {
        self.plan.is_some()
    }

    /// How many seeds all shards have together.
    pub const fn seeds(&self) -> u64 {
        self.seeds
    }

    /// The first difference of another run.
    pub fn difference(&self, other: &SeedsRun) -> Option<Difference> {
        Difference::between(self, other)
    }
}

impl ShardResult {
    /// The result of a shard: the seed of its best game, and that game.
    pub fn new(run: SeedsRun, shard: Shard, interrupted: bool, game: Option<(u64, &Played)>) -> ShardResult {
        let game = game.map(|(seed, played)| Game { seed, played: played.clone() });
        ShardResult { layout: LAYOUT, run, shard, interrupted, game }
    }

    /// The run that it is a part of.
    pub const fn run(&self) -> &SeedsRun {
        &self.run
    }

    /// The file's text.
    pub fn text(&self) -> String {
        serde_json::to_string(self).expect("numbers and texts are JSON") + "\n"
    }

    /// Reads a file's text.
    ///
    /// # Errors
    /// [`ShardError`] when it is no such file.
    pub fn parse(text: &str) -> Result<ShardResult, ShardError> {
        // Files of another layout have other fields.
        if let Ok(AnyLayout { layout }) = serde_json::from_str(text)
            && layout != LAYOUT
        {
            return Err(ShardError::Layout(layout));
        }
        let result: ShardResult = serde_json::from_str(text).map_err(|error| ShardError::Form(error.to_string()))?;
        let weights = &result.run.weights;
        if !(0.0..=MOST_NOISE).contains(&result.run.noise) {
            return Err(ShardError::Form(format!("a noise of {} frames", result.run.noise)));
        }
        if !(1..=MOST_SEEDS).contains(&result.run.seeds) {
            return Err(ShardError::Form(format!(
                "a run of {} seeds, of which there are 1 to {MOST_SEEDS}",
                result.run.seeds
            )));
        }
        Weights::from_toml(&toml::to_string(weights).map_err(|error| ShardError::Form(error.to_string()))?)
            .map_err(|error| ShardError::Form(error.to_string()))?;
        Ok(result)
    }

    /// The settings of its best game, and the game, which the rules model has played; `None` if it has found none.
    ///
    /// # Errors
    /// When the game is not the one that the file says. Its pieces, its clears and where its frames go are not looked at.
    pub fn played(&self) -> Result<Option<(Settings, Played)>, ShardError> {
        let Some(Game { seed, played }) = &self.game else { return Ok(None) };
        let run = &self.run;
        let settings = Settings {
            goal: run.goal.parse().map_err(|_| ShardError::Game)?,
            count: run.count.parse().map_err(|_| ShardError::Game)?,
            start_level: run.start_level,
            width: run.width,
            longest_pause: run.pause,
            same_playfield: run.same_playfield,
            menu_delay: run.menu_delay,
            seed: *seed,
            noise: run.noise,
            weights: run.weights.clone(),
        };
        let index = seed.wrapping_sub(run.first_seed);
        let is_of_shard = index < run.seeds && self.shard.holds(index);
        let is_sound = is_of_shard && played.is_sound(settings.goal) && played.start_level() == Some(run.start_level);
        is_sound.then(|| Some((settings, played.clone()))).ok_or(ShardError::Game)
    }
}
