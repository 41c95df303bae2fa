//! Plays a logged run or a movie on a console: what the commands that read one share.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::anyhow;

use crate::console::flags::OnConsole;
use crate::console::power::{self, Powered};
use crate::console::ram_map;
use crate::console::watched::Watched;
use crate::files::run_files::format_of_read;
use crate::system::failure::Failure;
use crate::system::interrupt::stop_on_interrupt;
use crate::system::paths::is_special;
use crate::system::progress::{Progress, Unit};
use maxout_console::Rom;
use maxout_engine::bot::Flow;
use maxout_engine::console::{Console, Error as ConsoleError};
use maxout_engine::ram::Decoder;
use maxout_formats::fm2::Step;
use maxout_formats::frame_log::LogShape;
use maxout_formats::games::{RecordedGames, play_games, read_games};
use maxout_formats::replay::{MovieResult, ReplayError, play_movie};
use maxout_formats::{FileFormat, Format, InputFile, PlayedStep, Presses};
use maxout_screen::numbers::thousands;

/// The shape of a log, `None` for any other format.
pub(crate) fn shape_of(format: FileFormat) -> Option<LogShape> {
    match format.format {
        Format::Csv => Some(LogShape::Csv),
        Format::JsonLines => Some(LogShape::JsonLines),
        Format::Fm2 | Format::Bk2 | Format::R08 | Format::Ngf => None,
    }
}

/// The frames that a replay takes, as far as that is known before.
fn length(presses: &Presses) -> Option<u64> {
    match presses {
        Presses::Steps(steps) => Some(steps.iter().filter(|step| matches!(step, Step::Frame(_))).count() as u64),
        // There are frames without a poll between them.
        Presses::Polls(_) => None,
    }
}

/// Plays with progress lines; errors with their exit codes.
pub(crate) fn play(
    presses: &Presses,
    powered: &mut Powered,
    decoder: &Decoder,
    past_the_end: u64,
    mut observe: impl FnMut(&PlayedStep<'_>) -> Result<(), ReplayError>,
) -> Result<MovieResult, Failure> {
    play_and_watch(presses, powered, decoder, past_the_end, |step, _| observe(step).map(|()| Flow::Continue))
}

/// The same; `observe` also sees the console, and may stop the replay.
fn play_and_watch(
    presses: &Presses,
    powered: &mut Powered,
    decoder: &Decoder,
    past_the_end: u64,
    mut observe: impl FnMut(&PlayedStep<'_>, &mut dyn Console) -> Result<Flow, ReplayError>,
) -> Result<MovieResult, Failure> {
    let mut progress =
        Progress::new("", Unit::Frames, length(presses).map(|frames| frames.saturating_add(past_the_end)));
    let mut frames = 0;
    let result = play_movie(presses, &mut *powered.console, decoder, past_the_end, |step, console| {
        frames += u64::from(matches!(step, PlayedStep::Frame { .. }));
        progress.at(frames);
        observe(step, console)
    });
    result.map_err(failure)
}

/// A replay that Ctrl-C may have stopped before its end.
pub(crate) struct Stoppable {
    result: MovieResult,
    is_stopped: bool,
}

impl Stoppable {
    /// The result of a replay that came to its end.
    ///
    /// # Errors
    /// When it was stopped: the message says after how many frames, and then `outcome`.
    pub(crate) fn finished(self, outcome: &str) -> Result<MovieResult, Failure> {
        if self.is_stopped {
            let frames = thousands(self.result.frames);
            return Err(Failure::run(anyhow!("stopped after {frames} frames: {outcome}")));
        }
        Ok(self.result)
    }
}

/// As [`play_and_watch`], but Ctrl-C stops the replay, so that the caller can complete its files.
pub(crate) fn play_until_stopped(
    presses: &Presses,
    powered: &mut Powered,
    decoder: &Decoder,
    past_the_end: u64,
    mut observe: impl FnMut(&PlayedStep<'_>, &mut dyn Console) -> Result<Flow, ReplayError>,
) -> Result<Stoppable, Failure> {
    let stop = stop_on_interrupt();
    let mut is_stopped = false;
    let result = play_and_watch(presses, powered, decoder, past_the_end, |step, console| {
        let flow = observe(step, console)?;
        is_stopped = flow == Flow::Continue && stop.load(Ordering::Relaxed);
        Ok(if is_stopped { Flow::Stop } else { flow })
    })?;
    Ok(Stoppable { result, is_stopped })
}

/// The error of a replay with its exit code.
pub(crate) fn failure(error: ReplayError) -> Failure {
    match error {
        ReplayError::Trace(_) | ReplayError::Ram { .. } | ReplayError::NoPoll(_) => Failure::input(error),
        ReplayError::Console(_) | ReplayError::Write(_) | ReplayError::Sink(_) => Failure::run(error),
    }
}

/// Who waits for the games of a movie.
#[derive(Clone, Copy)]
pub(crate) enum Waiting<'a> {
    /// A user, who is shown how far it is. `listens`: a signal asks it to stop; otherwise it ends the program.
    User { listens: bool },
    /// A request; the file is not read on, and the movie not played on, when the flag is set.
    Request(&'a AtomicBool),
}

/// The games of a log, a movie or an NGF file; a movie is played.
pub(crate) fn games(
    path: &Path,
    from: Option<FileFormat>,
    map: Option<&Path>,
    console: &OnConsole,
    waiting: Waiting<'_>,
) -> Result<RecordedGames, Failure> {
    let format = format_of_read(path, from, ".csv, .jsonl, .fm2, .bk2, .r08 or .ngf, or --from FORMAT")?;
    let decoder = ram_map::decoder(map)?;
    power::check(&console.console)?;
    // What comes through a pipe may be waited for, which only the end of the program ends.
    let is_asked = matches!(waiting, Waiting::User { listens: true }) && !is_special(path);
    let by_user = is_asked.then(stop_on_interrupt);
    let is_stopped = || match (waiting, &by_user) {
        (Waiting::Request(stop), _) => stop.load(Ordering::Relaxed),
        (Waiting::User { .. }, stop) => stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed)),
    };
    let stopped = || Failure::run(anyhow!("stopped before the games of {} were read", path.display()));
    if let Some(games) = read_games(path, format, &mut || !is_stopped()).map_err(Failure::input)? {
        return if is_stopped() { Err(stopped()) } else { Ok(games) };
    }
    let mut powered = console.power_on()?;
    let presses = InputFile::open(path, format).map_err(Failure::input)?.presses;
    let mut progress = match waiting {
        Waiting::User { .. } => Some(Progress::new("", Unit::Frames, length(&presses))),
        Waiting::Request(_) => None,
    };
    let before = |frame| {
        if is_stopped() {
            return Err(ConsoleError::Stopped { frame, reason: "it was asked to".to_owned() });
        }
        progress.iter_mut().for_each(|progress| progress.at(frame));
        Ok(())
    };
    play_games(&presses, &mut Watched::new(&mut *powered.console, before), &decoder)
        .map_err(|error| if is_stopped() { stopped() } else { failure(error) })
}

/// A file without a game that can be judged. `other_games`: those of another kind in it.
pub(crate) fn no_game(path: &Path, other_games: u64) -> Failure {
    let also =
        if other_games > 0 { format!(", but {other_games} of another kind (B-type or demo)") } else { String::new() };
    let error = format!("expected an A-type game in which a piece locked, found none{also}");
    Failure::input(anyhow!("{}: {error}", path.display()))
}

/// Warns of a game that does not go on: what was made of it is complete all the same.
pub(crate) fn warn_of_stuck(result: &MovieResult) {
    if let Some(stuck) = result.stuck {
        log::warn!("{stuck}");
    }
}

/// Warns of what differs between the file and its replay.
pub(crate) fn warn_of_differences(input: &InputFile, powered: &Powered) {
    if input.uses_other_gamepads {
        log::warn!("buttons of a second gamepad are pressed in it; they are left out");
    }
    let named = input.provenance.get("md5").map(str::to_owned);
    let md5 = named.or_else(|| {
        let bytes = input.movie.as_ref()?.header.rom_md5;
        Some(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
    });
    let cartridge = Rom::cartridge();
    let rom = powered.rom.as_ref().unwrap_or(&cartridge);
    if md5.is_some_and(|md5| md5 != rom.md5) {
        log::info!("it was made on another ROM than {}", powered.name());
    }
}
