//! Games of NGF files: pieces found in pictures.

mod clock;
mod picture;
mod timing;
mod track;
mod tracker;

use clock::NgfClock;
use tracker::Tracker;

use super::collector::Controlled;
use super::recorded::RecordedGames;
use crate::Error;
use crate::ngf::{NgfReader, NgfRecord};

/// Makes games of the records of an NGF file. It keeps the pieces and not the records between them.
///
/// A file has no buttons, so the frames of its pieces have none, and nothing tells the frame of a lock
/// but the frames around it: in a recording with a record for every frame it is exact, but for a lock
/// that completes rows, where it may be up to three frames off. Frames count from the first record, by
/// the times of the records.
#[derive(Debug, Default)]
pub struct NgfCollector {
    clock: NgfClock,
    last: Option<NgfRecord>,
    frame: Option<u64>,
    tracker: Tracker,
}

impl NgfCollector {
    /// Takes the next record.
    pub fn record(&mut self, record: NgfRecord) {
        let same = self.last.as_ref().is_some_and(|last| NgfRecord { time: last.time, ..record.clone() } == *last);
        let frame = self.clock.frame(record.time, same);
        if self.frame != Some(frame) || !same {
            self.tracker.take(&record, frame);
        }
        (self.frame, self.last) = (Some(frame), Some(record));
    }

    /// The frame of the last record that was taken.
    pub fn frame(&self) -> Option<u64> {
        self.frame
    }

    /// The piece that is under control after that record, if the next piece is known.
    pub fn piece(&self) -> Option<Controlled> {
        self.tracker.piece()
    }

    /// The end of the recording: its games, and what was left out.
    pub fn finish(self) -> RecordedGames {
        self.tracker.finish()
    }
}

/// The games of an NGF file.
///
/// # Errors
/// When the file is malformed.
pub fn read_ngf(records: NgfReader) -> Result<RecordedGames, Error> {
    read_ngf_while(records, &mut || true)
}

/// The same up to the record before which `goes_on` says no.
pub(super) fn read_ngf_while(
    mut records: NgfReader,
    goes_on: &mut dyn FnMut() -> bool,
) -> Result<RecordedGames, Error> {
    let mut games = NgfCollector::default();
    while goes_on()
        && let Some(record) = records.next_record()?
    {
        games.record(record);
    }
    Ok(games.finish())
}
