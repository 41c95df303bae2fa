//! Movement search: every placement that the press style can reach, and the buttons for it.
//!
//! A breadth-first search over the state of the gamepad and the falling piece, frame by frame
//! under the game's own gravity and order (shift, rotate, drop). Many states are taken at
//! once: those that differ in column and orientation only are the bits of one word.
//!
//! [`generate`] is a pure function, and so is [`sweep()`], which answers only which placements there
//! are, and fast; nothing here judges a placement.

mod even_frames;
mod free;
mod gamepad;
mod lanes;
mod sweep;
mod taps;

use crate::game::control::FallingPiece;
use crate::game::{Placement, Playfield};
use crate::gamepad::{InputTimeline, PressStyle};

use even_frames::EvenFrames;
use free::Free;
use gamepad::Gamepad;
use lanes::Lanes;
use taps::Taps;

pub use sweep::{Locks, sweep, sweep_plateau};

/// Where the search begins: a piece about to be controlled, no button held.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Start {
    /// The falling piece at the last sample. It must not hang (`autorepeat_y` below `$80`).
    pub piece: FallingPiece,
    /// Number of the next control frame, 0 for the frame after the spawn.
    pub control_frame: u32,
    /// Frames that must pass before the first press, for styles that rest after a tap.
    pub rest: u8,
}

impl Start {
    /// A piece at its spawn.
    pub const fn spawn(piece: crate::game::Piece) -> Start {
        Start { piece: FallingPiece::spawned(piece.spawn(), 0), control_frame: 0, rest: 0 }
    }
}

/// A placement within reach.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reached {
    /// Where the piece locks.
    pub placement: Placement,
    /// Frames of the shortest timeline: the last one is that in which the drop fails. Without
    /// gravity the steps of the shortest way.
    pub frames: u32,
}

/// All placements within reach, and what is needed to say how they are reached.
#[derive(Debug, Clone)]
pub struct Moves {
    reached: Vec<Reached>,
    path: Path,
}

#[derive(Debug, Clone)]
enum Path {
    EvenFrames(EvenFrames),
    Gamepad(Gamepad),
    Taps(Taps),
    Free(Free),
}

impl Moves {
    /// The placements, soonest lock first, each once.
    pub fn reached(&self) -> &[Reached] {
        &self.reached
    }

    /// A shortest timeline for one of [`Moves::reached`]; its presses come as early as they can.
    /// Empty for [`generate_free`], whose ways no button goes.
    pub fn timeline(&self, reached: &Reached) -> InputTimeline {
        match &self.path {
            Path::EvenFrames(path) => path.timeline(reached),
            Path::Gamepad(path) => path.timeline(reached),
            Path::Taps(path) => path.timeline(reached),
            Path::Free(_) => InputTimeline::default(),
        }
    }

    /// A shortest way of [`generate_free`] to one of [`Moves::reached`]: where the piece is after
    /// each step, the last of them the placement. Empty for what buttons reach.
    pub fn steps(&self, reached: &Reached) -> Vec<Placement> {
        match &self.path {
            Path::Free(path) => path.steps(reached),
            Path::EvenFrames(_) | Path::Gamepad(_) | Path::Taps(_) => Vec::new(),
        }
    }
}

/// Finds every placement that a press style can reach under the gravity of `level`.
pub fn generate(playfield: &Playfield, start: &Start, level: u8, style: PressStyle) -> Moves {
    let lanes = Lanes::new(playfield, start.piece.orientation.piece());
    let mut reached = Vec::with_capacity(64);
    let path = match style {
        PressStyle::EvenFrames => Path::EvenFrames(EvenFrames::search(lanes, start, level, &mut reached)),
        PressStyle::Gamepad => Path::Gamepad(Gamepad::search(lanes, start, level, &mut reached)),
        PressStyle::Taps(rate) => Path::Taps(Taps::search(lanes, start, level, rate, &mut reached)),
    };
    Moves { reached, path }
}

/// Finds every placement that steps of one column, one turn or one row down lead to, with no
/// gravity; of `start` only the piece's place and orientation count.
pub fn generate_free(playfield: &Playfield, start: &Start) -> Moves {
    let lanes = Lanes::new(playfield, start.piece.orientation.piece());
    let mut reached = Vec::with_capacity(64);
    let path = Path::Free(Free::search(lanes, start, &mut reached));
    Moves { reached, path }
}
