//! What identifies a run: runs with the same identity have the same results.

use serde::{Deserialize, Serialize};

use super::settings::Settings;
use super::shard::Shard;
use crate::Difference;
use maxout_engine::planner;
use maxout_engine::text;

/// Most characters of a player's name that are shown. An external player is named by its command line.
/// Chosen by hand, not measured.
const LONGEST_NAME: usize = 200;

/// The player of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayerId {
    /// Its name: the evaluator's.
    pub name: String,
    /// SHA-1 of its weights, in hexadecimal; none for published weights and for external players.
    pub weights_sha1: Option<String>,
    /// SHA-1 of the picture that its filter draws, in hexadecimal.
    pub picture_sha1: Option<String>,
    /// How it moves pieces.
    pub planner: planner::Settings,
}

impl PlayerId {
    /// `birken-v2 (weights 0f3a6c21)`
    pub fn named(&self) -> String {
        let weights = self.weights_sha1.as_ref().map(|sha1| format!(" (weights {})", sha1.get(..8).unwrap_or(sha1)));
        let weights = weights.unwrap_or_default();
        // The name may come from a file.
        let name = text::visible(&self.name);
        format!("{}{}", text::shortened(&name, LONGEST_NAME), text::visible(&weights))
    }

    /// `birken-v2 (weights 0f3a6c21), taps 12 Hz`
    pub fn describe(&self) -> String {
        let mark = self.planner.mark().map(|mark| format!(" ({mark})"));
        format!("{}, {}{}", self.named(), self.planner.describe(), mark.unwrap_or_default())
    }
}

/// A run: the games, who plays them, and which of them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunId {
    /// Version of the program.
    pub version: String,
    /// What is played, seed included.
    pub settings: Settings,
    /// Who plays.
    pub player: PlayerId,
    /// Games of all shards together.
    pub games: u64,
    /// The part of them that this run plays.
    pub shard: Shard,
}

impl RunId {
    /// The same run, all its games.
    #[must_use]
    pub fn whole(&self) -> RunId {
        RunId { shard: Shard::WHOLE, ..self.clone() }
    }

    /// The first difference of another run, but for their shards.
    pub fn difference(&self, other: &RunId) -> Option<Difference> {
        Difference::between(&self.whole(), &other.whole())
    }
}
