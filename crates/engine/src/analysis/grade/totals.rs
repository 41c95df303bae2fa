//! A grade, summed up.

use super::class::{Class, accuracy};
use super::piece::{Cause, GradedPiece, Within};
use crate::game::Piece;

/// Pieces in a row without an I that the field calls a drought.
pub const DROUGHT: u32 = 13;

/// Pieces of one kind, and what they lost.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Share {
    /// Number of pieces.
    pub pieces: u32,
    /// Expected points that they lost.
    pub loss: f64,
}

impl Share {
    fn of<'a>(pieces: impl IntoIterator<Item = &'a GradedPiece>) -> Share {
        let add = |sum: Share, piece: &GradedPiece| Share { pieces: sum.pieces + 1, loss: sum.loss + piece.loss };
        pieces.into_iter().fold(Share::default(), add)
    }
}

/// Pieces in a row without an I.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub struct Drought {
    /// Number of its first piece, counted from 1.
    pub first: u32,
    /// Its pieces.
    pub pieces: u32,
    /// Expected points that they lost by their placements.
    pub loss: f64,
    /// Did an I come?
    pub is_survived: bool,
}

/// A grade in numbers.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub struct Totals {
    /// All graded pieces.
    pub all: Share,
    /// Mean of [`accuracy`] over the pieces whose game is not lost already, in percent; 0 without such a
    /// piece.
    pub accuracy: f64,
    /// Pieces whose game is lost already.
    pub lost_positions: u32,
    /// Pieces of each class, in the order of [`Class::ALL`].
    pub classes: [Share; 5],
    /// Misdrops.
    pub misdrops: Share,
    /// Misjudgements.
    pub misjudgements: Share,
    /// Losses whose cause is not known.
    pub unknown: Share,
    /// Clears of one to three rows.
    pub burns: Share,
    /// Those of them for which the best placement burns, too.
    pub best_burns: u32,
    /// Tetrises that should have been taken.
    pub missed_tetrises: Share,
    /// Tucks and spins that should have been taken.
    pub unseen_tucks: Share,
    /// Placements that are not within reach of the hand.
    pub out_of_reach: u32,
    /// Runs of [`DROUGHT`] pieces or more without an I.
    pub droughts: Vec<Drought>,
    /// I pieces.
    pub i_pieces: u32,
    /// Sum of the luck of all pieces, in points.
    pub luck: f64,
}

impl Totals {
    /// Sums up.
    pub fn of<'a>(pieces: impl IntoIterator<Item = &'a GradedPiece> + Clone) -> Totals {
        let all = || pieces.clone().into_iter();
        let share = |is: &dyn Fn(&GradedPiece) -> bool| Share::of(all().filter(|piece| is(piece)));
        let cause = |cause| share(&|piece| piece.cause == Some(cause));
        let open = || all().filter(|piece| !piece.is_lost());
        let count = open().count().max(1);
        Totals {
            all: Share::of(all()),
            accuracy: open().map(|piece| accuracy(piece.loss)).sum::<f64>() / count as f64,
            lost_positions: share(&|piece| piece.is_lost()).pieces,
            classes: Class::ALL.map(|class| share(&|piece| piece.class == class)),
            misdrops: cause(Cause::Misdrop),
            misjudgements: cause(Cause::Misjudgement),
            unknown: cause(Cause::Unknown),
            burns: share(&GradedPiece::is_burn),
            best_burns: share(&|piece| piece.is_burn() && piece.best_burns()).pieces,
            missed_tetrises: share(&GradedPiece::is_missed_tetris),
            unseen_tucks: share(&GradedPiece::is_unseen_tuck),
            out_of_reach: share(&|piece| piece.within != Within::Hand).pieces,
            droughts: droughts(all()),
            i_pieces: share(&|piece| piece.piece() == Piece::I).pieces,
            luck: all().map(|piece| piece.luck).sum(),
        }
    }

    /// A score of these pieces, with the luck taken off that became score. Over many games the mean is about that of
    /// the scores: within 0.8 % for each of nine players, 29 games each.
    pub fn score_with_average_luck(&self, score: u64) -> f64 {
        score as f64 - self.used_luck(score) * self.luck
    }

    /// The share of the luck that became score, 0 to 1: luck is counted in points of the learned player, and other
    /// players make less of it. The square of the share of the points that were to be had which became score.
    /// The square was chosen by games of nine players: the scores of those that make a sixth of the points do not
    /// follow the luck, as those of `dellacherie` (0.00 ± 0.04 points for each point; `docs/analysis.md`).
    pub fn used_luck(&self, score: u64) -> f64 {
        let score = score as f64;
        if score > 0.0 { (score / (score + self.all.loss)).powi(2) } else { 0.0 }
    }

    /// The pieces of a class.
    pub fn class(&self, class: Class) -> Share {
        Class::ALL
            .into_iter()
            .zip(self.classes)
            .find(|(other, _)| *other == class)
            .map(|found| found.1)
            .unwrap_or_default()
    }
}

fn droughts<'a>(pieces: impl Iterator<Item = &'a GradedPiece>) -> Vec<Drought> {
    let mut found = Vec::new();
    let mut present: Option<Drought> = None;
    for piece in pieces {
        if piece.number == 1 {
            // Another game begins.
            found.extend(present.take());
        } else if piece.drought == 0 {
            found.extend(present.take().map(|drought| Drought { is_survived: true, ..drought }));
        }
        if piece.drought > 0 {
            let drought =
                present.get_or_insert(Drought { first: piece.number, pieces: 0, loss: 0.0, is_survived: false });
            drought.pieces += 1;
            drought.loss += piece.loss;
        }
    }
    found.extend(present);
    found.retain(|drought| drought.pieces >= DROUGHT);
    found
}
