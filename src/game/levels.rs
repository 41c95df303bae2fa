//! When the level goes up.

/// The level after `cleared` more lines, in an A-type game.
///
/// At every tenth line the game compares the level with the line count's upper digits, read
/// as hexadecimal with the highest digit lost, and goes up by one where the level is lower
/// (signed comparison of bytes). So a game from level 18 goes up at 130 lines, one from level
/// 19 at 140, and then every ten lines.
pub fn level_after(level: u8, lines: u16, cleared: u8) -> u8 {
    (1..=u16::from(cleared)).fold(level, |level, line| {
        let lines = lines + line;
        if !lines.is_multiple_of(10) {
            return level;
        }
        let (hundreds, tens) = (lines / 100, lines / 10 % 10);
        let compared = (hundreds << 4 | tens) as u8;
        if level.wrapping_sub(compared) & 0x80 != 0 { level.wrapping_add(1) } else { level }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first_level_up(start: u8) -> u16 {
        (0..).find(|&lines| level_after(start, lines, 1) != start).expect("some line") + 1
    }

    #[test]
    fn the_transition_comes_where_it_was_measured() {
        for start in 0..=9 {
            assert_eq!(first_level_up(start), 10 * (u16::from(start) + 1));
        }
        for (start, lines) in [(10, 100), (15, 100), (16, 110), (17, 120), (18, 130), (19, 140)] {
            assert_eq!(first_level_up(start), lines, "start level {start}");
        }
    }

    #[test]
    fn a_game_from_level_18_or_19_reaches_29_at_230_lines() {
        for start in [18, 19] {
            let level = (0..229).fold(start, |level, lines| level_after(level, lines, 1));
            assert_eq!(level, 28);
            assert_eq!(level_after(level, 229, 4), 29);
        }
    }

    #[test]
    fn a_long_game_stops_at_level_235_for_810_lines() {
        let mut level = 18;
        let mut ups = Vec::new();
        for lines in 0..3200 {
            let after = level_after(level, lines, 1);
            if after != level {
                ups.push((lines + 1, after));
            }
            level = after;
        }
        assert!(ups.contains(&(2290, 235)) && ups.contains(&(3100, 236)), "{ups:?}");
    }
}
