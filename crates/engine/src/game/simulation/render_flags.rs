//! The bits of `renderFlags` (`$A3`): what the interrupt draws anew.

/// The number of lines.
pub(super) const LINES: u8 = 0x01;
/// The level.
pub(super) const LEVEL: u8 = 0x02;
/// The score.
pub(super) const SCORE: u8 = 0x04;
/// The piece statistics.
pub(super) const STATISTICS: u8 = 0x40;
/// The letter that is being entered into a name.
pub(super) const NAME: u8 = 0x80;

/// Everything of a running game.
pub(super) const GAME: u8 = LINES | LEVEL | SCORE | STATISTICS;
