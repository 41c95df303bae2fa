//! What a grade says of one piece.

use super::class::Class;
use crate::analysis::{Estimate, PlayedOn};
use crate::game::{Obstacles, Piece, Placement, Playfield, Position};

/// A placement of a graded piece.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GradedPlacement {
    /// Where the piece locks.
    pub placement: Placement,
    /// Points of clears that are to be expected from the spawn of the piece on with this placement.
    pub points: f64,
    /// Rows that it completes.
    pub clears: u8,
    /// Does it need a move under an overhang, a tuck or a spin? No straight drop leads there.
    pub needs_tuck: bool,
}

/// Was the played placement within reach of the player's hand?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Within {
    /// Yes.
    Hand,
    /// With taps at 30 Hz from the first frame on.
    Fastest,
    /// Not even with those: it was moved by a held button from before its spawn, or not by buttons.
    Nothing,
}

/// Why a placement lost points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Cause {
    /// The buttons aimed at a placement that loses less than half as much.
    Misdrop,
    /// The piece locked where it was aimed at, or was aimed at nothing better.
    Misjudgement,
    /// The recording does not tell the buttons.
    #[cfg_attr(feature = "serde", serde(rename = "cause unknown"))]
    Unknown,
}

impl Cause {
    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Cause::Misdrop => "misdrop",
            Cause::Misjudgement => "misjudgement",
            Cause::Unknown => "cause unknown",
        }
    }
}

/// What play-outs say of a loss.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Checked {
    /// Games after the best placement.
    pub best: PlayedOn,
    /// Games after the played one, with the same seeds.
    pub played: PlayedOn,
    /// Points of the best less those of the played one, over pairs of games with the same seed.
    pub difference: Estimate,
}

/// A piece of a graded game.
#[derive(Debug, Clone, PartialEq)]
pub struct GradedPiece {
    /// Its number in the game, counted from 1.
    pub number: u32,
    /// The frame of the recording in which it spawned.
    pub spawn_frame: u64,
    /// The frame of the recording in which it failed to fall.
    pub landing_frame: u64,
    /// What the player saw.
    pub position: Position,
    /// Score at the spawn, without the cap of 999,999.
    pub score: u64,
    /// Where it locked.
    pub played: GradedPlacement,
    /// The best placement within reach, or the played one if none is better.
    pub best: GradedPlacement,
    /// Placements within reach of the hand.
    pub reachable: u32,
    /// How many of them are worth more than the played one. With four or five plies only the best three
    /// and the played one are looked into and counted.
    pub better: u32,
    /// Was the played one within reach?
    pub within: Within,
    /// The share of the games that were played on from the best placement which do not top out soon, against
    /// those of the average position: 0 to 1.
    pub survival: f64,
    /// Expected points that the placement lost: those of the best less those of the played one.
    pub loss: f64,
    /// How much that is.
    pub class: Class,
    /// Why, if it lost at least as much as an inaccuracy.
    pub cause: Option<Cause>,
    /// What was aimed at, of a misdrop.
    pub aimed: Option<Placement>,
    /// Expected points with the next piece that came, less the mean over the seven that might have
    /// come.
    pub luck: f64,
    /// Pieces since the last I, this one included; 0 for an I.
    pub drought: u32,
    /// What play-outs say, if they were asked for and the class is not better than an inaccuracy.
    pub checked: Option<Checked>,
}

impl GradedPiece {
    /// The final score that was to be expected at the spawn.
    pub fn expected_score(&self) -> f64 {
        self.score as f64 + self.best.points
    }

    /// The final score that was to be expected once the piece had locked where it did.
    pub fn expected_after(&self) -> f64 {
        self.score as f64 + self.played.points
    }

    /// Was the game lost already? Then nothing is left to lose.
    pub fn is_lost(&self) -> bool {
        self.survival <= 0.0
    }

    /// Did it clear one to three rows?
    pub fn is_burn(&self) -> bool {
        is_burn(&self.played)
    }

    /// Would the best placement burn, too?
    pub fn best_burns(&self) -> bool {
        is_burn(&self.best)
    }

    /// Is the best placement a tetris, and the player lost points without it?
    pub fn is_missed_tetris(&self) -> bool {
        self.best.clears == 4 && self.played.clears < 4 && self.class >= Class::Inaccuracy
    }

    /// Does the best placement need a tuck or spin, and the player lost points without it?
    pub fn is_unseen_tuck(&self) -> bool {
        self.best.needs_tuck && self.best.placement != self.played.placement && self.class >= Class::Inaccuracy
    }

    /// The falling piece.
    pub fn piece(&self) -> Piece {
        self.position.piece
    }
}

fn is_burn(placement: &GradedPlacement) -> bool {
    (1..=3).contains(&placement.clears)
}

/// Is a cell in the way of a straight drop to the placement?
pub(super) fn needs_tuck(playfield: &Playfield, placement: Placement) -> bool {
    (0..placement.y).any(|y| !playfield.fits(placement.orientation, placement.x, y))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_under_an_overhang_needs_a_tuck() {
        let playfield = Playfield::drawn(
            "
            .....###..
            ..........
            ",
        );
        let flat = |x| Placement { orientation: Piece::I.spawn(), x, y: 19 };
        assert!(needs_tuck(&playfield, flat(6)));
        assert!(!needs_tuck(&playfield, flat(2)));
    }
}
