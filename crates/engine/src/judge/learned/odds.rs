//! How likely each piece is to follow another.

use crate::game::Piece;

/// `ODDS[before][piece]`: the odds that the draw after `before` gives `piece`, for one who does
/// not know the state of the generator. By the game's rule of drawing: eight equally likely
/// rolls, one of which, and that of the same piece, is rolled again by adding the orientation id.
pub const ODDS: [[f32; 7]; 7] = {
    let mut odds = [[0.0; 7]; 7];
    let mut before = 0;
    while before < 7 {
        let id = Piece::ALL[before].spawn().id() as usize;
        // In 64ths: a first roll counts 8, each of the eight second rolls of two cases counts 2.
        let mut parts = [0u32; 7];
        let mut roll = 0;
        while roll < 7 {
            if roll != before {
                parts[roll] += 8;
            }
            roll += 1;
        }
        let mut second = 0;
        while second < 8 {
            parts[(second + id) % 7] += 2;
            second += 1;
        }
        let mut piece = 0;
        while piece < 7 {
            odds[before][piece] = parts[piece] as f32 / 64.0;
            piece += 1;
        }
        before += 1;
    }
    odds
};

/// The odds of the draw after a piece, T J Z O S L I.
#[inline(always)]
pub fn after(before: Piece) -> &'static [f32; 7] {
    &ODDS[before.index()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::randomizer::Randomizer;

    #[test]
    fn the_odds_are_those_of_the_generator() {
        for before in Piece::ALL {
            let mut counts = [0u32; 7];
            let mut randomizer = Randomizer::SEED;
            for _ in 0..32_767 {
                for spawn_count in (248..=255).chain(0..8) {
                    let draw = randomizer.draw(before.spawn().id(), spawn_count);
                    counts[draw.orientation.piece().index()] += 1;
                }
                randomizer = randomizer.clocked();
            }
            for (&count, odds) in counts.iter().zip(after(before)) {
                let found = f64::from(count) / (32_767.0 * 16.0);
                assert!((found - f64::from(*odds)).abs() < 1e-4, "{before:?}: {counts:?} {:?}", after(before));
            }
            assert_eq!(after(before).iter().sum::<f32>(), 1.0);
        }
    }
}
