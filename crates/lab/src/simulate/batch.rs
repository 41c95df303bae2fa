//! Many games at once: on several threads, told in their order whatever thread is first.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use super::game::{Error, Played, play_game};
use super::settings::Settings;
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
/// Every game is played by one that `player` makes for it, so that no game depends on another.
/// When `stop` is set, games under way are given up and the finished ones that still wait for an
/// earlier one are told.
///
/// # Errors
/// The first player or game that failed; the games that were finished by then are told.
pub fn run(
    job: &Job,
    player: &(dyn Fn() -> Result<Box<dyn Player>, PlayerError> + Sync),
    stop: &AtomicBool,
    each: &mut dyn FnMut(Played),
) -> Result<(), Error> {
    let next = AtomicUsize::new(0);
    // Set on the first failure, so that the other threads end too.
    let failed = AtomicBool::new(false);
    let (sender, receiver) = mpsc::channel();
    let work = |sender: mpsc::Sender<(u64, Result<Played, Error>)>| {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed) as u64;
            if index >= job.games || stop.load(Ordering::Relaxed) || failed.load(Ordering::Relaxed) {
                return;
            }
            let game = job.first + index * job.step;
            let played = player()
                .map_err(|error| Error::Player { game, piece: 0, error })
                .and_then(|mut player| play_game(&mut *player, &job.settings, game, stop));
            if played.is_err() {
                failed.store(true, Ordering::Relaxed);
            }
            if sender.send((index, played)).is_err() {
                return;
            }
        }
    };
    // More threads than games would have nothing to do.
    let threads = job.threads.clamp(1, usize::try_from(job.games).unwrap_or(usize::MAX).max(1));
    thread::scope(|scope| {
        for _ in 0..threads {
            let sender = sender.clone();
            scope.spawn(|| work(sender));
        }
        drop(sender);
        let mut waiting = BTreeMap::new();
        let mut told = 0;
        let mut failure = None;
        for (index, played) in receiver {
            match played {
                Ok(played) => {
                    waiting.insert(index, played);
                }
                Err(Error::Stopped) => {}
                Err(error) => failure = failure.or(Some(error)),
            }
            while let Some(played) = waiting.remove(&told) {
                each(played);
                told += 1;
            }
        }
        waiting.into_values().for_each(each);
        failure.map_or(Ok(()), Err)
    })
}
