//! The frame in which a piece locks, as far as pictures tell: they show the piece alike before and
//! after its lock.

use maxout_engine::game::timing::{ROWS_SENT_PER_FRAME, frames_per_row};
use maxout_engine::game::{Placement, ROWS};

/// Frames between two drops of a pushdown.
const PUSHDOWN: u64 = 2;
/// Frames from the first step of the clear animation to the spawn.
pub(super) const WIPE_TO_SPAWN: u64 = 21;
/// Frames from the last row check to the first step of the clear animation: 1 to 4, by the frame
/// counter.
const CHECK_TO_WIPE: u64 = 4;

/// What is known of a lock.
#[derive(Debug, Clone, Copy)]
pub(super) struct Landing {
    /// Row of the origin.
    pub y: i8,
    /// Level.
    pub level: u8,
    /// First frame in which the piece is in that row.
    pub since: u64,
    /// Frames for which the first piece of a game hangs, if it hangs in that row.
    pub hangs: u64,
    /// Frames between its last two drops.
    pub last_drop: Option<u64>,
    /// Rows that it completes.
    pub completes: bool,
    /// First frame of the clear animation, where it was seen.
    pub wipe: Option<u64>,
    /// Frame in which the next piece spawns.
    pub next_spawn: u64,
}

impl Landing {
    /// The frame in which it fails to fall.
    pub(super) fn lock_frame(&self) -> u64 {
        // A pause may follow, but gravity does not wait.
        let latest = self.since + u64::from(frames_per_row(self.level)) + self.hangs;
        self.by_frames_around().min(latest)
    }

    fn by_frames_around(&self) -> u64 {
        // The game waits until all rows from two above the origin on are on the screen, twice.
        let rows = ROWS as u64 - (self.y.max(2) as u64 - 2);
        let wait = 2 * rows.div_ceil(ROWS_SENT_PER_FRAME.into());
        // The four row checks are in the frames from that on.
        let checks = wait + 3;
        if !self.completes {
            return self.next_spawn.saturating_sub(checks + 5).max(self.since);
        }
        let wipe = self.wipe.unwrap_or_else(|| self.next_spawn.saturating_sub(WIPE_TO_SPAWN));
        let last = wipe.saturating_sub(checks + 1);
        let first = (last + 1).saturating_sub(CHECK_TO_WIPE);
        let gravity = u64::from(frames_per_row(self.level));
        let pushed = self.last_drop == Some(PUSHDOWN);
        let [likely, other] = if pushed { [PUSHDOWN, gravity] } else { [gravity, PUSHDOWN] };
        let [likely, other] = [likely, other].map(|frames| self.since + frames);
        let is_possible = |frame: u64| (first..=last).contains(&frame);
        let frame = if !is_possible(likely) && is_possible(other) { other } else { likely };
        frame.clamp(first, last).max(self.since)
    }
}

/// Leaves frames of a pause out of the places of a piece, as far as gravity tells them: a piece does not
/// stay longer in a row, and in a pause it does not move. `spawn` is the place before the first.
pub(super) fn without_pauses(places: &mut Vec<Placement>, spawn: Placement, level: u8) {
    let gravity = usize::from(frames_per_row(level));
    let mut start = 0;
    while let Some(first) = places.get(start).copied() {
        let stay = places[start..].iter().take_while(|place| place.y == first.y).count();
        let end = start + stay;
        // The sample of the spawn is in its row, too; in the last row the piece rests.
        let most = if start == 0 && first.y == spawn.y { gravity - 1 } else { gravity };
        let excess = if end == places.len() { 0 } else { stay.saturating_sub(most) };
        if excess > 0 {
            let (at, length) = longest_stand(&places[start..end]);
            let excess = excess.min(length - 1);
            places.drain(start + at..start + at + excess);
            start = end - excess;
        } else {
            start = end;
        }
    }
}

/// Where the piece stands still for longest: the first such frame and their number.
fn longest_stand(places: &[Placement]) -> (usize, usize) {
    let mut longest = (0, 1);
    let mut first = 0;
    for at in 1..=places.len() {
        if places.get(at) != Some(&places[first]) {
            if at - first > longest.1 {
                longest = (first, at - first);
            }
            first = at;
        }
    }
    longest
}
