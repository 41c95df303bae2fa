//! Sees that the game hangs, so that A can end it.

use crate::ram::{Phase, RamSnapshot};
use crate::state::{StateError, StateReader, StateWriter};

/// Frames without a gameplay frame after which the game hangs. A slow frame takes one.
const FRAMES: u32 = 2;
/// From this level on the game can hang: a hang comes with the levels of [`crash`](crate::game::crash).
const FIRST_LEVEL: u8 = crate::game::crash::FIRST_DANGEROUS_LEVEL;

/// Counts the frames in which the entry delay does not go on.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct HangWatch {
    frames: u32,
}

impl HangWatch {
    /// Takes a sample and the one before it. In every gameplay frame the fall timer goes on.
    pub(super) fn observe(&mut self, before: Option<&RamSnapshot>, now: &RamSnapshot) {
        let stands = before.is_some_and(|before| {
            now.phase() == Phase::EntryDelay
                && now.level >= FIRST_LEVEL
                && before.fall_timer == now.fall_timer
                && before.frame_counter != now.frame_counter
        });
        self.frames = if stands { self.frames + 1 } else { 0 };
    }

    /// Does the game hang?
    pub(super) fn hangs(&self) -> bool {
        self.frames >= FRAMES
    }

    /// Is this the first frame in which it is seen to hang?
    pub(super) fn begins(&self) -> bool {
        self.frames == FRAMES
    }

    pub(super) fn save(&self, writer: &mut StateWriter) {
        writer.u32(self.frames);
    }

    pub(super) fn restore(reader: &mut StateReader<'_>) -> Result<HangWatch, StateError> {
        Ok(HangWatch { frames: reader.count()? })
    }
}
