//! Progress of long work, on standard error: a bar on a terminal, otherwise a line every ten
//! seconds.

use std::fmt::Write;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use super::drawn::Drawn;
use super::message::message;
use super::output::say;

/// Time between two lines without a terminal. Chosen by hand, not measured.
const LINES: Duration = Duration::from_secs(10);
/// Time between two updates of the bar. Chosen by hand, not measured.
const TICK: Duration = Duration::from_millis(500);

/// What is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unit {
    Games,
    Frames,
    Pieces,
    Placements,
}

impl Unit {
    /// Its name, and after how many of them the clock is read. A game takes a millisecond or more, so
    /// does a placement with its play-outs, a frame of the rules model a microsecond.
    const fn of(self) -> (&'static str, u64) {
        match self {
            Unit::Games => ("games", 1),
            Unit::Frames => ("frames", 64),
            Unit::Pieces => ("pieces", 1),
            Unit::Placements => ("placements", 1),
        }
    }
}

/// Counts what is done.
pub(crate) struct Progress {
    bar: Drawn,
    /// The part of the work, for a line; empty where there is only one.
    what: &'static str,
    unit: Unit,
    total: Option<u64>,
    since: Instant,
    next_line: Instant,
    /// The count from which on the clock is read again.
    next_look: u64,
}

impl Progress {
    /// Without a total there is no time left to tell.
    pub(crate) fn new(what: &'static str, unit: Unit, total: Option<u64>) -> Progress {
        let bar = ProgressBar::with_draw_target(total, ProgressDrawTarget::stderr());
        if !bar.is_hidden() {
            let (name, _) = unit.of();
            let template = match total {
                Some(_) => {
                    format!("{{msg}}{{bar:30}} {{human_pos}}/{{human_len}} {name}, {{rate}} a second{{left}}")
                }
                None => format!("{{msg}}{{human_pos}} {name}, {{rate}} a second"),
            };
            let style = ProgressStyle::with_template(&template).expect("a template that is built in");
            // Writing into a string does not fail.
            let speed = move |state: &ProgressState, text: &mut dyn Write| {
                let _ = write!(text, "{}", rate(unit, state.per_sec()));
            };
            let left = move |state: &ProgressState, text: &mut dyn Write| {
                let _ = write!(text, "{}", left(state.pos(), total, state.per_sec()));
            };
            bar.set_style(style.with_key("rate", speed).with_key("left", left));
            bar.set_message(label(what));
            bar.enable_steady_tick(TICK);
        }
        let since = Instant::now();
        Progress { bar: Drawn::new(bar), what, unit, total, since, next_line: since + LINES, next_look: 0 }
    }

    /// `done` units of work are done.
    pub(crate) fn at(&mut self, done: u64) {
        if done < self.next_look {
            return;
        }
        let (_, look) = self.unit.of();
        self.next_look = done + look;
        if !self.bar.0.is_hidden() {
            self.bar.0.set_position(done);
        } else if Instant::now() >= self.next_line {
            self.next_line = Instant::now() + LINES;
            say(&line(self.what, self.unit, done, self.total, self.since.elapsed()));
        }
    }
}

/// A line about long work that is not counted as a whole: on a terminal it changes in place, otherwise there is a line every ten seconds.
pub(crate) struct Status {
    bar: Drawn,
    next: Instant,
}

impl Status {
    pub(crate) fn new() -> Status {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        bar.set_style(ProgressStyle::with_template("{wide_msg}").expect("a template that is built in"));
        let mut status = Status { bar: Drawn::new(bar), next: Instant::now() };
        status.next += status.pause();
        status
    }

    /// Is it time for another line? Then the next one has to wait.
    pub(crate) fn is_due(&mut self) -> bool {
        let is_due = Instant::now() >= self.next;
        if is_due {
            self.next = Instant::now() + self.pause();
        }
        is_due
    }

    pub(crate) fn show(&self, text: &str) {
        if self.bar.0.is_hidden() {
            say(text);
        } else {
            self.bar.0.set_message(message(text));
            self.bar.0.tick();
        }
    }

    fn pause(&self) -> Duration {
        if self.bar.0.is_hidden() { LINES } else { TICK }
    }
}

fn label(what: &str) -> String {
    if what.is_empty() { String::new() } else { format!("{what}: ") }
}

/// Frames are many, games may be few.
fn rate(unit: Unit, a_second: f64) -> String {
    if unit == Unit::Frames { format!("{a_second:.0}") } else { format!("{a_second:.1}") }
}

/// The time left; nothing where it is not known: before the first, and past the total that was expected.
fn left(done: u64, total: Option<u64>, a_second: f64) -> String {
    match total {
        Some(total) if a_second > 0.0 && done < total => format!(", {:.0} s left", (total - done) as f64 / a_second),
        _ => String::new(),
    }
}

/// `replay: 3200/24386 frames, 320 a second, 66 s left`
fn line(what: &str, unit: Unit, done: u64, total: Option<u64>, since: Duration) -> String {
    let (name, _) = unit.of();
    let a_second = done as f64 / since.as_secs_f64();
    let of = total.map_or(String::new(), |total| format!("/{total}"));
    let left = left(done, total, a_second);
    format!("{}{done}{of} {name}, {} a second{left}", label(what), rate(unit, a_second))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_the_time_left_where_the_end_is_known() {
        let said = |unit, done, total| line("replay", unit, done, total, Duration::from_secs(10));
        assert_eq!(said(Unit::Frames, 3200, Some(24_386)), "replay: 3200/24386 frames, 320 a second, 66 s left");
        assert_eq!(said(Unit::Frames, 3200, None), "replay: 3200 frames, 320 a second");
        assert_eq!(said(Unit::Frames, 900, Some(800)), "replay: 900/800 frames, 90 a second");
        assert_eq!(said(Unit::Frames, 800, Some(800)), "replay: 800/800 frames, 80 a second");
        assert_eq!(said(Unit::Frames, 0, Some(800)), "replay: 0/800 frames, 0 a second");
        assert_eq!(line("", Unit::Games, 5, Some(10), Duration::from_secs(2)), "5/10 games, 2.5 a second, 2 s left");
    }

    #[test]
    fn a_count_that_jumps_is_not_lost() {
        let mut progress = Progress::new("", Unit::Frames, Some(1_000));
        let mut looked = Vec::new();
        for done in [1, 63, 65, 127, 200, 201, 400] {
            let before = progress.next_look;
            progress.at(done);
            if progress.next_look != before {
                looked.push(done);
            }
        }
        assert_eq!(looked, [1, 65, 200, 400]);
    }
}
