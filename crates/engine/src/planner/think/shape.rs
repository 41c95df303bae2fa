//! How wide the tree is at each ply: the table to tune.

use super::setting::MOST_PLIES;

/// Which placements of a piece are looked into: the best ones by the ply before.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Beam {
    /// At most this number of placements.
    pub width: usize,
    /// Only placements that are at most this far behind the best one; in rewards, as all values
    /// of the tree.
    pub margin: f32,
}

/// A ply of the search, from the second on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ply {
    /// Placements of the falling piece, by their values in the ply before.
    pub root: Beam,
    /// Placements of the next piece, of the one after, and so on, by the net's values. Ply `p`
    /// uses the first `p - 2` beams; of its last piece all placements are looked at.
    pub inner: [Beam; MOST_PLIES as usize - 2],
}

/// How the openings are compared between which the player chooses before the next piece is known.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Steering {
    /// At most this number of plies where the player can adjust; else three, because then the placement
    /// is final.
    pub plies: u8,
    /// Openings that are compared in the second ply and in the third, by their values in the ply before.
    pub openings: [Beam; 2],
    /// Placements that are looked into for each of them and each next piece.
    pub placements: [Beam; 2],
}

/// The whole tree.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shape {
    /// The second ply, the third, and so on.
    pub plies: [Ply; MOST_PLIES as usize - 1],
    /// The most expansions of one decision; a ply that would need more is cut short.
    pub most_expansions: u64,
    /// Before the next piece is known.
    pub steering: Steering,
}

const fn beam(width: usize, margin: f32) -> Beam {
    Beam { width, margin }
}

/// Not used.
const NONE: Beam = beam(0, 0.0);

/// Widths, margins and the most expansions were chosen by hand and not measured one by one. Only the
/// whole is measured: the median decision at three plies takes half a millisecond, one in a hundred
/// two milliseconds or more, on one thread of a small virtual machine.
impl Default for Shape {
    fn default() -> Shape {
        Shape {
            plies: [
                Ply { root: beam(8, 1.0), inner: [NONE, NONE, NONE] },
                Ply { root: beam(8, 0.6), inner: [beam(4, 0.6), NONE, NONE] },
                Ply { root: beam(3, 0.3), inner: [beam(3, 0.4), beam(2, 0.25), NONE] },
                Ply { root: beam(2, 0.2), inner: [beam(3, 0.4), beam(2, 0.25), beam(2, 0.25)] },
            ],
            most_expansions: 100_000,
            // Points before level 29 from level 18 with a reaction time of 18 frames: one ply 1,333,853 +- 13,902
            // (400 games, 0.41 s of CPU a game), two plies 1,358,212 +- 9,264 (200 games, 0.44 s), three plies
            // 1,361,701 +- 17,453 (45 games, 1.0 s). The beams were chosen by hand, not measured.
            steering: Steering {
                plies: 2,
                openings: [beam(8, 1.0), beam(8, 0.6)],
                placements: [beam(3, 0.6), beam(2, 0.3)],
            },
        }
    }
}

impl Shape {
    /// The ply of this number, 2 to [`MOST_PLIES`].
    pub(super) fn ply(&self, number: u8) -> &Ply {
        &self.plies[usize::from(number) - 2]
    }
}
