//! Progress in plain lines, for logs and pipes.

use std::io::{self, Write};
use std::time::Duration;

use super::numbers::{percent, score_text, thousands, verdict_words};
use super::pace::RateMeter;
use crate::speed::Speed;
use maxout_engine::bot::{Event, Flow, FrameReport, FrameSink, SinkError};
use maxout_engine::clock::Clock;

/// Time between two lines when nothing happens. Chosen by hand, not measured.
const INTERVAL: Duration = Duration::from_secs(5);
/// Shortest time between two lines about level-ups and desyncs. Chosen by hand, not measured.
const NEWS_INTERVAL: Duration = Duration::from_secs(1);
/// Time over which frames a second are measured. Chosen by hand, not measured.
const RATE_WINDOW: Duration = Duration::from_secs(1);

/// Writes a line every five seconds, and at level-ups, desyncs, maxout and topout:
///
/// `frame 4,321  level 20  lines 57  score 312,400  tetris rate 63 %  desyncs 0  540 frames/s`
pub struct ProgressLines<W: Write> {
    writer: W,
    clock: Box<dyn Clock>,
    meter: RateMeter,
    last_line: Duration,
    /// News that waits for the next line.
    pending: Option<String>,
    /// The speed that was asked for.
    speed: Speed,
}

impl<W: Write> ProgressLines<W> {
    /// Writes to `writer`, in most cases standard error.
    pub fn new(writer: W, clock: Box<dyn Clock>) -> ProgressLines<W> {
        let now = clock.now();
        ProgressLines {
            writer,
            clock,
            meter: RateMeter::new(RATE_WINDOW, now),
            last_line: now,
            pending: None,
            speed: Speed::Max,
        }
    }

    /// The same, which also says when this speed is not reached.
    pub fn at_speed(mut self, speed: Speed) -> ProgressLines<W> {
        self.speed = speed;
        self
    }

    fn write(&mut self, report: &FrameReport<'_>) -> io::Result<()> {
        let now = self.clock.now();
        self.meter.tick(now);
        let mut is_urgent = false;
        let reset = report.reset.map(|_| "reset after a crash".to_owned());
        is_urgent |= reset.is_some();
        self.pending = reset.or(self.pending.take());
        for event in report.events {
            let Some(news) = news(event) else { continue };
            is_urgent |= matches!(event, Event::Maxout | Event::Topout);
            self.pending = Some(match self.pending.take() {
                // Maxout and topout are added to waiting news; other news replaces it.
                Some(earlier) if is_urgent => format!("{earlier}, {news}"),
                _ => news,
            });
        }
        let since = now.saturating_sub(self.last_line);
        if is_urgent || since >= INTERVAL || (self.pending.is_some() && since >= NEWS_INTERVAL) {
            self.last_line = now;
            let news = self.pending.take();
            return self.line(report, news.as_deref());
        }
        Ok(())
    }

    fn line(&mut self, report: &FrameReport<'_>, news: Option<&str>) -> io::Result<()> {
        let (snapshot, tally) = (report.snapshot, report.tally);
        let mut line = format!(
            "frame {}  level {}  lines {}  score {}  tetris rate {}  desyncs {}",
            thousands(report.frame),
            snapshot.level,
            snapshot.lines,
            score_text(snapshot.score, tally.uncapped),
            tally.tetris_rate().map_or("-".to_owned(), percent),
            tally.desyncs
        );
        if tally.rebirths > 0 {
            line += &format!("  rebirths {}", tally.rebirths);
        }
        if let Some(lock) = report.plan.and_then(|plan| plan.lock) {
            line += &format!("  lock {}", verdict_words(&lock.verdict()));
        }
        if let Some(rate) = self.meter.rate() {
            line += &format!("  {} frames/s", thousands(rate.round() as u64));
            if let Some(missed) = self.speed.missed(rate) {
                line += &format!(" ({missed})");
            }
        }
        if let Some(news) = news {
            line += &format!("  {news}");
        }
        line.push('\n');
        // One write, so that lines of several writers stay whole.
        self.writer.write_all(line.as_bytes())?;
        self.writer.flush()
    }
}

impl<W: Write> FrameSink for ProgressLines<W> {
    fn frame(&mut self, report: &FrameReport<'_>) -> Result<Flow, SinkError> {
        self.write(report).map_err(|source| SinkError { context: "writing progress lines".to_owned(), source })?;
        Ok(Flow::Continue)
    }
}

fn news(event: &Event) -> Option<String> {
    match event {
        Event::LevelUp(level) => Some(format!("level {level}")),
        Event::Maxout => Some("maxout".to_owned()),
        Event::Topout => Some("topout".to_owned()),
        Event::Desync(desync) => Some(desync.to_string()),
        Event::Jump => Some("the console's state jumped".to_owned()),
        Event::TakenOver => Some("a person plays".to_owned()),
        Event::HandedBack => Some("the bot plays".to_owned()),
        Event::GameStart | Event::Planned | Event::Lock | Event::Clear(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;
    use maxout_engine::bot::Tally;
    use maxout_engine::game::memory::address::SCORE;

    /// The lines of a run at 500 frames/s with events in some frames.
    fn lines(frames: u64, events: impl Fn(u64) -> Vec<Event>) -> String {
        let mut written = Vec::new();
        let clock = sample::HandClock::default();
        let mut lines = ProgressLines::new(&mut written, clock.boxed());
        for frame in 0..frames {
            clock.pass(Duration::from_millis(2));
            sample::report(frame, &events(frame), |report| lines.write(report)).expect("a vector takes all");
        }
        String::from_utf8(written).expect("text")
    }

    #[test]
    fn a_quiet_run_says_something_every_five_seconds() {
        let text = lines(5001, |_| Vec::new());
        let expected = "frame 2,499  level 20  lines 57  score 312,400  tetris rate 77 %  desyncs 0  500 frames/s\n";
        assert_eq!(text.lines().count(), 2, "{text}");
        assert!(text.starts_with(expected), "{text}");
    }

    #[test]
    fn past_the_cap_the_line_goes_on_counting() {
        let mut written = Vec::new();
        let mut lines = ProgressLines::new(&mut written, sample::HandClock::default().boxed());
        let mut ram = sample::ram();
        ram[SCORE..SCORE + 3].fill(0x99);
        let snapshot = sample::snapshot(&ram);
        sample::report_of(&snapshot, None, 7, &[Event::Topout], |report| {
            let tally = Tally { uncapped: 1_418_757, ..*report.tally };
            lines.write(&FrameReport { tally: &tally, events: report.events, ..*report })
        })
        .expect("a vector takes all");
        let text = String::from_utf8(written).expect("text");
        assert!(text.contains("  score 999,999 (1,418,757 uncapped)  tetris rate"), "{text}");
    }

    #[test]
    fn a_speed_that_is_not_reached_is_said() {
        let (mut written, clock) = (Vec::new(), sample::HandClock::default());
        let mut lines = ProgressLines::new(&mut written, clock.boxed()).at_speed(Speed::Times(16));
        for frame in 0..2501 {
            clock.pass(Duration::from_millis(2));
            sample::report(frame, &[], |report| lines.write(report)).expect("a vector takes all");
        }
        let text = String::from_utf8(written).expect("text");
        assert!(text.ends_with("  500 frames/s (16x asked, 8.3x reached)\n"), "{text}");
    }

    #[test]
    fn news_come_once_a_second_at_most_and_the_end_at_once() {
        let text = lines(1000, |frame| match frame {
            998 => vec![Event::Maxout],
            999 => vec![Event::Topout],
            _ => vec![Event::LevelUp(21)],
        });
        let ends: Vec<&str> = text.lines().filter_map(|line| line.rsplit("  ").next()).collect();
        assert_eq!(ends, ["level 21", "level 21, maxout", "topout"], "{text}");
    }

    #[test]
    fn a_closed_pipe_is_an_error_that_says_what_was_written() {
        struct Closed;
        impl Write for Closed {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(io::ErrorKind::BrokenPipe.into())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let mut lines = ProgressLines::new(Closed, sample::HandClock::default().boxed());
        let error = sample::report(7, &[Event::Topout], |report| lines.frame(report)).expect_err("closed");
        assert_eq!(error.source.kind(), io::ErrorKind::BrokenPipe);
        assert!(error.to_string().starts_with("writing progress lines"));
    }
}
