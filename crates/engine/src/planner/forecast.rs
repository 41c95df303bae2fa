//! Which pieces may come after those that are seen: the search asks a [`Forecast`].

use rand::{Rng, RngExt};

use crate::game::Piece;

/// What may come after the pieces that are seen.
///
/// The search calls it at every node of its tree, so it is a type parameter there and not a trait
/// object.
pub trait Forecast: Clone + Send + Sync {
    /// How likely each piece is to come next if `before` came last, T J Z O S L I. The odds add
    /// up to 1; a piece with odds 0 is not looked at.
    fn odds(&self, before: Piece) -> [f32; 7];

    /// The forecast once `piece` has come.
    fn after(&self, piece: Piece) -> Self;

    /// Draws the piece that comes after `before`, by the odds; the forecast then goes on from there.
    fn draw(&mut self, before: Piece, random: &mut impl Rng) -> Piece {
        let mut rest: f32 = random.random();
        let mut drawn = before;
        for (piece, odds) in Piece::ALL.into_iter().zip(self.odds(before)).filter(|&(_, odds)| odds > 0.0) {
            drawn = piece;
            rest -= odds;
            if rest < 0.0 {
                break;
            }
        }
        *self = self.after(drawn);
        drawn
    }

    /// The mean of `value` over the pieces that may come after `before`; `None` as soon as one
    /// value is.
    #[inline(always)]
    fn try_expect(&self, before: Piece, mut value: impl FnMut(Piece) -> Option<f32>) -> Option<f32> {
        let mut mean = 0.0;
        for (piece, odds) in Piece::ALL.into_iter().zip(self.odds(before)) {
            if odds > 0.0 {
                mean += odds * value(piece)?;
            }
        }
        Some(mean)
    }

    /// The mean of `value` over the pieces that may come after `before`.
    #[inline(always)]
    fn expect(&self, before: Piece, mut value: impl FnMut(Piece) -> f32) -> f32 {
        self.try_expect(before, |piece| Some(value(piece))).unwrap_or_default()
    }
}

/// A sequence of pieces that is known, and a forecast of what comes after its end.
#[derive(Debug, Clone, Copy)]
pub struct KnownPieces<'a, F> {
    /// The pieces, the first to come first.
    pub pieces: &'a [Piece],
    /// What may come after them.
    pub then: F,
}

impl<F: Forecast> Forecast for KnownPieces<'_, F> {
    fn odds(&self, before: Piece) -> [f32; 7] {
        match self.pieces.first() {
            Some(&known) => Piece::ALL.map(|piece| if piece == known { 1.0 } else { 0.0 }),
            None => self.then.odds(before),
        }
    }

    fn after(&self, piece: Piece) -> Self {
        match self.pieces {
            [_, pieces @ ..] => KnownPieces { pieces, then: self.then.clone() },
            [] => KnownPieces { pieces: &[], then: self.then.after(piece) },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Half of the pieces are T, the others J, Z or O.
    #[derive(Clone)]
    struct Half;

    const HALF: [f32; 7] = [0.5, 0.125, 0.25, 0.125, 0.0, 0.0, 0.0];

    impl Forecast for Half {
        fn odds(&self, _: Piece) -> [f32; 7] {
            HALF
        }

        fn after(&self, _: Piece) -> Half {
            Half
        }
    }

    #[test]
    fn known_pieces_come_one_after_the_other_and_then_the_other_forecast_holds() {
        let mut forecast = KnownPieces { pieces: &[Piece::S, Piece::I], then: Half };
        for known in [Piece::S, Piece::I] {
            let odds = forecast.odds(Piece::O);
            assert_eq!((odds[known.index()], odds.iter().sum::<f32>()), (1.0, 1.0));
            assert_eq!(forecast.expect(Piece::O, |piece| piece.index() as f32), known.index() as f32);
            forecast = forecast.after(known);
        }
        assert_eq!(forecast.odds(Piece::I), HALF);
        assert_eq!(forecast.after(Piece::I).odds(Piece::I), HALF);
    }

    #[test]
    fn the_mean_is_weighted_with_the_odds_and_asks_only_for_what_may_come() {
        let mut asked = Vec::new();
        let mean = Half.expect(Piece::I, |piece| {
            asked.push(piece);
            [8.0, 16.0, 4.0, 32.0][piece.index()]
        });
        assert_eq!((mean, asked), (11.0, vec![Piece::T, Piece::J, Piece::Z, Piece::O]));
    }

    #[test]
    fn the_mean_ends_at_the_first_missing_value() {
        let mut asked = Vec::new();
        let mean = Half.try_expect(Piece::I, |piece| {
            asked.push(piece);
            (piece != Piece::J).then_some(1.0)
        });
        assert_eq!((mean, asked), (None, vec![Piece::T, Piece::J]));
    }
}
