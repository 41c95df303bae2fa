//! The one place in play that writes RAM: the input styles drag and teleport.

use crate::console::Console;
use crate::planner::PieceWrite;
use crate::ram::Decoder;

/// What a cheating pilot wants written before the next frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Write {
    /// The falling piece.
    Piece(PieceWrite),
    /// The clear animation shall be over.
    ClearAnimated,
}

/// Writes it; gives the bytes with their addresses.
pub(super) fn write(console: &mut dyn Console, decoder: &Decoder, wanted: Option<Write>) -> Vec<(u16, u8)> {
    let bytes = match wanted {
        // Honest play ends here in every frame.
        None => return Vec::new(),
        Some(Write::Piece(PieceWrite { place, fall_timer })) => decoder.piece_bytes(place, fall_timer).to_vec(),
        Some(Write::ClearAnimated) => decoder.animated_bytes().to_vec(),
    };
    for &(address, value) in &bytes {
        console.poke(address, value);
    }
    bytes
}
