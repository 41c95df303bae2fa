//! Many games at once: on several threads, but handed over in the order of their numbers.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

use super::game::{Error, Played, play_game};
use super::settings::Settings;
use maxout_engine::parallel;
use maxout_engine::planner::{Player, PlayerError};

/// The games of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Job {
    /// The settings of each.
    pub settings: Settings,
    /// Number of the first game.
    pub first: u64,
    /// How many are played.
    pub games: u64,
    /// Distance from one game's number to the next: the number of shards.
    pub step: u64,
    /// Threads to play on, at least one.
    pub threads: usize,
}

/// Plays the games; `each` takes them in the order of their numbers.
///
/// `player` makes one player for every game, so that no game depends on another. When `stop` is
/// set, games under way are given up; `each` still takes the finished ones.
///
/// # Errors
/// The first player or game that failed, by number; `each` takes those that were finished.
pub fn run(
    job: &Job,
    player: &(dyn Fn() -> Result<Box<dyn Player>, PlayerError> + Sync),
    stop: &AtomicBool,
    each: &mut dyn FnMut(Played),
) -> Result<(), Error> {
    let work = |(): &mut (), index| {
        if stop.load(Ordering::Relaxed) {
            return ControlFlow::Break(Err(Error::Stopped));
        }
        let game = job.first + index * job.step;
        let played = player()
            .map_err(|error| Error::Player { game, piece: 0, error })
            .and_then(|mut player| play_game(&mut *player, &job.settings, game, stop));
        // The first failure ends the run.
        if played.is_ok() { ControlFlow::Continue(played) } else { ControlFlow::Break(played) }
    };
    let mut failure = None;
    let hand_over = |played| match played {
        Ok(played) => each(played),
        Err(Error::Stopped) => {}
        Err(error) => failure = failure.take().or(Some(error)),
    };
    parallel::in_order(job.threads, || (), 0..job.games, work, hand_over);
    failure.map_or(Ok(()), Err)
}
