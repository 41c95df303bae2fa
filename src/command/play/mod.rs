//! `maxout play`: a game from power-on until its goal. The game itself is that of `maxout drive`, too.

pub(crate) mod args;
mod end;
mod game;
mod hand_camera;
mod recording;
mod settings;
pub(crate) mod setup;
mod summary;
mod watch;
mod watching;

use std::path::PathBuf;
use std::process::ExitCode;

use self::args::Play;
use self::setup::{Hosted, Setup};
use crate::console::power::{self, ConsoleChoice};
use crate::player::flags::check_level_goal;
use crate::system::failure::Failure;
use crate::system::interrupt::stop_on_interrupt;
use crate::system::logging::LogTarget;
use maxout_engine::bot::Goal;
use maxout_formats::FileFormat;

pub(crate) fn run(args: &Play, log: &LogTarget) -> Result<ExitCode, Failure> {
    run_and_dump(args, log, None)
}

/// Plays, and also writes one more file, `dump`, which may go to standard output.
pub(crate) fn run_and_dump(
    args: &Play,
    log: &LogTarget,
    dump: Option<(PathBuf, FileFormat)>,
) -> Result<ExitCode, Failure> {
    let choice = match (&args.console, &args.rom) {
        (Some(console), _) => console.clone(),
        (None, Some(path)) => ConsoleChoice::Rom(path.clone()),
        (None, None) => ConsoleChoice::default(),
    };
    let mut setup = Setup::check(&args.game, dump, |outputs| outputs.reads_console(&choice))?;
    // A host may be in the middle of another game; here it begins at the start level.
    if let Goal::Level(level) = setup.config.bot.until {
        check_level_goal(level, setup.config.bot.start_level)?;
    }
    let powered = power::switch_on(&choice, args.force, args.crashes, setup.video())?;
    setup.config.planner.crashes = powered.crashes;
    setup.films.check(&powered)?;
    setup.ready(Hosted::No, stop_on_interrupt())?.play_on(powered, None, log)
}
