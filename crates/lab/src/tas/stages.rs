//! A search by stages on disk: the plan and the fastest game so far, and which stages are over. It is written after each
//! stage, and read to go on.
//!
//! [Plans](super::plan) and [improvements](super::improve) are such searches: what a stage finds depends on the settings
//! and on the plan or the game before it alone.

use serde::{Deserialize, Serialize};

use super::goal::Goal;
use super::improve::Improving;
use super::path::Played;
use super::plan::{PlanNumbers, Planning};
use super::sealed::{self, CheckpointError};

/// Bytes of a checkpoint before the stages, which are JSON.
pub const HEADER: usize = sealed::HEADER;
/// Most bytes of a file that is read: up to four for each frame, of which a game has some ten thousand.
pub const LONGEST: u64 = 16 * 1024 * 1024;
/// Searches in vain after which one is over: with parts, cycles, three kinds of long stretches and two of short ones.
const MOST_IN_VAIN: usize = Improving::MOST_STRETCHES;
/// Most searches through a game: no search makes a hundred.
const MOST_ROUNDS: usize = 1_000_000;

/// How far a search has come.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stages {
    /// Rounds of planning.
    pub plans: usize,
    /// The plan so far.
    pub plan: Option<PlanNumbers>,
    /// Searches through the fastest game.
    pub round: usize,
    /// The last of them that found nothing faster.
    pub in_vain: usize,
    /// The fastest game so far.
    pub game: Option<Played>,
}

/// The rounds of planning of a search.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Plans {
    /// What is planned.
    pub planning: Planning,
    /// How many rounds.
    pub rounds: usize,
}

/// The bytes of a search with these settings. The settings are any text that is another for another search.
pub fn write(stages: &Stages, settings: &str) -> Vec<u8> {
    let mut bytes = sealed::header(sealed::STAGES, settings);
    serde_json::to_writer(&mut bytes, stages).expect("numbers and texts are JSON");
    sealed::seal(&mut bytes);
    bytes
}

/// The search that was written, to go on with these settings and with these plans, if it plans.
///
/// # Errors
/// [`CheckpointError`] when the bytes are not such a search, or its plan or its game does not reach the goal.
pub fn read(bytes: &[u8], settings: &str, goal: Goal, plans: Option<Plans>) -> Result<Stages, CheckpointError> {
    let content = sealed::open(bytes, sealed::STAGES, settings)?;
    let stages: Stages = serde_json::from_slice(content).map_err(|_| CheckpointError::Damaged)?;
    let rounds = plans.map_or(0, |plans| plans.rounds);
    let has_plan = stages.plan.is_some() == (stages.plans > 0)
        && stages.plan.as_ref().zip(plans).is_none_or(|(plan, plans)| plans.planning.plan_of(plan).is_some());
    // All rounds of planning come before the first game, and that comes before the first search through it.
    let is_in_order = stages.plans <= rounds
        && (stages.plans == rounds || stages.game.is_none())
        && (plans.is_none() || stages.game.is_some() || stages.round == 0)
        && stages.round <= MOST_ROUNDS
        && stages.in_vain <= stages.round.min(MOST_IN_VAIN);
    let is_sound = stages.game.as_ref().is_none_or(|game| game.is_sound(goal));
    if !has_plan || !is_in_order || !is_sound {
        return Err(CheckpointError::Damaged);
    }
    Ok(stages)
}
