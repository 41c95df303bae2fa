//! Numbers as text for people.

use std::time::Duration;

use maxout_engine::game::crash::{Danger, PHASES, Verdict};
use maxout_engine::game::timing::FRAMES_PER_SECOND;
pub use maxout_engine::text::thousands;

/// Frames as game time: `1:05`, `1:02:03`.
pub fn game_time(frames: u64) -> String {
    let seconds = (frames as f64 / FRAMES_PER_SECOND) as u64;
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours > 0 { format!("{hours}:{minutes:02}:{seconds:02}") } else { format!("{minutes}:{seconds:02}") }
}

/// The score as the game shows it, and what it would be without the cap where that is more:
/// `312,400`, `999,999 (1,418,757 uncapped)`.
pub fn score_text(score: u32, uncapped: u64) -> String {
    let shown = thousands(u64::from(score));
    if uncapped > u64::from(score) { format!("{shown} ({} uncapped)", thousands(uncapped)) } else { shown }
}

/// What comes of a lock: `safe, 212 cycles`, `crash near, 12 cycles`, `hang, A ends it`.
pub fn verdict_words(verdict: &Verdict) -> String {
    match (verdict.danger, verdict.phases) {
        (None, _) => format!("safe, {} cycles", thousands(verdict.margin.into())),
        (Some(Danger::Crash), 0) => format!("crash near, {} cycles", verdict.margin),
        (Some(Danger::Crash), phases) => format!("crash, {phases} of {PHASES}"),
        (Some(Danger::HangUntilCounter | Danger::HangUntilButton), _) => "hang, A ends it".to_owned(),
    }
}

/// A short time: `0.4 ms`, `12 ms`, `1.5 s`.
pub(super) fn duration(time: Duration) -> String {
    let millis = time.as_secs_f64() * 1e3;
    if millis < 9.95 {
        format!("{millis:.1} ms")
    } else if millis < 999.5 {
        format!("{millis:.0} ms")
    } else {
        format!("{:.1} s", millis / 1e3)
    }
}

/// A share of 0 to 1 in whole per cent: 100 % only when nothing is missing.
pub(super) fn percent(share: f64) -> String {
    let most = if share < 1.0 { 99.0 } else { 100.0 };
    format!("{} %", (share * 100.0).round().min(most))
}

/// A value or a difference of values, with its sign: whole points, or the number of an evaluator that
/// has no unit, with two decimals below 1000.
pub(super) fn value(value: f64, unit: &str) -> String {
    if value.is_nan() {
        return "-".to_owned();
    }
    let sign = if value < 0.0 { "-" } else { "+" };
    if unit.is_empty() && value.abs() < 1000.0 {
        return format!("{sign}{:.2}", value.abs());
    }
    let number = format!("{sign}{}", thousands(value.abs().round() as u64));
    if unit.is_empty() { number } else { format!("{number} {unit}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn game_time_counts_frames_at_the_console_s_rate() {
        assert_eq!(game_time(0), "0:00");
        assert_eq!(game_time(601), "0:10");
        assert_eq!(game_time(60 * 60 * 61 + 10_000), "1:03:40");
    }

    #[test]
    fn a_lock_is_told_by_its_danger() {
        let words = |cycles| verdict_words(&Verdict::at(cycles, false));
        assert_eq!(words(27_000), "safe, 2,170 cycles");
        assert_eq!(words(29_597), "crash, 8 of 8");
        assert_eq!(words(29_660), "crash near, 12 cycles");
        assert_eq!(words(30_996), "hang, A ends it");
    }

    #[test]
    fn the_uncapped_score_is_told_where_it_is_more() {
        assert_eq!(score_text(312_400, 312_400), "312,400");
        assert_eq!(score_text(999_999, 999_999), "999,999");
        assert_eq!(score_text(999_999, 1_418_757), "999,999 (1,418,757 uncapped)");
    }

    #[test]
    fn times_have_two_or_three_digits() {
        let shown =
            [40, 9_940, 9_960, 999_400, 999_600, 12_340_000].map(|micros| duration(Duration::from_micros(micros)));
        assert_eq!(shown, ["0.0 ms", "9.9 ms", "10 ms", "999 ms", "1.0 s", "12.3 s"]);
    }

    #[test]
    fn a_share_just_below_one_is_not_all() {
        assert_eq!(percent(0.999_99), "99 %");
        assert_eq!(percent(1.0), "100 %");
        assert_eq!(percent(0.29), "29 %");
    }

    #[test]
    fn values_of_any_size_stay_short() {
        assert_eq!(value(-12.345, ""), "-12.35");
        assert_eq!(value(12.0, ""), "+12.00");
        assert_eq!(value(-812_345.6, ""), "-812,346");
        assert_eq!(value(1_083.6, "points"), "+1,084 points");
        assert_eq!(value(f64::NAN, "points"), "-");
    }
}
