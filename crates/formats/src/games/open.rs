//! The games of a file.

use std::path::Path;

use super::collector::GameCollector;
use super::ngf::read_ngf_while;
use super::recorded::RecordedGames;
use crate::fm2::Step;
use crate::frame_log::{LogReader, LogShape};
use crate::ngf::NgfReader;
use crate::replay::{ReplayError, play_movie};
use crate::{Error, FileFormat, Format, InputFile, PlayedStep, Presses};
use maxout_engine::bot::Flow;
use maxout_engine::console::Console;
use maxout_engine::gamepad::Buttons;
use maxout_engine::ram::Decoder;

/// Frames that are played past the end of a movie that was cut at its last press, so that its last piece
/// locks. A piece takes at most 20 rows of 48 frames; half a minute is more.
const PAST_THE_END: u64 = 1800;

/// Buttons that bring a piece elsewhere. Down is held for half of the frames of many games, so that any recording may end
/// with it.
const MOVES: Buttons = Buttons::LEFT.with(Buttons::RIGHT).with(Buttons::A).with(Buttons::B);

/// The games of a log, a movie or an NGF file. A movie is played on `console`, which has just been
/// switched on; other files leave it alone.
///
/// # Errors
/// When the file cannot be read or is malformed, or the console fails.
pub fn open_games(
    path: &Path,
    format: FileFormat,
    console: &mut dyn Console,
    decoder: &Decoder,
) -> Result<RecordedGames, ReplayError> {
    match format.format {
        Format::Fm2 | Format::Bk2 | Format::R08 => {
            play_games(&InputFile::open(path, format)?.presses, console, decoder)
        }
        Format::Csv | Format::JsonLines | Format::Ngf => {
            Ok(read_games(path, format, &mut || true)?.unwrap_or_default())
        }
    }
}

/// The games of a log or an NGF file; `None` of a movie, which must be played. `goes_on` is asked before each
/// row: when it says no, the games are those of the rows until then.
///
/// # Errors
/// When the file cannot be read or is malformed.
pub fn read_games(
    path: &Path,
    format: FileFormat,
    goes_on: &mut dyn FnMut() -> bool,
) -> Result<Option<RecordedGames>, Error> {
    let shape = match format.format {
        Format::Csv => LogShape::Csv,
        Format::JsonLines => LogShape::JsonLines,
        Format::Ngf => return read_ngf_while(NgfReader::open(path)?, goes_on).map(Some),
        Format::Fm2 | Format::Bk2 | Format::R08 => return Ok(None),
    };
    read_log(LogReader::open(path, shape)?, path, goes_on).map(Some)
}

/// The games of a log; errors show `path`.
fn read_log(mut log: LogReader, path: &Path, goes_on: &mut dyn FnMut() -> bool) -> Result<RecordedGames, Error> {
    let mut games = GameCollector::default();
    while goes_on()
        && let Some((_, row)) = log.next_row()?
    {
        games.row(&row).map_err(|missing| Error::Content {
            path: path.to_owned(),
            message: format!("expected a log with the column {:?}, found one without it", missing.name()),
        })?;
    }
    Ok(games.finish())
}

/// The games that these presses play on a console that has just been switched on.
///
/// As in a log, a piece that has not locked at the end is none: nobody has finished playing it. But a movie whose
/// last frame shifts or turns a piece was cut at its last press, as those of tool-assisted play are, and is played on until
/// that piece locks.
///
/// # Errors
/// As [`play_movie`].
pub fn play_games(
    presses: &Presses,
    console: &mut dyn Console,
    decoder: &Decoder,
) -> Result<RecordedGames, ReplayError> {
    let mut games = GameCollector::default();
    let mut left = match presses {
        Presses::Steps(steps) => steps.len(),
        Presses::Polls(entries) => entries.len(),
    };
    let past_the_end = if ends_with_a_move(presses) { PAST_THE_END } else { 0 };
    play_movie(presses, console, decoder, past_the_end, |step, _| {
        let takes_entry = match (presses, step) {
            (Presses::Polls(_), PlayedStep::Frame { polled, .. }) => *polled,
            (Presses::Polls(_), _) => false,
            (Presses::Steps(_), _) => true,
        };
        let is_past = left == 0;
        left = left.saturating_sub(usize::from(takes_entry));
        let spawn_before = games.piece().map(|piece| piece.spawn_frame);
        games.step(step);
        // Nobody plays the pieces that spawn past the end.
        let spawn = games.piece().map(|piece| piece.spawn_frame);
        let is_done = is_past && (spawn > spawn_before || spawn.is_none() && !games.is_in_game());
        Ok(if is_done { Flow::Stop } else { Flow::Continue })
    })?;
    Ok(games.finish())
}

fn ends_with_a_move(presses: &Presses) -> bool {
    let last = match presses {
        Presses::Steps(steps) => match steps.last() {
            Some(Step::Frame(buttons)) => Some(*buttons),
            _ => None,
        },
        Presses::Polls(entries) => entries.last().copied(),
    };
    last.is_some_and(|buttons| buttons.intersects(MOVES))
}
