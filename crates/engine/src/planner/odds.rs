//! How likely the game's generator is to draw each piece after another.

use super::forecast::Forecast;
use crate::game::Piece;

/// The pieces as the game's generator draws them, its state unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct GeneratorOdds;

impl Forecast for GeneratorOdds {
    #[inline(always)]
    fn odds(&self, before: Piece) -> [f32; 7] {
        ODDS[before.index()]
    }

    #[inline(always)]
    fn after(&self, _: Piece) -> GeneratorOdds {
        GeneratorOdds
    }
}

/// `ODDS[before][piece]`: the odds that the draw after `before` gives `piece`. The game rolls one
/// of eight equally likely numbers. The eighth, and the one that stands for the piece `before`, are
/// replaced by a second roll, to which the orientation id of `before` is added.
static ODDS: [[f32; 7]; 7] = {
    let mut odds = [[0.0; 7]; 7];
    let mut before = 0;
    while before < 7 {
        let id = Piece::ALL[before].spawn().id() as usize;
        // In 64ths: a first roll counts 8; each of the eight second rolls counts 2, as two first
        // rolls lead to it.
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
            for (&count, odds) in counts.iter().zip(GeneratorOdds.odds(before)) {
                let found = f64::from(count) / (32_767.0 * 16.0);
                assert!(
                    (found - f64::from(odds)).abs() < 1e-4,
                    "{before:?}: {counts:?} {:?}",
                    GeneratorOdds.odds(before)
                );
            }
            assert_eq!(GeneratorOdds.odds(before).iter().sum::<f32>(), 1.0);
        }
    }
}
