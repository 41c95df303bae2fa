//! The bits of `renderFlags` (`$A3`): what the interrupt draws again.

/// The number of lines.
pub const LINES: u8 = 0x01;
/// The level.
pub const LEVEL: u8 = 0x02;
/// The score.
pub const SCORE: u8 = 0x04;
/// The piece statistics.
pub const STATISTICS: u8 = 0x40;
/// The letter that is being entered into a name.
pub const NAME: u8 = 0x80;

/// Everything of a running game.
pub const GAME: u8 = LINES | LEVEL | SCORE | STATISTICS;
