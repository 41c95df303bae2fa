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
