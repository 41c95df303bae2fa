//! What one piece of a real game does, and how it may wait.

use maxout_engine::tas::{Landing, Locked, Pause, Spawned};

use super::skeleton::Step;
use crate::tas::beam::{packed, unpacked};
use crate::tas::path::Move;

/// Most frames that a piece takes longer than its fastest lock and entry delay. A piece is waited for no
/// longer. Some pieces are rare after others: drawn once in 16 frames, or never at some spawns; with 16 frames the ways
/// through a plan end there.
pub(super) const MOST_DELAY: u32 = 50;

/// One piece of a game: where it comes from, and what is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Done {
    pub parent: u32,
    pub placement: u16,
    /// Frames to the lock.
    pub frames: u8,
    pub pause: u8,
    /// Rows of pushdown that count.
    pub pushdown: u8,
}

impl Done {
    /// What a recorded game did between the spawn of a piece and that of the next one, but for its points; `now` is the game at the first
    /// of them. Whether the piece can fall like that is not checked. `None` if no pause of the search leads there.
    pub(super) fn between(now: &Spawned, step: &Step, then: &Spawned) -> Option<Done> {
        let frames = u8::try_from(step.frames).ok()?;
        let done = |pause| Done { parent: 0, placement: packed(step.placement), frames, pause, pushdown: 0 };
        let leads = |done: &Done| {
            let next = done.played(now);
            Spawned { score: then.score, ..next } == *then
        };
        (0..=Pause::longest(step.rows)).map(done).find(leads)
    }

    pub(super) fn as_move(self) -> Move {
        let landing = Landing { placement: unpacked(self.placement), frames: self.frames.into() };
        // Which of the two kinds of pauses it is becomes clear when the game is played.
        Move { landing, pause: Pause::new(self.pause, 0).unwrap_or_default(), presses: None }
    }

    /// The game after it.
    pub(super) fn played(self, now: &Spawned) -> Spawned {
        let locked = now.lock(unpacked(self.placement), self.frames.into(), self.pushdown);
        locked.spawn(Pause::new(self.pause, locked.rows).unwrap_or_default())
    }
}

/// The pauses after a lock with which the next piece comes less than [`MOST_DELAY`] frames later than `soonest` frames
/// after its spawn: by how many frames, and the pause.
pub(super) fn pauses(locked: &Locked, soonest: u32) -> impl Iterator<Item = (u32, Pause)> {
    let (rows, without) = (locked.rows, locked.frames + locked.entry_delay - soonest);
    let all = (0..=Pause::longest(rows)).filter_map(move |pause| Pause::new(pause, rows));
    all.map(move |pause| (without + u32::from(pause.frames()), pause)).take_while(|&(delay, _)| delay < MOST_DELAY)
}
