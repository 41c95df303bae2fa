//! The movie's own game among the games of the search.

use std::ops::RangeInclusive;

use maxout_engine::game::timing::frames_per_row;
use maxout_engine::tas::{Landing, Opening, Reach};

use super::race::{Games, Last, Record, Runner, clears_of};
use crate::tas::improve::done::Done;
use crate::tas::improve::skeleton::Step;

/// The movie's own game after each of its clears, the first one first, each with its frame. It ends where the game does something that no
/// game of the search does.
pub(super) fn own(steps: &[Step], openings: &[Opening], record: &mut Record) -> Games {
    let begun =
        (0..).zip(openings).find(|(_, opening)| steps.first().is_some_and(|step| step.spawned == opening.first));
    let Some((number, opening)) = begun else { return Games::new() };
    let mut game = Runner { now: opening.first, at: 0, last: Last::Opening(number) };
    let mut all = Games::new();
    let mut reach = Reach::stopping();
    for (index, pair) in steps.windows(2).enumerate() {
        let now = &game.now;
        let Some(done) = Done::between(now, &pair[0], &pair[1].spawned) else { break };
        let landing = Landing { placement: pair[0].placement, frames: pair[0].frames };
        if reach.way(&now.page, now.piece, frames_per_row(now.progress.level), index == 0, landing).is_none() {
            break;
        }
        game = Runner { now: done.played(&game.now), last: record.add(game.last, done), ..game };
        if pair[0].rows > 0 {
            all.push((game.now.frame as f32, game));
        }
    }
    all
}

/// Those of these games that have made this many clears.
pub(super) fn after_clears(games: &Games, clears: RangeInclusive<u8>) -> impl Iterator<Item = (f32, Runner)> {
    games.iter().filter(move |it| clears.contains(&clears_of(&it.1.now))).copied()
}
