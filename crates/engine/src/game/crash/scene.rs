//! What the length of a scoring pass depends on besides the position and the placement.

/// What RAM shows of the game besides the position, as far as the length of the next scoring pass depends on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Scene {
    /// Is the next box hidden?
    pub next_hidden: bool,
    /// Clears of one to four rows so far.
    pub clears: [u32; 4],
}

impl Scene {
    /// The scene after a clear of this many rows, 0 to 4.
    pub fn after(mut self, rows: u8) -> Scene {
        if let Some(count) = usize::from(rows).checked_sub(1).and_then(|kind| self.clears.get_mut(kind)) {
            *count += 1;
        }
        self
    }
}
