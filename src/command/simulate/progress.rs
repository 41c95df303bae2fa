//! Progress of a simulation: a bar on a terminal, otherwise a line every ten seconds.

use std::fmt::Write;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use crate::system::output::say;

/// Time between two lines without a terminal. Chosen by hand, not measured.
const LINES: Duration = Duration::from_secs(10);
/// Time between two updates of the bar. Chosen by hand, not measured.
const TICK: Duration = Duration::from_millis(500);
const BAR: &str = "{bar:30} {human_pos}/{human_len} games, {rate} a second, {eta} left";

/// Counts games, on standard error.
pub(super) struct GamesProgress {
    bar: ProgressBar,
    games: u64,
    done: u64,
    since: Instant,
    next_line: Instant,
}

impl GamesProgress {
    pub(super) fn new(games: u64) -> GamesProgress {
        let bar = ProgressBar::with_draw_target(Some(games), ProgressDrawTarget::stderr());
        if !bar.is_hidden() {
            let style = ProgressStyle::with_template(BAR).expect("a template that is built in");
            bar.set_style(style.with_key("rate", |state: &ProgressState, text: &mut dyn Write| {
                // Writing into a string does not fail.
                let _ = write!(text, "{:.1}", state.per_sec());
            }));
            bar.enable_steady_tick(TICK);
        }
        let since = Instant::now();
        GamesProgress { bar, games, done: 0, since, next_line: since + LINES }
    }

    /// One more game is finished.
    pub(super) fn game(&mut self) {
        self.done += 1;
        self.bar.inc(1);
        if self.bar.is_hidden() && Instant::now() >= self.next_line {
            self.next_line = Instant::now() + LINES;
            let (done, games) = (self.done, self.games);
            let rate = done as f64 / self.since.elapsed().as_secs_f64();
            let left = (games - done) as f64 / rate;
            say(&format!("{done}/{games} games, {rate:.1} a second, {left:.0} s left"));
        }
    }
}

impl Drop for GamesProgress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
