//! The one place in play that writes RAM: the input styles drag and teleport.

use crate::console::Console;
use crate::planner::PieceWrite;
use crate::ram::Decoder;

/// What a cheating pilot writes into RAM before the next frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RamWrite {
    /// The place of the falling piece.
    Piece(PieceWrite),
    /// The end of the clear animation.
    ClearAnimated,
}

/// Writes it into RAM, and replaces the contents of `pokes` by the bytes with their addresses.
pub(super) fn write(
    console: &mut impl Console,
    decoder: &Decoder,
    wanted: Option<RamWrite>,
    pokes: &mut Vec<(u16, u8)>,
) {
    pokes.clear();
    match wanted {
        // Honest play ends here in every frame.
        None => return,
        Some(RamWrite::Piece(PieceWrite { place, fall_timer })) => pokes.extend(decoder.piece_bytes(place, fall_timer)),
        Some(RamWrite::ClearAnimated) => pokes.extend(decoder.animated_bytes()),
    }
    for &(address, value) in &*pokes {
        console.poke(address, value);
    }
}
