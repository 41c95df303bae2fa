//! The position in a frame of a recording.

use std::path::Path;

use super::error::PositionError;
use super::{ReadPosition, Source};
use crate::frame_log::{LogColumn, LogReader, LogShape};
use crate::games::{Controlled, GameCollector, NgfCollector};
use crate::ngf::NgfReader;
use crate::replay::play_movie;
use crate::{Error, FileFormat, Format, InputFile};
use maxout_engine::bot::Flow;
use maxout_engine::console::Console;
use maxout_engine::ram::Decoder;

/// What a recording shows when the frame is reached.
struct Found {
    wanted: u64,
    /// The piece under control in the frame.
    piece: Option<Controlled>,
    /// Has the frame been seen?
    seen: bool,
    /// The first spawn after it.
    next: Option<u64>,
    frames: u64,
}

impl Found {
    fn new(wanted: u64) -> Found {
        Found { wanted, piece: None, seen: false, next: None, frames: 0 }
    }

    /// Takes the state after a frame; true when nothing more is needed.
    fn take(&mut self, frame: u64, piece: Option<&Controlled>) -> bool {
        self.frames = frame + 1;
        if frame < self.wanted {
            return false;
        }
        if !self.seen {
            (self.seen, self.piece) = (true, piece.cloned());
        } else if let Some(piece) = piece {
            self.next = Some(piece.spawn_frame);
        }
        self.piece.is_some() || self.next.is_some()
    }
}

/// The position of the piece that is under control in a frame.
pub(super) fn read(
    path: &Path,
    format: FileFormat,
    frame: u64,
    console: &mut dyn Console,
    decoder: &Decoder,
) -> Result<ReadPosition, PositionError> {
    let mut found = Found::new(frame);
    match format.format {
        Format::Csv => log(path, LogShape::Csv, &mut found)?,
        Format::JsonLines => log(path, LogShape::JsonLines, &mut found)?,
        Format::Ngf => pictures(path, &mut found)?,
        Format::Fm2 | Format::Bk2 | Format::R08 => {
            let input = InputFile::open(path, format)?;
            let mut games = GameCollector::default();
            let mut played = 0;
            play_movie(&input.presses, console, decoder, 0, |step, _| {
                games.step(step);
                let is_frame = matches!(step, crate::PlayedStep::Frame { .. });
                let is_done = is_frame && found.take(played, games.piece());
                played += u64::from(is_frame);
                Ok(if is_done { Flow::Stop } else { Flow::Continue })
            })?;
        }
    }
    let path = path.to_owned();
    if !found.seen {
        return Err(PositionError::PastTheEnd { path, frame, frames: found.frames });
    }
    let Some(piece) = found.piece else { return Err(PositionError::NoPiece { path, frame, next: found.next }) };
    let position = piece.position;
    let source = Source::Frame { frame, spawn_frame: piece.spawn_frame };
    Ok(ReadPosition {
        piece: Some(position.piece),
        next: Some(position.next),
        level: Some(position.level),
        lines: Some(position.lines),
        score: Some(position.score),
        place: Some(piece.place()),
        falling: Some(piece.falling),
        ..ReadPosition::of(position.playfield, source)
    })
}

fn log(path: &Path, shape: LogShape, found: &mut Found) -> Result<(), Error> {
    let mut log = LogReader::open(path, shape)?;
    let mut games = GameCollector::default();
    let mut frame = 0;
    while let Some((_, row)) = log.next_row()? {
        games.row(&row).map_err(|missing: LogColumn| Error::Content {
            path: path.to_owned(),
            message: format!("expected a log with the column {:?}, found one without it", missing.name()),
        })?;
        if found.take(frame, games.piece()) {
            break;
        }
        frame += 1;
    }
    Ok(())
}

fn pictures(path: &Path, found: &mut Found) -> Result<(), Error> {
    let mut records = NgfReader::open(path)?;
    let mut games = NgfCollector::default();
    while let Some(record) = records.next_record()? {
        games.record(record);
        if found.take(games.frame().unwrap_or(0), games.piece().as_ref()) {
            break;
        }
    }
    Ok(())
}
