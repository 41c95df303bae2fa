//! The flags of `maxout grade`.

use std::num::NonZeroU16;
use std::path::PathBuf;

use clap::ArgAction;

use crate::command::analyze::request::playouts;
use crate::console::flags::OnConsole;
use crate::files::outputs::Overwrite;
use crate::player::values::InputArg;
use maxout_engine::analysis::PlayOuts;
use maxout_engine::analysis::grade::{GradeSettings, Hand, MeasuredHand};
use maxout_engine::gamepad::Tapping;
use maxout_engine::planner::Think;
use maxout_formats::FileFormat;

/// `maxout grade`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  maxout grade game.csv
  maxout grade game.ngf --tap-rate 12 --report game.html
  maxout grade *.csv.gz --csv pieces.csv
  maxout grade movie.fm2 --console simulated --think fixed:5 --playouts 200

Each placement is compared with all that this player could have reached. The tap rate and the
first press are measured from the recording; flags override them. Points are those that the
learned player is expected to score up to level 29, from there on in the next 100 lines.

Exit codes: 0 done, 1 failed, 2 bad usage or input; the other games are graded.")]
pub(crate) struct Grade {
    /// Logs, movies and stored games: .csv or .jsonl (also .gz), .fm2, .bk2, .r08 or .ngf
    #[arg(value_name = "GAME", required = true)]
    pub games: Vec<PathBuf>,
    /// What plays a movie.
    #[command(flatten)]
    pub console: OnConsole,
    /// Format of a file whose name does not show it, or of the only one, whatever its name: csv, jsonl, fm2, bk2, r08 or ngf
    #[arg(long, value_name = "FORMAT")]
    pub from: Option<FileFormat>,
    /// RAM map (TOML), for a ROM that keeps its values at other addresses
    #[arg(long, value_name = "FILE")]
    pub map: Option<PathBuf>,
    /// How the pieces were moved [default: measured, taps or gamepad]
    #[arg(long, help_heading = "Player of the game", value_name = "STYLE", value_parser = honest)]
    pub input: Option<InputArg>,
    /// Taps per second, 1 to 30, or a rhythm as in X.... [default: measured]
    #[arg(long, help_heading = "Player of the game", value_name = "RATE")]
    pub tap_rate: Option<Tapping>,
    /// Frames after the spawn in which the player presses nothing [default: measured]
    #[arg(long, help_heading = "Player of the game", value_name = "N")]
    pub first_press: Option<u32>,
    /// Frames after the spawn before the player uses the next box [default: 0]
    #[arg(long, help_heading = "Player of the game", value_name = "N")]
    pub reaction_frames: Option<u32>,
    /// How far the learned player looks ahead: fixed:N (N pieces, 1 to 5)
    #[arg(long, help_heading = "Judgement", value_name = "THINK", default_value = "fixed:3", value_parser = plies)]
    pub think: u8,
    /// Check each loss of an inaccuracy or worse: play on N games of 50 pieces from the best and the
    /// played placement
    #[arg(long, help_heading = "Judgement", value_name = "N", default_value_t = 0, value_parser = playouts)]
    pub playouts: u32,
    /// Threads; they do not change the grades [default: 1]
    #[arg(long, help_heading = "Judgement", value_name = "N")]
    pub think_threads: Option<NonZeroU16>,
    /// Write a CSV file with one row per piece, - for standard output
    #[arg(long, help_heading = "Output", value_name = "FILE")]
    pub csv: Option<PathBuf>,
    /// Write one HTML page of all games: graph, errors to step through, the better placements
    #[arg(long, help_heading = "Output", value_name = "FILE")]
    pub report: Option<PathBuf>,
    /// What may be replaced.
    #[command(flatten)]
    pub overwrite: Overwrite,
    /// Print the grades as one JSON object
    #[arg(long, help_heading = "Output", action = ArgAction::SetTrue)]
    pub json: bool,
}

/// A fixed number of plies: with a budget of time a game has another grade each time.
fn plies(text: &str) -> Result<u8, String> {
    match text.parse() {
        Ok(Think::Plies(plies)) => Ok(plies),
        _ => Err(format!("a grade looks ahead a fixed number of pieces: expected fixed:1 to fixed:5, found {text:?}")),
    }
}

/// A way to move that presses buttons.
fn honest(text: &str) -> Result<InputArg, String> {
    [("even-frames", InputArg::EvenFrames), ("gamepad", InputArg::Gamepad), ("taps", InputArg::Taps)]
        .into_iter()
        .find(|(name, _)| *name == text)
        .map(|(_, input)| input)
        .ok_or_else(|| format!("expected even-frames, gamepad or taps, found {text:?}"))
}

impl Grade {
    /// The settings for a game whose hand was measured.
    pub(super) fn settings(&self, measured: &MeasuredHand) -> GradeSettings {
        let by_recording = measured.hand();
        // A tap rate that is given is one of taps.
        let input = self.input.map(Into::into).or(self.tap_rate.map(|_| Default::default()));
        let hand = Hand {
            input: input.unwrap_or(by_recording.input),
            tap_rate: self.tap_rate.unwrap_or(by_recording.tap_rate),
            first_press: self.first_press.unwrap_or(by_recording.first_press),
            reaction_frames: self.reaction_frames.unwrap_or(by_recording.reaction_frames),
        };
        GradeSettings {
            plies: self.think,
            hand: Some(hand),
            play_outs: PlayOuts { games: self.playouts, ..GradeSettings::default().play_outs },
            threads: self.think_threads.map_or(1, |threads| threads.get().into()),
        }
    }
}
