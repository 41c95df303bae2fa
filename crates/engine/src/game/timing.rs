//! Durations of the game, all in frames (NTSC, 1/60.0988 s).

use super::level::KILLSCREEN;

/// Frames per second of an NTSC console.
pub const FRAMES_PER_SECOND: f64 = 60.098_8;

/// Frames per row at the levels before the killscreen (table at `$898E`).
const FRAMES_PER_ROW: [u8; KILLSCREEN as usize] = [
    0x30, 0x2B, 0x26, 0x21, 0x1C, 0x17, 0x12, 0x0D, 0x08, 0x06, 0x05, 0x05, 0x05, 0x04, 0x04, 0x04, 0x03, 0x03, 0x03,
    0x02, 0x02, 0x02, 0x02, 0x02, 0x02, 0x02, 0x02, 0x02, 0x02,
];

/// Gravity: frames from one drop to the next. 48 at level 0, 2 at 19-28, 1 from 29 on.
pub const fn frames_per_row(level: u8) -> u8 {
    if level >= KILLSCREEN { 1 } else { FRAMES_PER_ROW[level as usize] }
}

/// A held direction shifts the piece when `autorepeatX` (`$66`) reaches this.
pub const DAS_FULL: u8 = 16;
/// `autorepeatX` after such a shift: the next comes six frames later.
pub const DAS_REPEAT: u8 = 10;
/// `autorepeatY` (`$6E`) at game start. It counts up to zero, 96 frames, and holds the first piece
/// for as long.
pub const FIRST_PIECE_HOLD: u8 = 0xA0;
/// A pushdown drops the piece in the frame in which `autorepeatY` reaches this, and goes on from 1:
/// a row every second frame.
pub const PUSHDOWN_DROPS: u8 = 3;
/// Playfield rows that one interrupt sends to the screen.
pub const ROWS_SENT_PER_FRAME: u8 = 4;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gravity_is_two_frames_on_the_plateau_and_one_after() {
        assert_eq!(frames_per_row(0), 48);
        assert_eq!(frames_per_row(18), 3);
        for level in 19..=28 {
            assert_eq!(frames_per_row(level), 2);
        }
        assert_eq!(frames_per_row(29), 1);
        assert_eq!(frames_per_row(255), 1);
    }
}
