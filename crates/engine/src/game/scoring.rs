//! Lines, levels and points in the game's own decimal arithmetic, quirks included.

use super::memory::GameType;

/// The score at which the game's counter stops: six nines in `$73-$75`.
pub const MAXOUT: u32 = 999_999;

/// Points for clearing 0 to 4 rows at level 0 (table at `$9CA5`). They are paid level + 1 times.
pub const CLEAR_POINTS: [u32; 5] = [0, 40, 100, 300, 1200];

/// [`CLEAR_POINTS`] as the game adds them: two BCD bytes, low byte first.
const POINTS: [[u8; 2]; 5] = {
    let mut points = [[0; 2]; 5];
    let mut rows = 0;
    while rows < points.len() {
        points[rows] = [bcd(CLEAR_POINTS[rows] % 100), bcd(CLEAR_POINTS[rows] / 100)];
        rows += 1;
    }
    points
};

/// Two decimal digits as a byte.
pub(super) const fn bcd(value: u32) -> u8 {
    (16 * (value / 10) + value % 10) as u8
}

/// Points of a clear of `rows` rows, 0 to 4. `level` is the one after the clear.
pub const fn clear_points(rows: u8, level: u8) -> u32 {
    CLEAR_POINTS[rows as usize] * (level as u32 + 1)
}

/// The score as the game keeps it in `$73-$75`: BCD, lowest byte first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Score(pub [u8; 3]);

impl Score {
    /// The highest score: the counter stops at six nines.
    pub const MAX: Score = Score([0x99; 3]);

    /// The bytes for a number of points up to 999,999.
    pub fn from_value(points: u32) -> Score {
        Score([points, points / 100, points / 10_000].map(|pairs| bcd(pairs % 100)))
    }

    /// The number shown on the screen.
    pub fn value(self) -> u32 {
        self.0.iter().rev().fold(0, |sum, &byte| sum * 100 + u32::from(byte >> 4) * 10 + u32::from(byte & 15))
    }

    /// Adds the points of a lock's pushdown, `$6F` rows of it.
    ///
    /// Quirks: a ones digit that overflows past 15 comes out wrong, and when the two lowest
    /// digits pass 99 the ones digit is lost. The carry into the next byte is normalised by
    /// [`Score::add_line_points`], which the game always runs next.
    pub fn add_pushdown(&mut self, rows: u8) {
        if (rows as i8) < 2 {
            return;
        }
        let [s0, s1, _] = &mut self.0;
        *s0 = s0.wrapping_add(rows - 1);
        if *s0 & 0x0F >= 0x0A {
            *s0 = s0.wrapping_add(6);
        }
        if *s0 & 0xF0 >= 0xA0 {
            *s0 = (*s0 & 0xF0).wrapping_add(0x60);
            *s1 = s1.wrapping_add(1);
        }
    }

    /// Adds the points of `rows` cleared rows, `level` + 1 times; `level` is the one after
    /// the clear. Clearing nothing adds nothing but still normalises the digits.
    pub fn add_line_points(&mut self, rows: u8, level: u8) {
        let [low, high] = POINTS[usize::from(rows.min(4))];
        for _ in 0..=level {
            let before = *self;
            if self.add_points_once(low, high) {
                *self = Score::MAX;
            }
            if *self == before {
                // Capped, or nothing to add: further rounds change nothing.
                break;
            }
        }
    }

    /// Adds the points of a clear once. Returns whether a million was carried out of the digits.
    fn add_points_once(&mut self, low: u8, high: u8) -> bool {
        let [s0, s1, s2] = &mut self.0;
        *s0 = s0.wrapping_add(low);
        if *s0 >= 0xA0 {
            *s0 = s0.wrapping_add(0x60);
            *s1 = s1.wrapping_add(1);
        }
        *s1 = s1.wrapping_add(high);
        if *s1 & 0x0F >= 0x0A {
            *s1 = s1.wrapping_add(6);
        }
        if *s1 & 0xF0 >= 0xA0 {
            *s1 = s1.wrapping_add(0x60);
            *s2 = s2.wrapping_add(1);
        }
        if *s2 & 0x0F >= 0x0A {
            *s2 = s2.wrapping_add(6);
        }
        let carries = *s2 & 0xF0 >= 0xA0;
        if carries {
            *s2 = s2.wrapping_add(0x60);
        }
        carries
    }
}

/// The score as it would be without the cap: the game's own arithmetic, quirks included, with more
/// digits. Below a million it is the game's score.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct UncappedScore {
    /// The six digits that the game has.
    digits: Score,
    /// What was carried out of them.
    millions: u32,
}

impl UncappedScore {
    /// The counter at a number of points.
    pub fn from_points(points: u64) -> UncappedScore {
        const MILLION: u64 = 1_000_000;
        UncappedScore { digits: Score::from_value((points % MILLION) as u32), millions: (points / MILLION) as u32 }
    }

    /// The number of points.
    pub fn points(self) -> u64 {
        u64::from(self.millions) * 1_000_000 + u64::from(self.digits.value())
    }

    /// Adds the points of a lock: `pushdown` rows of pushdown and `rows` cleared rows. `level` is
    /// the one after the clear.
    pub fn add_lock(&mut self, pushdown: u8, rows: u8, level: u8) {
        self.digits.add_pushdown(pushdown);
        let [low, high] = POINTS[usize::from(rows.min(4))];
        for _ in 0..=level {
            self.millions += u32::from(self.digits.add_points_once(low, high));
        }
    }
}

/// Lines and level as the game keeps them in `$70,$71` and `$64`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// `$70`: tens and ones, BCD.
    pub lines_low: u8,
    /// `$71`: hundreds, plain binary: 1000 lines are `$0A`.
    pub lines_high: u8,
    /// `$64`: the level; 255 is followed by 0.
    pub level: u8,
}

impl Progress {
    /// The bytes for a number of lines.
    pub fn from_lines(level: u8, lines: u16) -> Progress {
        let (hundreds, rest) = (lines / 100, u32::from(lines % 100));
        Progress { lines_low: bcd(rest), lines_high: hundreds as u8, level }
    }

    /// Counts `rows` cleared rows of an A-type game. Returns whether the level went up.
    ///
    /// At every tenth line the level goes up if it is below the tens of lines *read as
    /// hexadecimal*. That is why a start at level 10 to 19 waits for 100 to 140 lines.
    pub fn count_a_type(&mut self, rows: u8) -> bool {
        let level_before = self.level;
        for _ in 0..rows {
            self.lines_low = self.lines_low.wrapping_add(1);
            if self.lines_low & 0x0F >= 0x0A {
                self.lines_low = self.lines_low.wrapping_add(6);
                if self.lines_low & 0xF0 >= 0xA0 {
                    self.lines_low &= 0x0F;
                    self.lines_high = self.lines_high.wrapping_add(1);
                }
            }
            if self.lines_low & 0x0F == 0 {
                let tens = self.lines_high << 4 | self.lines_low >> 4;
                if self.level.wrapping_sub(tens) & 0x80 != 0 {
                    self.level = self.level.wrapping_add(1);
                }
            }
        }
        self.level != level_before
    }

    /// Takes `rows` off the lines left in a B-type game; the level stays.
    pub fn count_b_type(&mut self, rows: u8) {
        let left = self.lines_low.wrapping_sub(rows);
        self.lines_low = if left & 0x80 != 0 {
            0
        } else if left & 0x0F >= 0x0A {
            left.wrapping_sub(6)
        } else {
            left
        };
    }

    /// Counts `rows` cleared rows of a game of this type.
    pub fn count(&mut self, game_type: GameType, rows: u8) {
        match game_type {
            GameType::A => _ = self.count_a_type(rows),
            GameType::B => self.count_b_type(rows),
        }
    }

    /// The number of lines, also above 999; in a B-type game those left.
    pub fn lines(self) -> u16 {
        u16::from(self.lines_high) * 100 + u16::from(self.lines_low >> 4) * 10 + u16::from(self.lines_low & 15)
    }
}

/// Adds one clear to a byte of `lineClearStats` (`$D8-$DB`). The low digit carries, the high one
/// does not.
pub fn count_clear(count: u8) -> u8 {
    let count = count.wrapping_add(1);
    if count & 0x0F == 0x0A { count.wrapping_add(6) } else { count }
}

/// Adds one piece to an entry of the statistics (`$03F0`): a BCD byte, then binary hundreds.
pub fn count_piece([low, high]: [u8; 2]) -> [u8; 2] {
    let mut low = low.wrapping_add(1);
    let mut high = high;
    if low & 0x0F == 0x0A {
        low = low.wrapping_add(6);
        if low >= 0xA0 {
            low = low.wrapping_add(0x60);
            high = high.wrapping_add(1);
        }
    }
    [low, high]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lines at which the first level-up comes, at most 300.
    fn first_level_up(start: u8) -> Option<u16> {
        let mut progress = Progress { lines_low: 0, lines_high: 0, level: start };
        (1..=300).find(|_| progress.count_a_type(1)).filter(|&lines| progress.lines() == lines)
    }

    fn lines_of_level_ups(start: u8, until_lines: u16) -> Vec<(u16, u8)> {
        let mut progress = Progress { lines_low: 0, lines_high: 0, level: start };
        let mut ups = Vec::new();
        for lines in 1..=until_lines {
            if progress.count_a_type(1) {
                ups.push((lines, progress.level));
            }
            assert_eq!(progress.lines(), lines);
        }
        ups
    }

    #[test]
    fn the_first_level_up_comes_as_in_the_measured_table() {
        for start in 0..=9 {
            assert_eq!(first_level_up(start), Some((u16::from(start) + 1) * 10));
        }
        let late = (10..=19).filter_map(first_level_up).collect::<Vec<_>>();
        assert_eq!(late, [100, 100, 100, 100, 100, 100, 110, 120, 130, 140]);
    }

    #[test]
    fn a_start_at_18_reaches_29_at_230_lines() {
        assert!(lines_of_level_ups(18, 240).contains(&(230, 29)));
    }

    #[test]
    fn level_235_lasts_810_lines_and_256_wraps_to_0() {
        let ups = lines_of_level_ups(18, 3500);
        assert!(ups.contains(&(2290, 235)) && ups.contains(&(3100, 236)));
        assert!(ups.iter().any(|&(lines, level)| lines >= 3100 && level == 0));
    }

    #[test]
    fn hundreds_of_lines_are_binary_past_999() {
        let mut progress = Progress { lines_low: 0x99, lines_high: 9, level: 97 };
        progress.count_a_type(1);
        assert_eq!((progress.lines_low, progress.lines_high, progress.lines()), (0x00, 0x0A, 1000));
    }

    #[test]
    fn the_bytes_of_a_number_of_lines_are_that_number() {
        for lines in 0..3000 {
            assert_eq!(Progress::from_lines(18, lines).lines(), lines);
        }
    }

    #[test]
    fn clear_points_are_what_the_game_adds() {
        for (rows, level) in (0..=4).flat_map(|rows| [0, 9, 18, 19, 29, 97].map(|level| (rows, level))) {
            let mut score = Score::default();
            score.add_line_points(rows, level);
            assert_eq!(score.value(), clear_points(rows, level), "{rows} rows at level {level}");
        }
        assert_eq!(POINTS, [[0x00, 0x00], [0x40, 0x00], [0x00, 0x01], [0x00, 0x03], [0x00, 0x12]]);
    }

    #[test]
    fn line_points_use_level_plus_one_and_stop_at_six_nines() {
        let mut score = Score::default();
        score.add_line_points(4, 18);
        assert_eq!(score.value(), 22_800);
        score = Score([0x54, 0x76, 0x98]);
        score.add_line_points(4, 97);
        assert_eq!(score, Score::MAX);
        score.add_line_points(4, 97);
        assert_eq!(score, Score::MAX);
    }

    #[test]
    fn the_uncapped_score_is_the_games_until_the_cap_and_then_goes_on() {
        let mut seed = 1_u32;
        for _ in 0..200 {
            let (mut score, mut uncapped, mut exact) = (Score::default(), UncappedScore::default(), 0_u64);
            let mut pushed = 0;
            while exact < 3_000_000 {
                seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                let (pushdown, rows, level) = ((seed >> 20) as u8 % 20, (seed >> 26) as u8 % 5, (seed >> 8) as u8);
                score.add_pushdown(pushdown);
                score.add_line_points(rows, level);
                uncapped.add_lock(pushdown, rows, level);
                exact += u64::from(clear_points(rows, level)) + u64::from(pushdown.saturating_sub(1));
                pushed += 1;
                assert_eq!(u64::from(score.value()), uncapped.points().min(u64::from(MAXOUT)));
                // A pushdown loses fewer than ten points by its quirks.
                assert!(uncapped.points() <= exact && exact - uncapped.points() < 10 * pushed);
                assert_eq!(UncappedScore::from_points(uncapped.points()), uncapped);
            }
        }
    }

    #[test]
    fn clears_alone_add_up_beyond_the_cap() {
        let mut uncapped = UncappedScore::from_points(999_999);
        uncapped.add_lock(0, 4, 28);
        assert_eq!(uncapped.points(), 999_999 + 34_800);
        uncapped.add_lock(0, 4, 255);
        assert_eq!(uncapped.points(), 999_999 + 34_800 + 307_200);
        for _ in 0..1000 {
            uncapped.add_lock(0, 4, 99);
        }
        assert_eq!(uncapped.points(), 999_999 + 34_800 + 307_200 + 120_000_000);
        // More than 32 bits.
        assert_eq!(UncappedScore::from_points(5_000_000_123).points(), 5_000_000_123);
    }

    #[test]
    fn the_bytes_of_a_number_of_points_are_that_number() {
        for points in (0..1_000_000).step_by(37).chain([999_999]) {
            assert_eq!(Score::from_value(points).value(), points);
        }
    }

    #[test]
    fn pushdown_pays_one_less_than_its_rows() {
        let mut score = Score::default();
        for (rows, points) in [(0, 0), (1, 0), (2, 1), (8, 8)] {
            score.add_pushdown(rows);
            score.add_line_points(0, 0);
            assert_eq!(score.value(), points);
        }
    }

    #[test]
    fn pushdown_loses_the_ones_digit_on_a_carry_past_99() {
        let mut score = Score([0x95, 0, 0]);
        score.add_pushdown(9);
        score.add_line_points(0, 0);
        assert_eq!(score.value(), 100);
    }

    #[test]
    fn pushdown_adds_too_little_when_a_digit_passes_15() {
        let mut score = Score([0x09, 0, 0]);
        score.add_pushdown(16);
        assert_eq!(score.value(), 18);
    }

    #[test]
    fn b_type_lines_count_down_and_stop_at_0() {
        let mut progress = Progress { lines_low: 0x25, lines_high: 0, level: 2 };
        progress.count_b_type(4);
        assert_eq!(progress.lines_low, 0x21);
        progress.count_b_type(4);
        assert_eq!(progress.lines_low, 0x17);
        progress.lines_low = 0x02;
        progress.count_b_type(4);
        assert_eq!((progress.lines_low, progress.level), (0, 2));
    }

    #[test]
    fn clear_counts_carry_only_once_and_piece_counts_into_the_hundreds() {
        assert_eq!(count_clear(0x09), 0x10);
        assert_eq!(count_clear(0x99), 0xA0);
        assert_eq!(count_piece([0x09, 0]), [0x10, 0]);
        assert_eq!(count_piece([0x99, 1]), [0x00, 2]);
    }
}
