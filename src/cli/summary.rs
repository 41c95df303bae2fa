//! What is said at the end of a run.

use serde::Serialize;

use super::setup::Powered;
use crate::bot::{Finished, Outcome};
use crate::config::Config;
use crate::view::numbers::{game_time, thousands};

/// The result of a run; as JSON, one object with these keys.
#[derive(Debug, Serialize)]
pub(super) struct Summary {
    rom: String,
    /// None on the simulated console.
    rom_sha1: Option<String>,
    seed: u64,
    evaluator: String,
    input: String,
    start_level: u8,
    until: String,
    /// The goal's name when it was reached; else `topout` or `stopped`.
    outcome: String,
    goal_reached: bool,
    score: u32,
    lines: u16,
    level: u8,
    pieces: u32,
    frames: u64,
    maxout_frame: Option<u64>,
    singles: u32,
    doubles: u32,
    triples: u32,
    tetrises: u32,
    /// Share of the lines that tetrises cleared, 0 to 1.
    tetris_rate: Option<f64>,
    desyncs: u32,
}

impl Summary {
    pub(super) fn new(powered: &Powered, config: &Config, finished: &Finished) -> Summary {
        let tally = &finished.tally;
        let [singles, doubles, triples, tetrises] = tally.clears;
        Summary {
            rom: powered.name().to_owned(),
            rom_sha1: powered.rom_sha1().map(str::to_owned),
            seed: config.bot.seed,
            evaluator: config.eval.evaluator.clone(),
            input: config.planner.describe(),
            start_level: config.bot.start_level,
            until: config.bot.until.to_string(),
            outcome: match finished.outcome {
                Outcome::Goal => config.bot.until.to_string(),
                Outcome::Topout => "topout".to_owned(),
                Outcome::Stopped => "stopped".to_owned(),
            },
            goal_reached: finished.outcome == Outcome::Goal,
            score: finished.snapshot.score,
            lines: finished.snapshot.lines,
            level: finished.snapshot.level,
            pieces: tally.pieces,
            frames: finished.frames,
            maxout_frame: tally.maxout_frame,
            singles,
            doubles,
            triples,
            tetrises,
            tetris_rate: tally.tetris_rate(),
            desyncs: tally.desyncs,
        }
    }

    /// For programs: one line.
    pub(super) fn json(&self) -> String {
        serde_json::to_string(self).expect("a summary holds nothing that JSON cannot say") + "\n"
    }

    /// For people.
    pub(super) fn text(&self) -> String {
        let outcome = if self.goal_reached {
            format!("{} reached", self.outcome)
        } else {
            format!("{} before {}", self.outcome, self.until)
        };
        let rate = self.tetris_rate.map_or("-".to_owned(), |rate| format!("{:.1} %", 100.0 * rate));
        let maxout = self.maxout_frame.map_or("-".to_owned(), |frame| format!("frame {}", thousands(frame)));
        format!(
            "{outcome} after {} frames ({} at the console's own speed)\n\
             rom          {}  {}\n\
             game         seed {}, start level {}, {}, {}\n\
             score        {}\n\
             maxout       {maxout}\n\
             lines        {}   level {}   pieces {}\n\
             clears       {} singles, {} doubles, {} triples, {} tetrises\n\
             tetris rate  {rate}\n\
             desyncs      {}\n",
            thousands(self.frames),
            game_time(self.frames),
            self.rom,
            self.rom_sha1.as_deref().unwrap_or("the rules model"),
            self.seed,
            self.start_level,
            self.evaluator,
            self.input,
            thousands(u64::from(self.score)),
            self.lines,
            self.level,
            self.pieces,
            self.singles,
            self.doubles,
            self.triples,
            self.tetrises,
            self.desyncs
        )
    }
}
