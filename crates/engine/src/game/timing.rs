//! Durations of the game, all in frames (NTSC, 1/60.0988 s).

/// Frames per second of an NTSC console.
pub const FRAMES_PER_SECOND: f64 = 60.098_8;

/// Frames per row at levels 0 to 28 (table at `$898E`).
const FRAMES_PER_ROW: [u8; 29] = [
    0x30, 0x2B, 0x26, 0x21, 0x1C, 0x17, 0x12, 0x0D, 0x08, 0x06, 0x05, 0x05, 0x05, 0x04, 0x04, 0x04, 0x03, 0x03, 0x03,
    0x02, 0x02, 0x02, 0x02, 0x02, 0x02, 0x02, 0x02, 0x02, 0x02,
];

/// Gravity: frames from one drop to the next. 48 at level 0, 2 at 19-28, 1 from 29 on.
pub const fn frames_per_row(level: u8) -> u8 {
    if level as usize >= FRAMES_PER_ROW.len() { 1 } else { FRAMES_PER_ROW[level as usize] }
}

/// The value that `autorepeatX` (`$66`) must reach for a held direction to shift.
pub const DAS_FULL: u8 = 16;
/// `autorepeatX` after such a shift, so that the next comes six frames later.
pub const DAS_REPEAT: u8 = 10;
/// `autorepeatY` (`$6E`) at game start: a counter up to zero that holds the first piece.
pub const FIRST_PIECE_HOLD: u8 = 0xA0;

/// Entry delay in frames from the failed drop to the next spawn, without a row clear.
///
/// `y` is the piece's row when it locks. The game waits twice for the playfield rows from
/// `y - 2` down to be sent to the screen, four a frame, then eight frames more: 10 for the
/// lowest rows, 18 for the highest.
pub const fn entry_delay(y: u8) -> u8 {
    let first_row = y.saturating_sub(2);
    2 * (20 - first_row).div_ceil(4) + 8
}

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

    #[test]
    fn entry_delay_depends_on_the_band_of_rows() {
        for (rows, delay) in [(0..=5, 18), (6..=9, 16), (10..=13, 14), (14..=17, 12), (18..=19, 10)] {
            for y in rows {
                assert_eq!(entry_delay(y), delay, "y {y}");
            }
        }
    }
}
