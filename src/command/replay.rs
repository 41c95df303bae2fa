//! `maxout replay`: plays a log or movie, prints the final state and compares with a log.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::anyhow;
use clap::ArgAction;
use serde::Serialize;

use crate::console::flags::Playback;
use crate::files::playback::{play, shape_of, warn_of_differences};
use crate::files::run_files::format_of_input;
use crate::system::failure::{FAILED, Failure};
use crate::system::output::{print, print_json};
use crate::system::paths::is_special;
use maxout_engine::console::Video;
use maxout_formats::frame_log::LogReader;
use maxout_formats::replay::{FirstMaxout, LogCheck, LogVerification};
use maxout_formats::{FileFormat, InputFile, Presses};
use maxout_screen::numbers::{score_text, thousands};

/// `maxout replay`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  maxout replay movie.fm2
  maxout replay game.csv tetris.nes
  maxout replay movie.bk2 --console simulated --verify game.csv.gz
  maxout replay game.csv hack.nes --force --map hack.toml

A log is compared with its own RAM values, unless it comes from a pipe or --verify names another
log.

Exit codes: 0 everything was played and nothing differs, 1 a difference, or the game crashed
or hangs, 2 a file cannot be read.")]
pub(crate) struct Replay {
    /// Log or movie to play: .csv or .jsonl (also .gz), .fm2, .bk2 or .r08
    #[arg(value_name = "FILE")]
    pub movie: PathBuf,
    /// What plays it.
    #[command(flatten)]
    pub playback: Playback,
    /// Compare every frame with this log (.csv or .jsonl, also .gz)
    #[arg(long, value_name = "LOG")]
    pub verify: Option<PathBuf>,
    /// Frames to play past the end, without buttons; ends at a topout, or where the game hangs
    #[arg(long, value_name = "N", default_value_t = 600)]
    pub past_the_end: u64,
    /// Print the result as one JSON object
    #[arg(long, action = ArgAction::SetTrue)]
    pub json: bool,
}

/// The final state.
#[derive(Debug, Serialize)]
struct Report {
    rom: String,
    /// Lines, rows or entries of the input file.
    movie_lines: usize,
    frames: u64,
    /// Those of the input; the others are past its end.
    movie_frames: u64,
    /// Games that began. `maxout` and `topout_frame` are those of the first game that has them; score, lines and level
    /// are those of the last game.
    games: u32,
    first_game_frame: Option<u64>,
    maxout: Option<FirstMaxout>,
    topout_frame: Option<u64>,
    /// What did not go on, and since when.
    stuck: Option<String>,
    score: u32,
    /// The score without the cap of 999,999.
    score_uncapped: u64,
    lines: u16,
    level: u8,
    start_level: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    verification: Option<LogVerification>,
}

pub(crate) fn run(args: &Replay) -> Result<ExitCode, Failure> {
    let format = format_of_input(&args.movie, args.playback.from)?;
    let input = InputFile::open(&args.movie, format).map_err(Failure::input)?;
    let log = match &args.verify {
        Some(path) => {
            let shape = FileFormat::of_path(path).and_then(shape_of).ok_or_else(|| {
                let expected = "expected a log to compare with, its name ending in .csv or .jsonl, also .gz";
                Failure::input(anyhow!("--verify {}: {expected}", path.display()))
            })?;
            Some(LogReader::open(path, shape).map_err(Failure::input)?)
        }
        None if shape_of(format).is_some() && is_special(&args.movie) => {
            // It can be read once.
            log::warn!("a log from a pipe or a device is not compared with its replay: give the name of a file");
            None
        }
        None => match shape_of(format) {
            Some(shape) => Some(LogReader::open(&args.movie, shape).map_err(Failure::input)?),
            None => None,
        },
    };
    let decoder = args.playback.decoder()?;
    let mut powered = args.playback.power_on(Video::Off)?;
    warn_of_differences(&input, &powered);
    let mut check = log.map(LogCheck::new);
    // A log that is still being written has more rows when it is read for the second time: they were not played.
    let mut left = if args.verify.is_some() { usize::MAX } else { length(&input) };
    let result = play(&input.presses, &mut powered, &decoder, args.past_the_end, |step| {
        if left > 0
            && let Some(check) = &mut check
        {
            check.take(step)?;
        }
        left = left.saturating_sub(1);
        Ok(())
    })?;
    let verification = match check {
        Some(check) if args.verify.is_some() => Some(check.finish().map_err(Failure::input)?),
        check => check.map(LogCheck::so_far),
    };
    if let (Some(path), Some(LogVerification { frames: 0, first_difference: None, .. })) = (&args.verify, &verification)
    {
        let name = path.display();
        return Err(Failure::input(anyhow!("--verify {name}: expected frames to compare with, found none in the log")));
    }
    let differs = verification.as_ref().is_some_and(|verification| verification.first_difference.is_some());
    let report = Report {
        rom: powered.name().to_owned(),
        movie_lines: length(&input),
        frames: result.frames,
        movie_frames: result.movie_frames,
        games: result.games,
        first_game_frame: result.first_game_frame,
        maxout: result.maxout,
        topout_frame: result.topout_frame,
        stuck: result.stuck.map(|stuck| stuck.to_string()),
        score: result.snapshot.score,
        score_uncapped: result.uncapped,
        lines: result.snapshot.lines,
        level: result.snapshot.level,
        start_level: result.snapshot.start_level,
        verification,
    };
    if args.json {
        print_json(&report)?
    } else {
        print(&text(&report))?
    }
    Ok(if differs || report.stuck.is_some() { ExitCode::from(FAILED) } else { ExitCode::SUCCESS })
}

fn length(input: &InputFile) -> usize {
    match (&input.movie, &input.presses) {
        (Some(movie), _) => movie.lines.len(),
        (None, Presses::Steps(steps)) => steps.len(),
        (None, Presses::Polls(entries)) => entries.len(),
    }
}

fn text(report: &Report) -> String {
    let frame = |frame: Option<u64>| frame.map_or("-".to_owned(), |frame| format!("frame {}", thousands(frame)));
    let maxout = report.maxout.map_or("-".to_owned(), |maxout| {
        format!("frame {}, {} lines, level {}", thousands(maxout.frame), maxout.lines, maxout.level)
    });
    let is_past = report.topout_frame.is_some_and(|topout| topout >= report.movie_frames);
    let topout = frame(report.topout_frame) + if is_past { ", past the end" } else { "" };
    let stuck = report.stuck.as_ref().map_or(String::new(), |stuck| format!("stuck        {stuck}\n"));
    let games = match report.games {
        0 | 1 => String::new(),
        games => format!("games        {games}; score, lines and level are those of the last one\n"),
    };
    let mut text = format!(
        "{} movie lines, {} frames played on {}\n{games}first game   {}\nmaxout       {maxout}\ntopout       {topout}\n{stuck}\
         score        {}\nlines        {}   level {}   start level {}\n",
        thousands(report.movie_lines as u64),
        thousands(report.frames),
        report.rom,
        frame(report.first_game_frame),
        score_text(report.score, report.score_uncapped),
        report.lines,
        report.level,
        report.start_level
    );
    if let Some(verification) = &report.verification {
        let (frames, values) = (thousands(verification.frames), thousands(verification.values));
        text += &format!("log          {frames} frames, {values} values compared\n");
        text += &match &verification.first_difference {
            None => "             no difference\n".to_owned(),
            Some(first) => format!(
                "first difference: frame {}, {}, expected {}, found {}\n",
                first.frame, first.name, first.expected, first.found
            ),
        };
    }
    text
}
