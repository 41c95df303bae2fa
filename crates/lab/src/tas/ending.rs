//! The end of a game that is measured up to its last button: the last pieces fall by themselves.

use maxout_engine::game::scoring::{Progress, Score};
use maxout_engine::game::timing::frames_per_row;
use maxout_engine::tas::{Pause, Quiet, Reach, Spawned};

use super::goal::Goal;
use super::path::{MOST_FALL, Move};

/// The last moves of a game: after the last button it reaches the goal by itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Ending {
    /// The frame of the last button. Where these moves need none it is the frame of the spawn: the last button
    /// comes before it.
    pub input: u32,
    /// The frame whose sample has the goal.
    pub frame: u32,
    /// The piece that falls after the last button; another one may follow.
    pub quiets: Vec<Quiet>,
}

/// Rows that a piece clears at most.
const MOST_ROWS: u8 = 4;
/// Rows that a piece clears at most which falls as it spawned: only I has one row, all others have two.
const MOST_ROWS_AS_SPAWNED: u8 = 2;

impl Ending {
    /// Whichever has its last button sooner, then the goal.
    pub(super) fn is_before(&self, other: Option<&Ending>) -> bool {
        other.is_none_or(|other| (self.input, self.frame) < (other.input, other.frame))
    }

    /// The ending with the earliest last button of a game at a spawn: before frame `before`, if that is given.
    pub(super) fn of(reach: &mut Reach, game: &Spawned, goal: Goal, before: Option<u32>) -> Option<Ending> {
        if !comes_with(goal, MOST_ROWS, game.score, game.progress) {
            return None;
        }
        let most = match before {
            Some(before) => before.checked_sub(game.frame + 1)?.min(MOST_FALL),
            None => MOST_FALL,
        };
        let mut quiets = Vec::new();
        let gravity = frames_per_row(game.progress.level);
        reach.quiet(&game.page, game.piece, gravity, most, |quiet| quiets.push(quiet));
        let mut best: Option<Ending> = None;
        for quiet in quiets {
            let input = game.frame + quiet.presses;
            if best.as_ref().is_some_and(|best| best.input < input) {
                break;
            }
            let locked = game.lock(quiet.landing.placement, quiet.landing.frames, 0);
            let ending = if goal.is_reached(locked.score(), locked.progress()) {
                Some(Ending { input, frame: game.frame + locked.frames_to_score(), quiets: vec![quiet] })
            } else if comes_with(goal, MOST_ROWS_AS_SPAWNED, locked.score(), locked.progress()) {
                let next = locked.spawn(Pause::default());
                let last = alone(reach, &next);
                last.and_then(|last| {
                    let locked = next.lock(last.landing.placement, last.landing.frames, 0);
                    let is_goal = goal.is_reached(locked.score(), locked.progress());
                    let frame = next.frame + locked.frames_to_score();
                    is_goal.then(|| Ending { input, frame, quiets: vec![quiet, last] })
                })
            } else {
                None
            };
            if let Some(ending) = ending.filter(|ending| ending.is_before(best.as_ref())) {
                best = Some(ending);
            }
        }
        best
    }

    /// Its moves.
    pub(super) fn moves(&self) -> impl Iterator<Item = Move> {
        self.quiets.iter().map(|&Quiet { landing, presses }| Move {
            landing,
            pause: Pause::default(),
            presses: Some(presses),
        })
    }
}

/// Where a piece locks that is left alone.
fn alone(reach: &mut Reach, game: &Spawned) -> Option<Quiet> {
    let mut found = None;
    let gravity = frames_per_row(game.progress.level);
    reach.quiet(&game.page, game.piece, gravity, 0, |quiet| found = found.or(Some(quiet)));
    found
}

/// Would so many rows at once reach the goal?
fn comes_with(goal: Goal, rows: u8, mut score: Score, mut progress: Progress) -> bool {
    progress.count(goal.game_type(), rows);
    score.add_line_points(rows, progress.level);
    goal.is_reached(score, progress)
}
