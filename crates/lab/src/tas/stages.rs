//! A search by stages on disk: the fastest game so far and which stages are over. Written after each of them, and read
//! to go on.
//!
//! [Plans](super::plan) and [improvements](super::improve) are such searches: what a stage finds depends on the settings
//! and on the game before it alone.

use serde::{Deserialize, Serialize};

use super::checkpoint::{BY_STAGES, CheckpointError, MAGIC, VERSION, checksum, number_of};
use super::goal::Goal;
use super::path::Played;

/// Before the stages: magic, version and the number of the settings.
const HEADER: usize = MAGIC.len() + 1 + 8;
/// Most bytes of a file that is read: two for each frame, of which a game has some ten thousand.
pub const LONGEST: u64 = 16 * 1024 * 1024;
/// Searches in vain after which one is over.
const MOST_IN_VAIN: usize = 2;
/// Most searches through a game: no search makes a hundred.
const MOST_ROUNDS: usize = 1_000_000;

/// How far a search has come.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stages {
    /// Plans that were tried.
    pub plans: usize,
    /// Searches through the fastest game.
    pub round: usize,
    /// The last of them that found nothing faster.
    pub in_vain: usize,
    /// The fastest game so far.
    pub game: Option<Played>,
}

/// The bytes of a search with these settings. The settings are any text that is another for another search.
pub fn write(stages: &Stages, settings: &str) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.push(BY_STAGES);
    bytes.extend(number_of(settings).to_le_bytes());
    bytes.extend(serde_json::to_vec(stages).expect("numbers and texts are JSON"));
    let check = checksum(&bytes);
    bytes.extend(check.to_le_bytes());
    bytes
}

/// The search that was written, to go on with these settings and this number of plans.
///
/// # Errors
/// [`CheckpointError`] when the bytes are not such a search, or its game does not reach the goal in its last frame.
pub fn read(bytes: &[u8], settings: &str, goal: Goal, plans: usize) -> Result<Stages, CheckpointError> {
    let (content, check) = bytes.split_last_chunk::<4>().ok_or(CheckpointError::Magic)?;
    let body = content.get(HEADER..).filter(|_| content.starts_with(&MAGIC)).ok_or(CheckpointError::Magic)?;
    if checksum(content) != u32::from_le_bytes(*check) {
        return Err(CheckpointError::Damaged);
    }
    match content[MAGIC.len()] {
        BY_STAGES => {}
        1 | VERSION => return Err(CheckpointError::Settings),
        _ => return Err(CheckpointError::Magic),
    }
    if content[MAGIC.len() + 1..HEADER] != number_of(settings).to_le_bytes() {
        return Err(CheckpointError::Settings);
    }
    let stages: Stages = serde_json::from_slice(body).map_err(|_| CheckpointError::Damaged)?;
    let is_possible = stages.plans <= plans
        && (stages.round == 0 || stages.plans == plans)
        && stages.round <= MOST_ROUNDS
        && stages.in_vain <= stages.round.min(MOST_IN_VAIN);
    if !is_possible || stages.game.as_ref().is_some_and(|game| !game.is_sound(goal)) {
        return Err(CheckpointError::Damaged);
    }
    Ok(stages)
}
