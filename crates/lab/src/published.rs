//! The published results of BetaTetris in 42 formats, to measure a player against.
//!
//! A format is a way of tapping and a reaction time. All have the same games: from level 18 until 430
//! lines (level 49) or a topout, two rows a frame from level 39 on, points without a cap.

use std::fmt::{self, Display};
use std::str::FromStr;
use std::sync::LazyLock;

use serde::{Serialize, Serializer};

use crate::simulate::{Settings, Spread, Until};
use maxout_engine::analysis::Z;
use maxout_engine::game::Ruleset;
use maxout_engine::gamepad::Tapping;

/// The table, with its source.
const TABLE: &str = include_str!("../config/betatetris.csv");
/// Games of each format.
pub const GAMES: u64 = 5001;
/// Lines after which a game ends.
pub const LINES: u32 = 430;

/// A way of tapping and a reaction time. Its text is that of the table, as in `12hz/18` or `slow5/0`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlayFormat {
    /// The name of the way of tapping.
    taps: &'static str,
    /// When taps come.
    pub tapping: Tapping,
    /// Frames after the spawn before the next box may be used.
    pub reaction_frames: u32,
}

impl Display for PlayFormat {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(&format!("{}/{}", self.taps, self.reaction_frames))
    }
}

impl Serialize for PlayFormat {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// A text that names no published format.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected TAPS/FRAMES with TAPS {taps} and FRAMES {frames}, found {0:?}", taps = all_taps(), frames = all_frames())]
pub struct PlayFormatError(String);

impl FromStr for PlayFormat {
    type Err = PlayFormatError;

    fn from_str(text: &str) -> Result<PlayFormat, PlayFormatError> {
        let named = betatetris().iter().find(|published| published.format.to_string() == text);
        named.map(|published| published.format.clone()).ok_or_else(|| PlayFormatError(text.to_owned()))
    }
}

/// `10hz, 12hz and so on`, each once.
fn all_taps() -> String {
    let mut taps: Vec<&str> = betatetris().iter().map(|published| published.format.taps).collect();
    taps.dedup();
    taps.join(", ")
}

fn all_frames() -> String {
    let mut frames: Vec<u32> = betatetris().iter().map(|published| published.format.reaction_frames).collect();
    frames.sort_unstable();
    frames.dedup();
    frames.iter().map(u32::to_string).collect::<Vec<_>>().join(", ")
}

/// What was published of a format.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Published {
    /// The format.
    #[serde(skip)]
    pub format: PlayFormat,
    /// The best of their settings by mean: style and aggression.
    pub setting: &'static str,
    /// Mean points.
    pub mean: f64,
    /// Median of the points.
    pub median: f64,
    /// 1st percentile of the points.
    pub p1: f64,
    /// Share of the games that reach 230 lines, 0 to 1.
    pub reached_230: f64,
    /// Share of the games that reach 330 lines, 0 to 1.
    pub reached_330: f64,
}

/// Who has more points in a format, the intervals of both means considered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ahead {
    /// The player that was measured: its interval lies above the published one.
    Ours,
    /// The published player: its interval lies above the other.
    Theirs,
    /// The intervals overlap.
    Open,
}

impl Ahead {
    /// For people.
    pub const fn name(self) -> &'static str {
        match self {
            Ahead::Ours => "ours",
            Ahead::Theirs => "theirs",
            Ahead::Open => "open",
        }
    }
}

impl Published {
    /// Who is ahead; `None` with fewer than two games. The interval of the published mean is not
    /// published: it is that of as many games with our standard deviation.
    pub fn ahead(&self, ours: &Spread) -> Option<Ahead> {
        let (own, deviation) = (ours.mean_95?, ours.standard_deviation?);
        let reach = Z * deviation / (GAMES as f64).sqrt();
        Some(match () {
            () if own.low > self.mean + reach => Ahead::Ours,
            () if own.high < self.mean - reach => Ahead::Theirs,
            () => Ahead::Open,
        })
    }
}

/// The games of the formats.
pub fn settings(seed: u64) -> Settings {
    Settings { seed, start_level: 18, rules: Ruleset::Ksx2, until: Until::Lines(LINES), ..Settings::default() }
}

/// The formats of BetaTetris v1.0.0, in the order of the table.
pub fn betatetris() -> &'static [Published] {
    static ROWS: LazyLock<Vec<Published>> = LazyLock::new(|| {
        let lines = TABLE.lines().filter(|line| !line.starts_with('#')).skip(1);
        lines.map(|line| row(line).expect("a row of the table")).collect()
    });
    &ROWS
}

/// A row of the table.
fn row(line: &'static str) -> Option<Published> {
    let mut fields = line.split(',');
    let mut next = || fields.next();
    let taps = next()?;
    // `12hz` is a rate, and `slow5` has its own name.
    let tapping = taps.strip_suffix("hz").unwrap_or(taps).parse().ok()?;
    let format = PlayFormat { taps, tapping, reaction_frames: next()?.parse().ok()? };
    let setting = next()?;
    let mut number = || next()?.parse::<f64>().ok();
    let [mean, median, p1, reached_230, reached_330] = [number()?, number()?, number()?, number()?, number()?];
    let (reached_230, reached_330) = (reached_230 / 100.0, reached_330 / 100.0);
    Some(Published { format, setting, mean, median, p1, reached_230, reached_330 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulate::{GameResult, Statistics};
    use maxout_engine::gamepad::TapGaps;

    #[test]
    fn the_table_has_seven_ways_of_tapping_with_six_reaction_times() {
        let table = betatetris();
        assert_eq!(table.len(), 42);
        assert_eq!(all_taps(), "10hz, 12hz, 15hz, 20hz, 24hz, 30hz, slow5");
        assert_eq!(all_frames(), "0, 18, 21, 24, 30, 61");
        let texts: std::collections::HashSet<String> = table.iter().map(|row| row.format.to_string()).collect();
        assert_eq!(texts.len(), 42);
        for row in table {
            assert_eq!(row.format.to_string().parse(), Ok(row.format.clone()));
            assert!(row.p1 < row.median && row.p1 < row.mean && row.reached_330 < row.reached_230, "{row:?}");
        }
        let headline = table.iter().find(|row| row.format.to_string() == "30hz/18").expect("a row");
        let reached_330 = (1e4 * headline.reached_330).round();
        assert_eq!((headline.mean, reached_330, headline.setting), (2_462_239.0, 9_448.0, "normal/high"));
        let slow: PlayFormat = "slow5/61".parse().expect("a row");
        assert_eq!((slow.tapping, slow.reaction_frames), (TapGaps::SLOW5.into(), 61));
        for text in ["30hz", "30hz/1", "slow5/", "30/0", "", "13hz/0"] {
            let error = text.parse::<PlayFormat>().expect_err(text).to_string();
            assert!(error.ends_with(&format!("and FRAMES 0, 18, 21, 24, 30, 61, found {text:?}")), "{error}");
        }
    }

    #[test]
    fn who_is_ahead_depends_on_both_intervals() {
        let published = &betatetris()[0];
        let spread = |middle: f64, apart: f64| {
            let settings = settings(1);
            let games = [middle - apart, middle + apart].into_iter().cycle().take(100).zip(0..);
            let games: Vec<GameResult> =
                games.map(|(points, game)| GameResult::with_points(game, points as u64)).collect();
            Statistics::of(&settings, &games).points.without_pushdown.expect("games")
        };
        // Their interval of 5,001 games is a seventh of ours of 100: 1.96 and 13.9 thousand.
        for (difference, ahead) in
            [(30_000.0, Ahead::Ours), (-30_000.0, Ahead::Theirs), (12_000.0, Ahead::Open), (15_500.0, Ahead::Open)]
        {
            let ours = spread(published.mean + difference, 70_000.0);
            assert_eq!(published.ahead(&ours), Some(ahead), "{difference}");
        }
        assert_eq!(published.ahead(&spread(published.mean + 16_500.0, 70_000.0)), Some(Ahead::Ours));
        let one = Statistics::of(&settings(1), &[GameResult::with_points(0, 5)]).points.without_pushdown;
        assert_eq!(published.ahead(&one.expect("a game")), None);
    }
}
