//! What `maxout tas` says: progress, and the summary.

use std::time::{Duration, Instant};

use serde::Serialize;

use crate::system::output::say;
use maxout_lab::tas::{Found, Layer, Parts, Played, Search, Settings};
use maxout_screen::numbers::{game_time, thousands};

/// Time between two lines of progress. Chosen by hand, not measured.
const LINES: Duration = Duration::from_secs(10);

/// Progress on standard error.
pub(super) struct Shown {
    begun: Instant,
    next: Instant,
    limit: Option<Duration>,
    placements: u64,
}

impl Shown {
    pub(super) fn new(limit: Option<Duration>) -> Shown {
        let begun = Instant::now();
        Shown { begun, next: begun + LINES, limit, placements: 0 }
    }

    /// Is the time over that the search was given?
    pub(super) fn is_time_up(&self) -> bool {
        self.limit.is_some_and(|limit| self.begun.elapsed() >= limit)
    }

    /// A layer has been searched.
    pub(super) fn layer(&mut self, layer: &Layer, search: &Search) {
        self.placements += layer.placements;
        if Instant::now() < self.next || layer.games == 0 {
            return;
        }
        self.next = Instant::now() + LINES;
        let seconds = self.begun.elapsed().as_secs_f64();
        let left = (f64::from(layer.frames) / f64::from(layer.frame.max(1)) - 1.0) * seconds;
        let best = search
            .best_frame()
            .map_or(String::new(), |frame| format!(", best so far frame {}", thousands(frame.into())));
        say(&format!(
            "{} pieces, {} games, {} points in frame {}, about {} in all{best}; {:.0} placements a second, about {left:.0} s left",
            layer.pieces,
            layer.games,
            thousands(layer.score.into()),
            thousands(layer.frame.into()),
            thousands(layer.frames.max(0.0) as u64),
            self.placements as f64 / seconds,
        ));
    }
}

/// How a search ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Outcome {
    /// No game that is kept can be faster than the best.
    Done,
    /// By Ctrl-C, or its time was up.
    Interrupted,
}

/// The result of a search.
#[derive(Debug, Serialize)]
pub(super) struct Summary {
    tool_assisted: bool,
    outcome: Outcome,
    goal: String,
    start_level: u8,
    /// What has played the game to check it.
    console: String,
    /// The frame whose sample has the goal, counted from power-on, from 0.
    frame: u32,
    score: u32,
    lines: u16,
    level: u8,
    pieces: u32,
    singles: u32,
    doubles: u32,
    triples: u32,
    tetrises: u32,
    /// Where the frames go.
    parts: Parts,
    width: usize,
    seed: u64,
    /// Seconds of this run alone.
    seconds: f64,
}

impl Summary {
    pub(super) fn new(
        settings: &Settings,
        outcome: Outcome,
        found: &Found,
        played: &Played,
        console: String,
        seconds: f64,
    ) -> Summary {
        let [singles, doubles, triples, tetrises] = played.clears;
        Summary {
            tool_assisted: true,
            outcome,
            goal: settings.goal.to_string(),
            start_level: settings.start_level,
            console,
            frame: found.frame,
            score: played.score,
            lines: played.lines,
            level: played.level,
            pieces: played.pieces,
            singles,
            doubles,
            triples,
            tetrises,
            parts: played.parts,
            width: settings.width,
            seed: settings.seed,
            seconds,
        }
    }

    /// The summary as text.
    pub(super) fn text(&self) -> String {
        let interrupted = match self.outcome {
            Outcome::Done => "",
            Outcome::Interrupted => " (the search was interrupted)",
        };
        let number = |number: u32| thousands(number.into());
        let Parts { menus, fall_least, fall_more, entry_least, entry_more, clear_least, clear_more, last } = self.parts;
        format!(
            "TOOL-ASSISTED: no honest game\n\
             {} in frame {}{interrupted} ({} at the console's own speed), checked on {}\n\
             start level  {}   width {}   seed {}\n\
             score        {}   lines {}   level {}   pieces {}\n\
             clears       {} singles, {} doubles, {} triples, {} tetrises\n\
             menus        {} frames to the first control frame\n\
             fall         {} least for the rows, {} more\n\
             entry delay  {} least for the rows, {} more\n\
             clears       {} least, {} more\n\
             last lock    {} to the goal\n",
            self.goal,
            number(self.frame),
            game_time(self.frame.into()),
            self.console,
            self.start_level,
            number(self.width as u32),
            self.seed,
            number(self.score),
            self.lines,
            self.level,
            number(self.pieces),
            self.singles,
            self.doubles,
            self.triples,
            self.tetrises,
            number(menus),
            number(fall_least),
            number(fall_more),
            number(entry_least),
            number(entry_more),
            number(clear_least),
            number(clear_more),
            number(last),
        )
    }
}
