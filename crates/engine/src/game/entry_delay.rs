//! The frames from a lock to the next spawn.

use super::playfield::ROWS;
use super::timing::ROWS_SENT_PER_FRAME;

/// The entry delay of a lock: exact up to level 132, where no frame is slow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct EntryDelay {
    /// Frames from the lock to the frame whose sample has the points.
    pub to_score: u32,
    /// Frames from the lock to the next spawn.
    pub to_spawn: u32,
}

/// Frames from the fourth row check to the score without a clear.
const SCORE: u32 = 1;
/// Frames of the clear animation after its first step.
const ANIMATION: u32 = 16;
/// The animation goes on where the frame counter has this remainder at the sample.
const ANIMATION_PHASE: u32 = 1;
/// Frames between two steps of the animation.
const ANIMATION_STEP: u32 = 4;

impl EntryDelay {
    /// Frames from the score's predecessor to the spawn: the whole screen is sent again.
    pub const RESEND: u32 = 5;

    /// After a lock with the piece's origin in row `y` that clears `rows` rows. `counter_at_lock` is the frame counter
    /// (`$B1`) at the sample of the lock; its upper bits do not matter.
    pub const fn after(y: i8, rows: u8, counter_at_lock: u32) -> EntryDelay {
        let last_check = 2 * EntryDelay::rows_to_send(y) + 3;
        if rows == 0 {
            return EntryDelay { to_score: last_check + SCORE, to_spawn: last_check + EntryDelay::RESEND };
        }
        let phase = (counter_at_lock + last_check + 1) % ANIMATION_STEP;
        let wait = (ANIMATION_PHASE + ANIMATION_STEP - phase) % ANIMATION_STEP;
        let to_score = last_check + 1 + wait + ANIMATION;
        EntryDelay { to_score, to_spawn: to_score + EntryDelay::RESEND }
    }

    /// Frames in which the screen gets the rows from a piece's uppermost on: `w` of the timelines.
    pub const fn rows_to_send(y: i8) -> u32 {
        let first = if y > 2 { y as u32 - 2 } else { 0 };
        (ROWS as u32 - first).div_ceil(ROWS_SENT_PER_FRAME as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_delay_is_10_to_18_frames_by_height_and_longer_with_a_clear() {
        let plain = |y| EntryDelay::after(y, 0, 0).to_spawn;
        assert_eq!([19, 18, 17, 14, 13, 9, 5, 1, 0].map(plain), [10, 10, 12, 12, 14, 16, 18, 18, 18]);
        let cleared: Vec<u32> = (0..4).map(|counter| EntryDelay::after(18, 4, counter).to_spawn).collect();
        assert_eq!(cleared, [30, 29, 28, 27], "the animation waits for the frame counter");
    }
}
