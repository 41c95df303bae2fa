//! The settings of a run.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};

use super::goal::Goal;

/// Which game to play, and for how long.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Settings {
    /// Level to start from, 0 to 19.
    #[serde(deserialize_with = "start_level")]
    pub start_level: u8,
    /// Chooses the game: how long to wait in the menus.
    pub seed: u64,
    /// When to stop.
    pub until: Goal,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { start_level: 19, seed: 1, until: Goal::Maxout }
    }
}

/// The highest level that the game's menu can start from.
pub const HIGHEST_START_LEVEL: u8 = 19;

fn start_level<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u8, D::Error> {
    let level = u64::deserialize(deserializer)?;
    u8::try_from(level)
        .ok()
        .filter(|&level| level <= HIGHEST_START_LEVEL)
        .ok_or_else(|| D::Error::custom(format!("a start level is 0 to {HIGHEST_START_LEVEL}, not {level}")))
}
