//! What `maxout tas` says: progress, and the summary.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde::Serialize;

use crate::system::progress::Status;
use maxout_engine::text::clears;
use maxout_lab::tas::improve::{Improvement, Progress};
use maxout_lab::tas::{Count, Layer, Parts, Played, Search, Settings};
use maxout_screen::numbers::{game_time, thousands};

/// Progress on standard error.
pub(super) struct Shown {
    begun: Instant,
    status: Status,
    limit: Option<Duration>,
    placements: u64,
}

impl Shown {
    pub(super) fn new(limit: Option<Duration>) -> Shown {
        let begun = Instant::now();
        Shown { begun, status: Status::new(), limit, placements: 0 }
    }

    /// Is the time over that the search was given?
    pub(super) fn is_time_up(&self) -> bool {
        self.limit.is_some_and(|limit| self.begun.elapsed() >= limit)
    }

    /// A layer has been searched.
    pub(super) fn layer(&mut self, layer: &Layer, search: &Search) {
        self.placements += layer.placements;
        if layer.games == 0 || !self.status.is_due() {
            return;
        }
        let seconds = self.begun.elapsed().as_secs_f64();
        let left = (f64::from(layer.frames) / f64::from(layer.frame.max(1)) - 1.0) * seconds;
        let best = search
            .best_frame()
            .map_or(String::new(), |frame| format!(", best so far frame {}", thousands(frame.into())));
        self.status.show(&format!(
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

/// Progress of a plan or an improvement on standard error.
pub(super) struct ShownImprovement<'a> {
    begun: Instant,
    status: Status,
    limit: Option<Duration>,
    stop: &'a AtomicBool,
    round: usize,
    round_begun: Instant,
    /// The rounds of planning: those of earlier runs, and all.
    planning: (usize, usize),
}

impl ShownImprovement<'_> {
    pub(super) fn new(limit: Option<Duration>, stop: &AtomicBool) -> ShownImprovement<'_> {
        let begun = Instant::now();
        ShownImprovement { begun, status: Status::new(), limit, stop, round: 0, round_begun: begun, planning: (0, 0) }
    }

    /// Another search through the game begins.
    pub(super) fn round(&mut self, round: usize) {
        self.round = round;
        self.round_begun = Instant::now();
    }

    /// Planning begins; earlier runs have made `from` of its `of` rounds.
    pub(super) const fn planning_begins(&mut self, from: usize, of: usize) {
        self.planning = (from, of);
    }

    /// A round of planning is over: `rounds` in all, and the plan takes `frames` frames.
    pub(super) fn round_of_planning(&mut self, rounds: usize, frames: f32) {
        if self.is_time() {
            let (from, of) = self.planning;
            let seconds = self.begun.elapsed().as_secs_f64();
            let left = seconds * (of - rounds) as f64 / (rounds - from) as f64;
            let frames = thousands(frames as u64);
            self.status.show(&format!(
                "round {rounds} of {of}: a plan of about {frames} frames; about {left:.0} s left for planning"
            ));
        }
        self.round(0);
    }

    /// Shows the planned pieces, and their points of those that are to be reached.
    pub(super) fn first_plan(&mut self, pieces: usize, points: u32, goal: u32) {
        if self.is_time() {
            let share = f64::from(points) / f64::from(goal.max(1));
            let seconds = self.round_begun.elapsed().as_secs_f64() * (1.0 / share - 1.0).max(0.0);
            // Points say nothing while the tower for the first tetrises is built.
            let left = if share < 0.05 { String::new() } else { format!(", about {seconds:.0} s left for it") };
            let points = thousands(points.into());
            self.status.show(&format!("the first plan: {pieces} pieces, {points} points{left}"));
        }
    }

    /// Stops the search when its time is up.
    pub(super) fn stop_in_time(&self) {
        if self.limit.is_some_and(|limit| self.begun.elapsed() >= limit) {
            self.stop.store(true, Ordering::Relaxed);
        }
    }

    /// Is it time for a line? Stops the search when its time is up.
    fn is_time(&mut self) -> bool {
        self.stop_in_time();
        self.status.is_due()
    }

    /// A piece has been searched. Stops the search when its time is up.
    pub(super) fn piece(&mut self, progress: &Progress) {
        if !self.is_time() {
            return;
        }
        let seconds = self.round_begun.elapsed().as_secs_f64();
        let left = |pieces: usize, of: usize| seconds * (of - pieces) as f64 / pieces.max(1) as f64;
        let search = match self.round {
            0 => "pieces for the plan".to_owned(),
            round => format!("search {round}"),
        };
        self.status.show(&match *progress {
            Progress::Listed { pieces, of } => {
                format!("{search}: shapes of {pieces} of {of} pieces, about {:.0} s left for them", left(pieces, of))
            }
            Progress::Tops { tops, of } => {
                format!("{search}: cycles from {tops} of {of} playfields, about {:.0} s left for them", left(tops, of))
            }
            Progress::Cycles { cycles, of } => {
                format!("{search}: {cycles} of {of} kinds of cycles, about {:.0} s left for them", left(cycles, of))
            }
            Progress::Parts { done, of, frame } => {
                let best = frame.map_or(String::new(), |frame| format!(", best frame {}", thousands(frame.into())));
                format!("{search}: {done} of {of} ways to share the cycles{best}; about {:.0} s left", left(done, of))
            }
            Progress::Placed { pieces, of, frame, movie } => {
                let before = match self.round {
                    0 => String::new(),
                    _ => format!(", before in frame {}", thousands(movie.into())),
                };
                let (frame, left) = (thousands(frame.into()), left(pieces, of));
                format!("{search}: piece {pieces} of {of} in frame {frame}{before}; about {left:.0} s left")
            }
        });
    }
}

/// How long a game is.
#[derive(Debug, Clone, Copy)]
pub(super) struct Measured {
    /// The frame whose sample has the goal.
    pub frame: u32,
    /// Frames up to the last one with a button pressed.
    pub length: u32,
}

impl Measured {
    pub(super) const fn of(played: &Played) -> Measured {
        Measured { frame: played.buttons.len() as u32 - 1, length: played.length }
    }

    /// Of the movie that is made faster.
    pub(super) fn of_movie(movie: &Improvement) -> Measured {
        Measured { frame: movie.frame(), length: movie.length() }
    }

    /// Is it faster, by what counts?
    pub(super) fn is_less(self, other: Measured, count: Count) -> bool {
        match count {
            Count::Goal => self.frame < other.frame,
            Count::Input => self.length < other.length,
        }
    }

    /// What counts, then the other: the fastest game has the least.
    pub(super) const fn order(self, count: Count) -> (u32, u32) {
        match count {
            Count::Goal => (self.frame, self.length),
            Count::Input => (self.length, self.frame),
        }
    }

    /// What counts, in words.
    pub(super) fn words(self, count: Count) -> String {
        match count {
            Count::Goal => format!("which has it in frame {}", thousands(self.frame.into())),
            Count::Input => format!("which has {} frames up to its last button", thousands(self.length.into())),
        }
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
    /// What was minimised: `goal` or `input`.
    count: String,
    start_level: u8,
    /// What has played the game to check it.
    console: String,
    /// The frame whose sample has the goal, counted from power-on, from 0.
    frame: u32,
    /// Frames up to the last one with a button pressed: the length of a movie that ends there.
    length: u32,
    /// Both of the movie that was improved.
    #[serde(skip_serializing_if = "Option::is_none")]
    movie_frame: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    movie_length: Option<u32>,
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
        movie: Option<Measured>,
        played: &Played,
        console: String,
        seconds: f64,
    ) -> Summary {
        let [singles, doubles, triples, tetrises] = played.clears;
        let Measured { frame, length } = Measured::of(played);
        Summary {
            tool_assisted: true,
            outcome,
            goal: settings.goal.to_string(),
            count: settings.count.to_string(),
            start_level: settings.start_level,
            console,
            frame,
            length,
            movie_frame: movie.map(|movie| movie.frame),
            movie_length: movie.map(|movie| movie.length),
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
        // A B-type game counts down.
        let left = if self.goal.starts_with("b-type") { " left" } else { "" };
        let before = |of_movie: Option<u32>| of_movie.map_or(String::new(), |of| format!(", the movie {}", number(of)));
        let Parts { menus, fall_least, fall_more, entry_least, entry_more, clear_least, clear_more, last } = self.parts;
        format!(
            "TOOL-ASSISTED: no honest game\n\
             {} in frame {}{}{interrupted} ({} at the console's own speed), checked on {}\n\
             length       {} frames up to the last button{}\n\
             start level  {}   width {}   seed {}\n\
             score        {}   lines {}{left}   level {}   pieces {}\n\
             clears       {}\n\
             menus        {} frames to the first control frame\n\
             fall         {} least for the rows, {} more\n\
             entry delay  {} least for the rows, {} more\n\
             clears       {} least, {} more\n\
             last lock    {} to the goal\n",
            self.goal,
            number(self.frame),
            before(self.movie_frame),
            game_time(self.frame.into()),
            self.console,
            number(self.length),
            before(self.movie_length),
            self.start_level,
            number(self.width as u32),
            self.seed,
            number(self.score),
            self.lines,
            self.level,
            number(self.pieces),
            clears([self.singles, self.doubles, self.triples, self.tetrises]),
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
