//! The settings of a run.

use super::goal::Goal;
use crate::game::PLATEAU;

/// Which game to play, and for how long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields, rename_all = "kebab-case"))]
pub struct Settings {
    /// Level to start from, 0 to 19.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "start_level"))]
    pub start_level: u8,
    /// Chooses the game: how long to wait in the menus.
    pub seed: u64,
    /// When to stop.
    pub until: Goal,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { start_level: PLATEAU, seed: 1, until: Goal::Maxout }
    }
}

#[cfg(feature = "serde")]
fn start_level<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<u8, D::Error> {
    use crate::game::HIGHEST_START_LEVEL;
    use serde::de::Error as _;
    let level: u64 = serde::Deserialize::deserialize(deserializer)?;
    u8::try_from(level)
        .ok()
        .filter(|&level| level <= HIGHEST_START_LEVEL)
        .ok_or_else(|| D::Error::custom(format!("a start level is 0 to {HIGHEST_START_LEVEL}, not {level}")))
}
