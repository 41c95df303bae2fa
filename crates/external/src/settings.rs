//! The settings of an external player.

use std::time::Duration;

use maxout_engine::planner;

/// What is sent to an external player at the start of a game, and how long it may think.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// How pieces are moved, and the reaction time before the next box may be used.
    pub planner: planner::Settings,
    /// Level that the game starts from.
    pub start_level: u8,
    /// Time limit for every answer, including the answer to the hello.
    pub timeout: Duration,
}

impl Default for Settings {
    /// Level 19 and ten seconds.
    fn default() -> Settings {
        Settings { planner: planner::Settings::default(), start_level: 19, timeout: Duration::from_secs(10) }
    }
}
