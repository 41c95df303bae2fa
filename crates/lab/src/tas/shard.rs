//! The file of a shard: the best game of some seeds, to be merged with those of other machines.

use serde::{Deserialize, Serialize};

use super::beam::{Node, Settings, packed, unpacked};
use super::goal::Goal;
use super::path::{Found, Move};
use super::weights::Weights;
use crate::simulate::Shard;
use maxout_engine::tas::{Landing, Opening, Pause, openings};

/// Most bytes of a file that is read: some 30 for each of the pieces, of which a game has some hundreds.
pub const LONGEST: u64 = 1024 * 1024;
/// Most noise of a search, in frames.
pub const MOST_NOISE: f32 = 1000.0;
/// The layout that is written and read.
const LAYOUT: u32 = 1;
/// Most moves of a game, and most frames of one of them and of its goal after the last lock: no game of a
/// search has as many.
const MOST_MOVES: usize = 10_000;
const MOST_FRAMES: u32 = 2_000;

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

/// A game to the goal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Game {
    seed: u64,
    frame: u32,
    /// Index of the menus.
    opening: usize,
    /// Placement, frames to the lock, pause, frames up to the last button.
    moves: Vec<(u16, u32, u8, Option<u32>)>,
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
    /// Its game cannot be.
    #[error("its game is damaged")]
    Game,
}

impl SeedsRun {
    /// The run over the seeds from that of the settings on.
    pub fn new(settings: &Settings, seeds: u64) -> SeedsRun {
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
        }
    }

    /// The openings that its searches begin with; none for a goal or a delay that no search has.
    fn openings(&self) -> Vec<Opening> {
        // More openings than a search may try take very long to list.
        let goal = self.goal.parse().ok().filter(|_| self.menu_delay <= 20);
        goal.map_or_else(Vec::new, |goal: Goal| openings(goal.choice(self.start_level), self.menu_delay))
    }

    /// How many seeds all shards have together.
    pub const fn seeds(&self) -> u64 {
        self.seeds
    }

    /// The first difference of another run: its name, what this run has there, and what the other one has.
    pub fn difference(&self, other: &SeedsRun) -> Option<[String; 3]> {
        let json = |run: &SeedsRun| serde_json::to_value(run).ok();
        let (ours, theirs) = (json(self)?, json(other)?);
        let name = ours.as_object()?.iter().find(|(name, value)| theirs.get(name) != Some(value))?.0;
        Some([name.replace('_', " "), ours[name].to_string(), theirs[name].to_string()])
    }
}

impl ShardResult {
    /// The result of a shard: the seed of its best game, and that game.
    pub fn new(run: SeedsRun, shard: Shard, interrupted: bool, game: Option<(u64, &Found)>) -> ShardResult {
        let game = game.map(|(seed, found)| {
            let opening = run.openings().iter().position(|opening| *opening == found.opening);
            let moves = found.moves.iter().map(|&Move { landing, pause, presses }| {
                (packed(landing.placement), landing.frames, pause.frames(), presses)
            });
            // A search begins with one of the openings.
            Game { seed, frame: found.frame, opening: opening.unwrap_or(0), moves: moves.collect() }
        });
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
        let result: ShardResult = serde_json::from_str(text).map_err(|error| ShardError::Form(error.to_string()))?;
        let weights = &result.run.weights;
        if result.layout != LAYOUT {
            return Err(ShardError::Layout(result.layout));
        }
        if !(0.0..=MOST_NOISE).contains(&result.run.noise) {
            return Err(ShardError::Form(format!("a noise of {} frames", result.run.noise)));
        }
        Weights::from_toml(&toml::to_string(weights).map_err(|error| ShardError::Form(error.to_string()))?)
            .map_err(|error| ShardError::Form(error.to_string()))?;
        Ok(result)
    }

    /// The settings of its best game, and the game; `None` if it has found none.
    ///
    /// # Errors
    /// When the file holds what no search finds. Whether the game reaches the goal is not looked at.
    pub fn found(&self) -> Result<Option<(Settings, Found)>, ShardError> {
        let Some(game) = &self.game else { return Ok(None) };
        let run = &self.run;
        let settings = Settings {
            goal: run.goal.parse().map_err(|_| ShardError::Game)?,
            count: run.count.parse().map_err(|_| ShardError::Game)?,
            start_level: run.start_level,
            width: run.width,
            longest_pause: run.pause,
            same_playfield: run.same_playfield,
            menu_delay: run.menu_delay,
            seed: game.seed,
            noise: run.noise,
            weights: run.weights.clone(),
        };
        let opening = run.openings().into_iter().nth(game.opening).ok_or(ShardError::Game)?;
        let moves: Option<Vec<Move>> = game
            .moves
            .iter()
            .map(|&(placement, frames, pause, presses)| {
                let node = Node { parent: 0, frames: 0, placement, pause };
                let is_possible = node.is_possible() && (1..=MOST_FRAMES).contains(&frames);
                let pause = Pause::new(pause, 0).filter(|_| is_possible)?;
                Some(Move { landing: Landing { placement: unpacked(placement), frames }, pause, presses })
            })
            .collect();
        let moves = moves.filter(|moves| !moves.is_empty() && moves.len() <= MOST_MOVES).ok_or(ShardError::Game)?;
        let most = moves.iter().fold(opening.first.frame, |sum, done| sum + done.landing.frames + MOST_FRAMES);
        if game.frame > most {
            return Err(ShardError::Game);
        }
        Ok(Some((settings, Found::new(opening, moves, game.frame))))
    }
}
