//! The games of a training: from level 19 to the line that reaches level 29.

use rand::RngExt;
use rand::rngs::Xoshiro256PlusPlus;

use maxout_engine::game::Piece;
use maxout_engine::judge::learned::odds;

/// Lines after which a game counts as finished and a new one begins: those of level 29.
pub(super) const LAST_LINE: u32 = 230;

/// Draws the piece after `before`, with the odds of the game's generator.
pub(super) fn draw(before: Piece, random: &mut Xoshiro256PlusPlus) -> Piece {
    let mut rest = random.random::<f32>();
    for (piece, odds) in Piece::ALL.into_iter().zip(odds::after(before)) {
        rest -= odds;
        if rest < 0.0 {
            return piece;
        }
    }
    Piece::T
}

/// The level after this many lines of a game from level 19: it first rises at 140 lines.
pub(super) fn level_after(lines: u32) -> u32 {
    if lines < 140 { 19 } else { 6 + lines / 10 }
}

/// Mixes the bits of a number (SplitMix64's finalizer, by Vigna).
pub(super) fn split_mix(number: u64) -> u64 {
    let mixed = number.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mixed = (mixed ^ mixed >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ mixed >> 31
}
