//! A placement that a movement search found.

use crate::game::Placement;

/// A placement within reach.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reached {
    /// Where the piece locks.
    pub placement: Placement,
    /// Frames of the shortest timeline, up to the frame in which the drop fails. For
    /// [`generate_free`](super::generate_free) the number of steps of the shortest way.
    pub frames: u32,
}
