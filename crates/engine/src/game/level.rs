//! Levels: where the game becomes faster, and after how many lines.

/// The first level of the plateau: at levels 19 to 28 a piece falls a row in two frames.
pub const PLATEAU: u8 = 19;
/// The level from which a piece falls a row in every frame.
pub const KILLSCREEN: u8 = 29;
/// The level from which a piece falls two rows in every frame, with
/// [`Ruleset::Ksx2`](super::gravity::Ruleset::Ksx2).
pub const DOUBLE_KILLSCREEN: u8 = 39;
/// Lines after which a game that started at level 18 or 19 reaches the killscreen.
pub const KILLSCREEN_LINES: u16 = 230;
/// Lines after which such a game reaches the double killscreen.
pub const DOUBLE_KILLSCREEN_LINES: u16 = 330;
/// The highest level that the level menu offers, as 9 with A held.
pub const HIGHEST_START_LEVEL: u8 = 19;

/// The greatest height of a B-type game's garbage that the menu offers.
pub const HIGHEST_START_HEIGHT: u8 = 5;

/// The level of an A-type game after a number of lines below 2,200. `start_level` is at most
/// [`HIGHEST_START_LEVEL`].
///
/// From a start level n below 10 the first level-up comes at 10 (n + 1) lines, from 10 to 15 at 100
/// lines, from 16 on at 10 (n - 5) lines; every ten lines after that bring another. This follows
/// from the rule in [`Progress::count_a_type`](super::scoring::Progress::count_a_type).
pub const fn level_after(start_level: u8, lines: u16) -> u8 {
    let start = start_level as u16;
    let first = match start {
        0..10 => 10 * (start + 1),
        10..16 => 100,
        _ => 10 * (start - 5),
    };
    if lines < first { start_level } else { (start + 1 + (lines - first) / 10) as u8 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::scoring::Progress;
    use crate::game::timing::frames_per_row;

    #[test]
    fn the_level_after_some_lines_is_that_of_the_rule_in_full() {
        for start in 0..=HIGHEST_START_LEVEL {
            let mut progress = Progress::from_lines(start, 0);
            for lines in 0..2_200 {
                assert_eq!(progress.level, level_after(start, lines), "start {start}, {lines} lines");
                progress.count_a_type(1);
            }
        }
    }

    #[test]
    fn the_killscreens_come_at_230_and_330_lines_from_levels_18_and_19() {
        for start in [18, 19] {
            assert_eq!(level_after(start, KILLSCREEN_LINES), KILLSCREEN);
            assert_eq!(level_after(start, KILLSCREEN_LINES - 1), KILLSCREEN - 1);
            assert_eq!(level_after(start, DOUBLE_KILLSCREEN_LINES), DOUBLE_KILLSCREEN);
            assert_eq!(level_after(start, DOUBLE_KILLSCREEN_LINES - 1), DOUBLE_KILLSCREEN - 1);
            assert_eq!(level_after(start, 430), 49);
        }
    }

    #[test]
    fn the_levels_are_where_the_gravity_changes() {
        let changes = [PLATEAU - 1, PLATEAU, KILLSCREEN - 1, KILLSCREEN].map(frames_per_row);
        assert_eq!(changes, [3, 2, 2, 1]);
    }
}
