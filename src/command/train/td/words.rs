//! What a training by temporal differences prints: its progress, its curve, its summary.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde::Serialize;

use crate::command::train::words::{RunEnd, Series, points};
use crate::system::output::say;
use maxout_lab::train::td::{GameTotals, HeadGames, Journal, Point, Schedule, Training};
use maxout_screen::numbers::thousands;

/// Time from the start to the first line of progress, and then between two lines. Chosen by hand,
/// not measured.
const FIRST: Duration = Duration::from_secs(2);
const INTERVAL: Duration = Duration::from_secs(10);

/// Prints the progress of a training.
pub(super) struct TdProgress<'a> {
    schedule: &'a Schedule,
    /// When the last line was printed, and the pieces placed by then.
    said: Instant,
    placed: u64,
    wait: Duration,
}

impl TdProgress<'_> {
    pub(super) fn new(placed: u64, schedule: &Schedule) -> TdProgress<'_> {
        TdProgress { schedule, said: Instant::now(), placed, wait: FIRST }
    }

    /// A round has ended.
    pub(super) fn round(&mut self, training: &mut Training, journal: &Journal) {
        let passed = self.said.elapsed();
        if passed < self.wait {
            return;
        }
        let rate = (training.placed - self.placed) as f64 / passed.as_secs_f64();
        let error = training.learner.take_error();
        say(&line(self.schedule, training.placed, rate, &journal.latest(), error));
        (self.said, self.placed, self.wait) = (Instant::now(), training.placed, INTERVAL);
    }
}

/// Prints the progress of the games after a training.
pub(super) struct FinaleProgress {
    all: u64,
    /// When the last line was printed, and how long to wait for the next one.
    said: Mutex<(Instant, Duration)>,
}

impl FinaleProgress {
    pub(super) fn new(all: u64) -> FinaleProgress {
        FinaleProgress { all, said: Mutex::new((Instant::now(), FIRST)) }
    }

    /// A game has ended, on any thread.
    pub(super) fn game(&self, over: u64) {
        let mut said = self.said.lock().unwrap_or_else(PoisonError::into_inner);
        if said.0.elapsed() >= said.1 {
            say(&format!("playing games to learn how they end: {} of {}", thousands(over), thousands(self.all)));
            *said = (Instant::now(), INTERVAL);
        }
    }
}

fn line(schedule: &Schedule, placed: u64, rate: f64, latest: &GameTotals, error: f64) -> String {
    let all = schedule.pieces();
    let left = all.saturating_sub(placed) as f64 / rate.max(1e-9);
    let left = if left < 100.0 { format!("{left:.0} s left") } else { format!("{:.0} min left", left / 60.0) };
    format!(
        "{} of {} pieces ({:.0} %), phase {} of {}: {} pieces a second, {}, error {error:.2}, {left}",
        thousands(placed),
        thousands(all),
        (100.0 * placed as f64 / all as f64).floor().min(100.0),
        schedule.phase(placed),
        schedule.phases.len(),
        thousands(rate as u64),
        played(latest.mean_points(), latest.tetris_rate(), latest.finished_share()),
    )
}

/// How well it plays; `-` for what is not known.
fn played(mean: Option<f64>, tetrises: Option<f64>, finished: Option<f64>) -> String {
    let share = |share: Option<f64>| share.map_or("-".to_owned(), |share| format!("{:.1} %", 100.0 * share));
    format!(
        "mean {}, tetris rate {}, {} to 230 lines",
        mean.map_or("-".to_owned(), points),
        share(tetrises),
        share(finished)
    )
}

/// The curve as CSV, one line for each point; unknown values are empty. If the net has several heads, each
/// has four more columns.
pub(super) fn table(points: &[Point], heads: &[HeadGames]) -> String {
    const COLUMNS: [&str; 4] = ["games", "mean_points", "tetris_rate", "finished_share"];
    let columns = |tally: &GameTotals| {
        let number = |number: Option<f64>| number.map_or(String::new(), |number| format!("{number:.4}"));
        let [mean, rate, finished] = [tally.mean_points(), tally.tetris_rate(), tally.finished_share()].map(number);
        format!(",{},{mean},{rate},{finished}", tally.games)
    };
    let mut text = format!("pieces,seconds,{}", COLUMNS.join(","));
    if heads.len() > 1 {
        for HeadGames { level, tap_rate, .. } in heads {
            COLUMNS.iter().for_each(|column| text += &format!(",level{level}_taps_{tap_rate}_{column}"));
        }
    }
    text.push('\n');
    for Point { placed, seconds, tally, heads } in points {
        text += &format!("{placed},{seconds:.1}{}", columns(tally));
        heads.iter().for_each(|tally| text += &columns(tally));
        text.push('\n');
    }
    text
}

/// The lines of the curve's picture, all on one scale that ends near 100.
pub(super) fn series(points: &[Point]) -> Vec<Series> {
    let series = |name: &str, number: fn(&GameTotals) -> Option<f64>, scale: f64| {
        let known = points.iter().filter_map(|point| Some((point.placed as f64 / 1e6, number(&point.tally)? * scale)));
        (name.to_owned(), known.collect())
    };
    vec![
        series("mean points, in 10,000", GameTotals::mean_points, 1e-4),
        series("tetris rate, per cent of the lines", GameTotals::tetris_rate, 100.0),
        series("games that reached 230 lines, per cent", GameTotals::finished_share, 100.0),
    ]
}

/// The result of a run.
#[derive(Debug, Serialize)]
pub(super) struct TdSummary {
    pub outcome: RunEnd,
    pub seed: u64,
    /// Pieces placed, those of earlier runs included.
    pub pieces: u64,
    pub scheduled_pieces: u64,
    pub phase: usize,
    /// Mean points of the latest games.
    pub mean_points: Option<f64>,
    pub tetris_rate: Option<f64>,
    pub finished_share: Option<f64>,
    /// Seconds of this run alone.
    pub seconds: f64,
    pub pieces_per_second: f64,
    /// Seconds of all runs.
    pub all_seconds: f64,
    /// Table rows in the weights file, and its length.
    pub rows: usize,
    pub bytes: usize,
    pub weights: String,
    pub checkpoint: Option<String>,
    pub curve: Option<String>,
}

impl TdSummary {
    /// The summary as text.
    pub(super) fn text(&self) -> String {
        let ended = match self.outcome {
            RunEnd::Done => "",
            RunEnd::Interrupted => ", interrupted",
            RunEnd::TimeUp => ", stopped after --minutes",
        };
        let mut text = format!(
            "pieces       {} of {}, in {:.0} s{ended}\nplays        {}\nthis run     {:.0} s, {} pieces a second\n\
             weights      {}, {} table rows visited, {} bytes\n",
            thousands(self.pieces),
            thousands(self.scheduled_pieces),
            self.all_seconds,
            played(self.mean_points, self.tetris_rate, self.finished_share),
            self.seconds,
            thousands(self.pieces_per_second as u64),
            self.weights,
            thousands(self.rows as u64),
            thousands(self.bytes as u64),
        );
        for (name, path) in [("checkpoint", &self.checkpoint), ("curve", &self.curve)] {
            if let Some(path) = path {
                text += &format!("{name:13}{path}\n");
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally() -> GameTotals {
        GameTotals { games: 4, finished: 1, points: 2_000_002.0, pieces: 2048, lines: 800, tetrises: 150 }
    }

    #[test]
    fn a_line_says_how_far_it_is_and_how_well_it_plays() {
        let schedule = Schedule::learned();
        let all = schedule.pieces();
        let text = line(&schedule, all / 2, 50_000.4, &tally(), 0.456);
        assert!(text.contains("(50 %), phase "), "{text}");
        assert!(
            text.contains(
                ": 50,000 pieces a second, mean 500,001, tetris rate 75.0 %, 25.0 % to 230 lines, error 0.46, "
            ),
            "{text}"
        );
        assert!(text.ends_with(&format!("{:.0} min left", all as f64 / 2.0 / 50_000.4 / 60.0)), "{text}");
        let text = line(&schedule, all - 1, 1.0, &GameTotals::default(), 0.0);
        assert!(text.contains("mean -, tetris rate -, - to 230 lines") && text.ends_with("1 s left"), "{text}");
        assert!(text.contains("(99 %)"), "{text}");
    }

    #[test]
    fn a_curve_has_a_line_for_each_point() {
        let none = Point { placed: 1024, seconds: 0.5, tally: GameTotals::default(), heads: Vec::new() };
        let some = Point { placed: 2048, seconds: 1.25, tally: tally(), heads: Vec::new() };
        let text = table(&[none.clone(), some.clone()], &[HeadGames::PLATEAU]);
        let lines: Vec<&str> = text.lines().skip(1).collect();
        assert_eq!(lines, ["1024,0.5,0,,,", "2048,1.2,4,500000.5000,0.7500,0.2500"]);
        let lengths: Vec<usize> = series(&[none, some]).iter().map(|(_, points)| points.len()).collect();
        assert_eq!(lengths, [1, 1, 1]);
    }
}
