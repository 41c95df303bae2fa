//! The fastest game of several searches.

use anyhow::anyhow;

use super::args::Tas;
use super::words::Measured;
use crate::system::failure::Failure;
use crate::system::output::say;
use maxout_lab::tas::{Found, Played, Settings};

/// A found game that the rules model has played.
pub(super) struct Best {
    pub settings: Settings,
    pub played: Played,
}

impl Best {
    /// Plays a game on the rules model.
    pub(super) fn of(settings: Settings, found: &Found) -> Result<Best, Failure> {
        let played = found.play(settings.goal);
        let played = played.map_err(|problem| Failure::run(anyhow!("the found game is wrong: {problem}")))?;
        Ok(Best { settings, played })
    }

    /// Tells what the game of a seed takes, if there are several.
    pub(super) fn say(self, args: &Tas) -> Best {
        if args.seeds > 1 {
            say(&format!("seed {}: a game {}", self.settings.seed, self.measured().words(self.settings.count)));
        }
        self
    }

    pub(super) const fn measured(&self) -> Measured {
        Measured::of(&self.played)
    }

    /// The faster of two games; of two that are as fast the one of the smaller seed.
    pub(super) fn faster(best: Option<Best>, game: Best) -> Option<Best> {
        let order = |game: &Best| (game.measured().order(game.settings.count), game.settings.seed);
        Some(match best {
            Some(best) if order(&best) <= order(&game) => best,
            _ => game,
        })
    }
}
