//! What an analysis says of each placement.

use super::cheat::Cheat;
use super::promise::Promise;
use super::target::TargetStanding;
use crate::game::{Piece, Placement, Playfield};
use crate::gamepad::InputTimeline;
use crate::judge::handmade::Verdict;

/// A placement of the falling piece as [`Search::analyse`](super::Search::analyse) judges it.
#[derive(Debug, Clone, PartialEq)]
pub struct Judged {
    /// Where the falling piece locks.
    pub placement: Placement,
    /// The playfield after the lock and its clears.
    pub playfield: Playfield,
    /// Rows that the lock completes.
    pub clears: u8,
    /// The verdict; higher is better. With an evaluator, its value is that of the best pair of
    /// pieces (of the falling piece alone if the evaluator judges one piece or the next is not
    /// seen). With the learned player, it is expected points as in
    /// [`Plan::value`](super::Plan::value).
    pub verdict: Verdict,
    /// How many plies found the verdict. Verdicts of the same number of plies are comparable; all
    /// placements of one analysis have the same number.
    pub plies: u8,
    /// Does the filter allow the placement? Always true without a filter.
    pub allowed: bool,
    /// Does the filter allow a placement of the next piece after this one? True where that was not
    /// checked: without a filter, without the next box, or if one piece is judged.
    pub next_allowed: bool,
    /// The standing of the score to the target score; `None` without one.
    pub standing: Option<TargetStanding>,
    /// Where the next piece would go: one reply for the piece of the next box if that is seen,
    /// else one for each piece that may come.
    pub replies: Vec<Reply>,
    /// Buttons from the first control frame on.
    pub timeline: InputTimeline,
    /// What is written into RAM instead of pressing buttons; `None` in honest play.
    pub cheat: Option<Cheat>,
    /// What each frame must show, up to the frame in which the drop fails.
    pub promises: Vec<Promise>,
}

impl Judged {
    /// Were both verdicts found by the same number of plies, so that they can be compared?
    pub fn is_comparable_with(&self, other: &Judged) -> bool {
        self.plies == other.plies
    }
}

/// Where a next piece would go if the piece after it were not known.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Reply {
    /// The next piece.
    pub next: Piece,
    /// How likely it comes, 0 to 1.
    pub odds: f32,
    /// Where it would lock; `None` when it can reach nothing, which ends the game.
    pub placement: Option<Placement>,
    /// Value of that placement; `None` when there is none. With an evaluator: of the two pieces
    /// together. With the learned player: expected points from the next piece on.
    pub value: Option<f64>,
}
