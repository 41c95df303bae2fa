//! What depends on the machine, kept apart from the results.

use std::time::Duration;

use serde::Serialize;

use maxout_engine::text::counted;
use maxout_lab::simulate::Decisions;

/// How fast the games were played.
#[derive(Debug, Serialize)]
pub(super) struct Machine {
    threads: usize,
    wall_seconds: f64,
    games_per_second: f64,
    pieces_per_second: f64,
    decisions: DecisionTimes,
}

/// How long a player takes to decide on a piece, to within 5 %.
#[derive(Debug, Serialize)]
pub(super) struct DecisionTimes {
    median_us: Option<f64>,
    p99_us: Option<f64>,
    longest_us: Option<f64>,
}

impl Machine {
    pub(super) fn new(threads: usize, wall: Duration, games: u64, pieces: u64, decisions: &Decisions) -> Machine {
        let wall_seconds = wall.as_secs_f64();
        Machine {
            threads,
            wall_seconds,
            games_per_second: games as f64 / wall_seconds,
            pieces_per_second: pieces as f64 / wall_seconds,
            decisions: DecisionTimes::of(decisions),
        }
    }

    /// As text for a terminal; the line may be broken at double blanks.
    pub(super) fn text(&self) -> String {
        let threads = counted(self.threads as u64, "thread");
        format!(
            "{:.1} s on {threads},  {:.1} games and {:.0} pieces a second;  a decision {}",
            self.wall_seconds,
            self.games_per_second,
            self.pieces_per_second,
            self.decisions.text()
        )
    }
}

impl DecisionTimes {
    pub(super) fn of(decisions: &Decisions) -> DecisionTimes {
        let micros = |time: Duration| time.as_secs_f64() * 1e6;
        DecisionTimes {
            median_us: decisions.quantile(0.5).map(micros),
            p99_us: decisions.quantile(0.99).map(micros),
            longest_us: (decisions.count() > 0).then(|| micros(decisions.longest())),
        }
    }

    /// As text for a terminal: `median 97 us, 99 % 12.6 ms, longest 24.2 ms`
    pub(super) fn text(&self) -> String {
        let time = |micros: Option<f64>| match micros {
            None => "-".to_owned(),
            Some(micros) if micros < 1e3 => format!("{micros:.0} us"),
            Some(micros) => format!("{:.1} ms", micros / 1e3),
        };
        format!("median {},  99 % {},  longest {}", time(self.median_us), time(self.p99_us), time(self.longest_us))
    }
}
