//! A part of the games of a run, for one of several machines.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::batch::Job;
use super::settings::Settings;

/// Shard `index` of `of`: the games `index - 1`, `index - 1 + of`, and so on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Shard {
    index: u64,
    of: u64,
}

impl Shard {
    /// All games.
    pub const WHOLE: Shard = Shard { index: 1, of: 1 };

    /// The games of this shard, of `games` in all.
    pub fn job(self, settings: Settings, games: u64, threads: usize) -> Job {
        let first = self.index - 1;
        Job { settings, first, games: games.saturating_sub(first).div_ceil(self.of), step: self.of, threads }
    }

    /// Does this game belong to it?
    pub fn holds(self, game: u64) -> bool {
        game % self.of == self.index - 1
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.of)
    }
}

impl From<Shard> for String {
    fn from(shard: Shard) -> String {
        shard.to_string()
    }
}

/// A text that names no shard.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected I/N with I from 1 to N, found {0:?}")]
pub struct ParseShardError(String);

impl FromStr for Shard {
    type Err = ParseShardError;

    fn from_str(text: &str) -> Result<Shard, ParseShardError> {
        let numbers = text.split_once('/').and_then(|(index, of)| Some((index.parse().ok()?, of.parse().ok()?)));
        match numbers {
            Some((index, of)) if 1 <= index && index <= of => Ok(Shard { index, of }),
            _ => Err(ParseShardError(text.to_owned())),
        }
    }
}

impl TryFrom<String> for Shard {
    type Error = ParseShardError;

    fn try_from(text: String) -> Result<Shard, ParseShardError> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_survive_their_text_and_others_are_refused() {
        for text in ["1/1", "3/8", "8/8"] {
            assert_eq!(text.parse::<Shard>().map(|shard| shard.to_string()), Ok(text.to_owned()));
        }
        for text in ["", "1", "0/3", "4/3", "1/0", "1/2/3", "-1/2"] {
            assert!(text.parse::<Shard>().expect_err(text).to_string().contains(&format!("{text:?}")));
        }
    }

    #[test]
    fn every_game_is_in_one_shard() {
        for (games, of) in [(10, 3), (2, 5), (0, 2), (7, 1)] {
            let mut seen = Vec::new();
            for index in 1..=of {
                let shard = Shard { index, of };
                let job = shard.job(Settings::default(), games, 1);
                let own: Vec<u64> = (0..job.games).map(|game| job.first + game * job.step).collect();
                assert!(own.iter().all(|&game| shard.holds(game)));
                seen.extend(own);
            }
            seen.sort_unstable();
            assert_eq!(seen, (0..games).collect::<Vec<_>>(), "{games} games on {of} shards");
        }
    }
}
