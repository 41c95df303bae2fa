//! Counts over a game.

use super::dodges::Dodges;
use crate::state::{StateError, StateReader, StateWriter};

/// Counts over a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Tally {
    /// Pieces that locked.
    pub pieces: u32,
    /// Clears of one to four rows.
    pub clears: [u32; 4],
    /// Pieces since the last I piece spawned.
    pub drought: u32,
    /// Frames since the run began that differed from their plan's promise.
    pub desyncs: u32,
    /// Jumps of the console's state since the run began: resets, saved states that were loaded, rewinds.
    /// They are no desyncs.
    pub jumps: u32,
    /// Frames since the run began in which a person pressed the buttons.
    pub by_hand: u64,
    /// Frame in which the score first showed 999,999.
    pub maxout_frame: Option<u64>,
    /// The score without the cap of 999,999: see [`uncapped_score`](super::uncapped_score).
    pub uncapped: u64,
    /// How often the level has gone from 255 to 0.
    pub rebirths: u32,
    /// What kept the game from crashing.
    pub dodges: Dodges,
}

impl Tally {
    /// Lines cleared.
    pub fn lines(&self) -> u32 {
        (1..).zip(self.clears).map(|(rows, count)| rows * count).sum()
    }

    /// Share of the lines that tetrises cleared, 0 to 1; `None` before the first line.
    pub fn tetris_rate(&self) -> Option<f64> {
        let lines = self.lines();
        (lines > 0).then(|| f64::from(4 * self.clears[3]) / f64::from(lines))
    }
}

impl Tally {
    pub(super) fn save(&self, writer: &mut StateWriter) {
        let Tally { pieces, clears, drought, desyncs, jumps, by_hand, maxout_frame, uncapped, rebirths, dodges } =
            *self;
        writer.u32(pieces);
        clears.into_iter().for_each(|count| writer.u32(count));
        writer.u32(drought);
        writer.u32(desyncs);
        writer.u32(jumps);
        writer.u64(by_hand);
        writer.option(maxout_frame, StateWriter::u64);
        writer.u64(uncapped);
        writer.u32(rebirths);
        dodges.save(writer);
    }

    pub(super) fn restore(reader: &mut StateReader<'_>) -> Result<Tally, StateError> {
        let pieces = reader.count()?;
        let mut clears = [0; 4];
        for count in &mut clears {
            *count = reader.count()?;
        }
        let (drought, desyncs) = (reader.count()?, reader.count()?);
        let (jumps, by_hand) = (reader.count()?, reader.long_count()?);
        let (maxout_frame, uncapped) = (reader.option(StateReader::u64)?, reader.long_count()?);
        let (rebirths, dodges) = (reader.count()?, Dodges::restore(reader)?);
        Ok(Tally { pieces, clears, drought, desyncs, jumps, by_hand, maxout_frame, uncapped, rebirths, dodges })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_counted_from_the_clears() {
        let tally = Tally { clears: [3, 2, 1, 5], ..Tally::default() };
        assert_eq!((tally.lines(), tally.tetris_rate()), (30, Some(20.0 / 30.0)));
        assert_eq!((Tally::default().lines(), Tally::default().tetris_rate()), (0, None));
    }

    #[test]
    fn a_tally_survives_saving() {
        let tally = Tally {
            pieces: 1,
            clears: [2, 3, 4, 5],
            drought: 6,
            desyncs: 7,
            jumps: 8,
            by_hand: 9,
            maxout_frame: Some(10),
            uncapped: 11,
            rebirths: 12,
            dodges: Dodges {
                placements: 13,
                pushdowns: 14,
                selects: 15,
                planned_hangs: 16,
                risks: 17,
                hangs: 18,
                nearest: Some(19),
            },
        };
        let mut writer = StateWriter::default();
        tally.save(&mut writer);
        let bytes = writer.into_bytes();
        let mut reader = StateReader::new(&bytes);
        assert_eq!(Tally::restore(&mut reader), Ok(tally));
        assert_eq!(reader.end(), Ok(()));
    }
}
