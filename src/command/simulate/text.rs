//! The report as text for a terminal: one screen.

use std::fmt::Write;

use super::result::SimulateResult;
use crate::system::failure::Failure;
use crate::system::output::{json_line, print_beside};
use maxout_engine::game::level::level_after;
use maxout_engine::game::{DOUBLE_KILLSCREEN, KILLSCREEN};
use maxout_engine::text::rounded;
use maxout_lab::simulate::{self, ByPushdown, Interval, RunId, Share, Spread, Statistics, Survivals, TopOuts};
use maxout_screen::numbers::thousands;

/// Characters of a line.
const WIDTH: usize = 80;
/// Characters in front of a line's numbers.
const LABEL: usize = 24;
/// Characters of a number.
const NUMBER: usize = 13;

/// A name in a table, and its number.
type Column = (&'static str, fn(&Spread) -> Option<f64>);

const POINTS: [[Column; 4]; 4] = [
    [
        ("mean", |spread| Some(spread.mean)),
        ("95 % from", |spread| spread.mean_95.map(|interval| interval.low)),
        ("to", |spread| spread.mean_95.map(|interval| interval.high)),
        ("deviation", |spread| spread.standard_deviation),
    ],
    [
        ("min", |spread| Some(spread.min)),
        ("1 %", |spread| Some(spread.p1)),
        ("5 %", |spread| Some(spread.p5)),
        ("10 %", |spread| Some(spread.p10)),
    ],
    [
        ("25 %", |spread| Some(spread.p25)),
        ("median", |spread| Some(spread.median)),
        ("75 %", |spread| Some(spread.p75)),
        ("90 %", |spread| Some(spread.p90)),
    ],
    [
        ("99 %", |spread| Some(spread.p99)),
        ("max", |spread| Some(spread.max)),
        ("best third", |spread| Some(spread.best_third)),
        ("best 75 %", |spread| Some(spread.best_three_quarters)),
    ],
];

impl SimulateResult<'_> {
    /// Prints it, for a program or for people.
    /// `rows_on_stdout`: the games have standard output.
    pub(super) fn print(&self, json: bool, rows_on_stdout: bool) -> Result<(), Failure> {
        print_beside(rows_on_stdout, &if json { json_line(self) } else { report(self) })
    }
}

/// The whole report.
pub(super) fn report(output: &SimulateResult<'_>) -> String {
    let SimulateResult { run, missing, report, machine, .. } = output;
    let mut text = heading(run, *missing, report.games);
    if report.games > 0 {
        text += &points(&report.points);
        text += &shares(run, report);
        text += &means(report);
        text += &topouts(&report.topouts);
        if report.crashes > 0 {
            let crashes = format!("{} games; --crashes off plays without", thousands(report.crashes));
            line(&mut text, "crashes", &crashes);
        }
        if let Some(survival) = &report.survival {
            line(&mut text, "survival", &survived(survival));
        }
        text += &lock_rows(report);
    }
    if let Some(machine) = machine {
        line(&mut text, "machine", &machine.text());
    }
    text
}

/// What kept the games from crashing.
fn survived(survival: &Survivals) -> String {
    let Survivals { reborn, rebirths, dodges } = survival;
    let count =
        |count: u64, one: &str, more: &str| format!("{} {}", thousands(count), if count == 1 { one } else { more });
    let dodges_by = |number: u64, by: &str| format!("{} by {by}", thousands(number));
    format!(
        "{} reborn, {};  dodged {},  {},  {};  {} planned,  {} ended by A;  {} risked;  nearest {}",
        count(*reborn, "game", "games"),
        count(*rebirths, "rebirth", "rebirths"),
        dodges_by(dodges.placements, "another placement"),
        dodges_by(dodges.pushdowns, "pushdown"),
        dodges_by(dodges.selects, "Select"),
        count(dodges.planned_hangs, "hang", "hangs"),
        count(dodges.hangs, "hang", "hangs"),
        count(dodges.risks, "lock", "locks"),
        dodges.nearest.map_or("-".to_owned(), |cycles| count(cycles.into(), "cycle", "cycles"))
    )
}

/// Which games were played, and by whom.
fn heading(run: &RunId, missing: u64, games: u64) -> String {
    let shard = if run.shard.to_string() == "1/1" { String::new() } else { format!(", shard {}", run.shard) };
    let mut text = format!(
        "{} of {} games{shard} by {}\n{}\n",
        thousands(games),
        thousands(run.games),
        run.player.describe(),
        conditions(&run.settings)
    );
    if missing > 0 {
        let _ = writeln!(text, "{} games are missing: the report covers only the finished games", thousands(missing));
    }
    text
}

/// `seed 1, level 19 until lines:230, pieces nes, scoring nes`
pub(super) fn conditions(settings: &simulate::Settings) -> String {
    let scoring = serde_json::to_value(settings.scoring).expect("a scoring has a name");
    format!(
        "seed {}, {}level {} until {}, pieces {}, scoring {}",
        settings.seed,
        if settings.rules.is_original() { String::new() } else { format!("rules {}, ", settings.rules) },
        settings.start_level,
        settings.until,
        settings.pieces,
        scoring.as_str().unwrap_or_default()
    )
}

/// A label and its values, broken into lines.
fn line(text: &mut String, label: &str, words: &str) {
    let mut row = format!("{label:<11}");
    for word in words.split_inclusive("  ") {
        if row.len() + word.trim_end().len() > WIDTH && row.trim().len() > label.len() {
            *text += row.trim_end();
            *text += "\n";
            row = " ".repeat(11);
        }
        row += word;
    }
    *text += row.trim_end();
    *text += "\n";
}

fn points(points: &ByPushdown<Option<Spread>>) -> String {
    let mut text = String::new();
    for (index, block) in POINTS.iter().enumerate() {
        let title = if index == 0 { "points" } else { "" };
        let names: String = block.iter().map(|(name, _)| format!("{name:>NUMBER$}")).collect();
        let _ = writeln!(text, "{title:<LABEL$}{names}");
        for (label, spread) in
            [("  without pushdown", &points.without_pushdown), ("  with pushdown", &points.with_pushdown)]
        {
            let numbers: String = block
                .iter()
                .map(|(_, number)| {
                    format!("{:>NUMBER$}", spread.as_ref().and_then(number).map_or("-".to_owned(), rounded))
                })
                .collect();
            let _ = writeln!(text, "{label:<LABEL$}{numbers}");
        }
    }
    text
}

fn shares(run: &RunId, report: &Statistics) -> String {
    let mut text = format!("{:<LABEL$}{:>26}{:>26}\n", "games", "without pushdown", "with pushdown");
    let mut row = |label: &str, without: Option<Share>, with: Option<Share>| {
        let cell = |share: Option<Share>| share.map_or(String::new(), share_text);
        let _ = writeln!(text, "{}", format!("{:<LABEL$}{:>26}{:>26}", label, cell(without), cell(with)).trim_end());
    };
    let maxout = report.maxout_before_29;
    row("  999,999 before 29", maxout.without_pushdown, maxout.with_pushdown);
    row("  900,000 points", report.reached_900_000.without_pushdown, report.reached_900_000.with_pushdown);
    if report.reached_39.is_some() {
        let level = |level| format!("  level {level}, {} lines", lines_to(run.settings.start_level, level));
        row(&level(KILLSCREEN), report.reached_29, None);
        row(&level(DOUBLE_KILLSCREEN), report.reached_39, None);
    } else {
        row("  level 29", report.reached_29, None);
    }
    if report.reached_until.is_some() {
        row(&format!("  {}", run.settings.until), report.reached_until, None);
    }
    text
}

/// The lines with which a game from a start level reaches another level.
fn lines_to(start_level: u8, level: u8) -> u16 {
    (0..).find(|&lines| level_after(start_level, lines) >= level).unwrap_or_default()
}

/// `47.0 % (44.1 to 49.9 %)`
fn share_text(share: Share) -> String {
    format!(
        "{:.1} % ({:.1} to {:.1} %)",
        100.0 * share.share,
        100.0 * share.wilson_95.low,
        100.0 * share.wilson_95.high
    )
}

fn means(report: &Statistics) -> String {
    let mut text = String::new();
    let mean = |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{value:.1}"));
    let whole = |value: Option<f64>| value.map_or("-".to_owned(), rounded);
    let percent = |rate: Option<f64>| rate.map_or("-".to_owned(), |rate| format!("{:.1} %", 100.0 * rate));
    let (lines, pieces, frames) = (mean(report.lines), mean(report.pieces), whole(report.frames));
    line(&mut text, "a game", &format!("{lines} lines,  {pieces} pieces,  {frames} frames"));
    let clears = report.clears;
    let clears = format!(
        "{:.1} tetrises;  burns: {:.1} singles,  {:.1} doubles,  {:.1} triples",
        clears.tetrises, clears.singles, clears.doubles, clears.triples
    );
    line(&mut text, "", &clears);
    if let Some(before_39) = report.points_before_39 {
        let mean = |points: ByPushdown<Option<f64>>| whole(points.without_pushdown);
        let (before_29, before_39) = (mean(report.points_before_29), mean(before_39));
        line(&mut text, "points", &format!("{before_29} before level 29,  {before_39} before level 39 (no pushdown)"));
    }
    let (rate, median) = (percent(report.tetris_rate), percent(report.tetris_rate_median));
    line(&mut text, "tetrises", &format!("{rate} of all lines,  {median} in the median game"));
    let perfect = match report.pieces_between_perfect_clears {
        Some(pieces) => format!("{}, one in {} pieces", thousands(report.perfect_clears), whole(Some(pieces))),
        None => "none".to_owned(),
    };
    line(&mut text, "perfect", &format!("clears: {perfect};  longest drought {} pieces", report.longest_drought));
    text
}

fn topouts(topouts: &TopOuts) -> String {
    let mut text = String::new();
    let bins = topouts.bins.iter().fold(String::new(), |bins, bin| format!("{bins}  {}+ {}", bin.lines, bin.games));
    line(&mut text, "topouts", &format!("{} by lines:{bins}", thousands(topouts.games)));
    text
}

fn lock_rows(report: &Statistics) -> String {
    let mut text = String::new();
    let rows = &report.lock_rows;
    let shares = rows.shares.iter().fold(String::new(), |text, share| format!("{text}  {:.2}", 100.0 * share));
    line(&mut text, "lock rows", &format!("% from the top:{shares}"));
    let fit = match (rows.log10_slope, rows.ratio_to_row_below) {
        (Some(slope), Some(ratio)) => {
            format!(
                "rows 7 to 16: log10 slope {slope:.4},  a row has {:.2} % of the locks of the one below",
                100.0 * ratio
            )
        }
        _ => "rows 7 to 16: too few locks for a slope".to_owned(),
    };
    line(&mut text, "", &fit);
    text
}

/// `-1,200 to 3,400`
pub(super) fn interval(interval: Interval) -> String {
    format!("{} to {}", rounded(interval.low), rounded(interval.high))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interval_keeps_its_signs() {
        assert_eq!(interval(Interval { low: -20.0, high: 3000.0 }), "-20 to 3,000");
    }

    #[test]
    fn long_lists_are_wrapped_under_their_label() {
        let mut text = String::new();
        line(&mut text, "topouts", &"  1234+ 5678".repeat(12));
        assert_eq!(text.lines().count(), 3, "{text}");
        assert!(text.lines().all(|line| line.len() <= WIDTH), "{text}");
        assert!(text.lines().skip(1).all(|line| line.starts_with("           1234+")), "{text}");
    }
}
