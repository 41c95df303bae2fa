//! Tiles of the playfield's cells (`$0400`): one byte a cell.

/// An empty cell. The game treats every lower value as an obstacle.
pub const EMPTY: u8 = 0xEF;
/// A cell of T, O or I: white with a coloured edge.
pub const WHITE: u8 = 0x7B;
/// A cell of Z or L, in the second colour of the level.
pub const SECOND: u8 = 0x7C;
/// A cell of J or S, in the first colour of the level.
pub const FIRST: u8 = 0x7D;
/// A cell of the topout curtain.
pub const CURTAIN: u8 = 0x4F;

/// The tiles of locked pieces.
pub const BLOCKS: [u8; 3] = [WHITE, SECOND, FIRST];

/// Is this the tile of a locked piece?
pub const fn is_block(tile: u8) -> bool {
    matches!(tile, WHITE..=FIRST)
}

/// Does this tile stop a piece?
pub const fn is_solid(tile: u8) -> bool {
    tile < EMPTY
}
