//! How far a search around a game has come.

/// How far a search has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// The ways to fill the cells of its stretches are being listed.
    Listed {
        /// The pieces in the stretches so far.
        pieces: usize,
        /// Pieces in all.
        of: usize,
    },
    /// Playfields with which cycles begin and end are being looked for.
    Tops {
        /// The playfields that were gone on from so far.
        tops: usize,
        /// Those known so far; later ones lead to more.
        of: usize,
    },
    /// The ways of cycles are being listed.
    Cycles {
        /// The cycles so far: each from one playfield to another.
        cycles: usize,
        /// Cycles in all.
        of: usize,
    },
    /// The parts of the game are being searched from scratch.
    Parts {
        /// The searches so far: with other numbers of cycles and pieces.
        done: usize,
        /// Searches in all.
        of: usize,
        /// Frame of the goal of the fastest game so far.
        frame: Option<u32>,
    },
    /// Pieces have been placed.
    Placed {
        /// How many.
        pieces: usize,
        /// Pieces in all.
        of: usize,
        /// Frame of the fastest game so far.
        frame: u32,
        /// Frame of the movie there.
        movie: u32,
    },
}
