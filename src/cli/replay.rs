//! `maxout replay`: where a movie ends.

use std::process::ExitCode;

use serde::Serialize;

use super::args::Replay;
use super::failure::Failure;
use super::output::{print, print_json};
use super::progress::Progress;
use super::setup;
use crate::record::fm2::Movie;
use crate::replay::{Error, Maxout, play_movie};
use crate::view::numbers::thousands;

/// The final state.
#[derive(Debug, Serialize)]
struct Report {
    rom: String,
    movie_lines: usize,
    frames: u64,
    first_game_frame: Option<u64>,
    maxout: Option<Maxout>,
    topout_frame: Option<u64>,
    score: u32,
    lines: u16,
    level: u8,
    start_level: u8,
}

pub(super) fn run(args: &Replay) -> Result<ExitCode, Failure> {
    let movie = Movie::open(&args.movie).map_err(Failure::input)?;
    if movie.uses_other_gamepads() {
        log::warn!("the movie presses buttons of a second gamepad; they are left out");
    }
    let decoder = setup::decoder(None)?;
    let mut powered = args.console.power_on()?;
    let mut progress = Progress::new("replay");
    let result = play_movie(&movie, &mut *powered.console, &decoder, args.past_the_end, |frame| progress.frames(frame))
        .map_err(
            |error| if matches!(error, Error::Ram { .. }) { Failure::input(error) } else { Failure::run(error) },
        )?;
    let report = Report {
        rom: powered.name().to_owned(),
        movie_lines: movie.lines.len(),
        frames: result.frames,
        first_game_frame: result.first_game_frame,
        maxout: result.maxout,
        topout_frame: result.topout_frame,
        score: result.snapshot.score,
        lines: result.snapshot.lines,
        level: result.snapshot.level,
        start_level: result.snapshot.start_level,
    };
    if args.json {
        print_json(&report)?
    } else {
        print(&text(&report))?
    }
    Ok(ExitCode::SUCCESS)
}

fn text(report: &Report) -> String {
    let frame = |frame: Option<u64>| frame.map_or("-".to_owned(), |frame| format!("frame {}", thousands(frame)));
    let maxout = report.maxout.map_or("-".to_owned(), |maxout| {
        format!("frame {}, {} lines, level {}", thousands(maxout.frame), maxout.lines, maxout.level)
    });
    format!(
        "{} movie lines, {} frames played on {}\nfirst game   {}\nmaxout       {maxout}\ntopout       {}\n\
         score        {}\nlines        {}   level {}   start level {}\n",
        thousands(report.movie_lines as u64),
        thousands(report.frames),
        report.rom,
        frame(report.first_game_frame),
        frame(report.topout_frame),
        thousands(u64::from(report.score)),
        report.lines,
        report.level,
        report.start_level
    )
}
