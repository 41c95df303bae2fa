//! The games of a run that plays several, one after the other.

use super::event::Event;
use super::stuck::{Cause, Stuck};
use super::tally::Tally;
use crate::ram::RamSnapshot;
use crate::state::{StateError, StateReader, StateWriter};

/// How a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum GameEnd {
    /// It topped out.
    Topout,
    /// It crashed in the frame that scores a lock, which took this long (T).
    Crash {
        /// T, in processor cycles.
        cycles: u32,
    },
    /// It did not go on for another reason.
    Stuck,
}

impl From<Stuck> for GameEnd {
    fn from(stuck: Stuck) -> GameEnd {
        match stuck.cause {
            Cause::Crash { cycles, .. } => GameEnd::Crash { cycles },
            _ => GameEnd::Stuck,
        }
    }
}

impl GameEnd {
    /// `topout`, `crash` or `stuck`.
    pub const fn name(self) -> &'static str {
        match self {
            GameEnd::Topout => "topout",
            GameEnd::Crash { .. } => "crash",
            GameEnd::Stuck => "stuck",
        }
    }
}

/// A game of a run that is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct EndedGame {
    /// How it ended.
    pub end: GameEnd,
    /// The frame since power-on after which its first piece could be moved.
    pub first_frame: u64,
    /// Frames from there to its end.
    pub frames: u64,
    /// Score as the game showed it.
    pub score: u32,
    /// Lines.
    pub lines: u16,
    /// Level.
    pub level: u8,
    /// Counts of the game; desyncs and jumps are those of the run up to its end.
    pub tally: Tally,
}

/// Counts the games of a run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Games {
    ended: Vec<EndedGame>,
    /// The first frame of the game under way.
    first_frame: Option<u64>,
}

impl Games {
    /// The games that are over.
    pub(super) fn ended(&self) -> &[EndedGame] {
        &self.ended
    }

    /// Is a game under way?
    pub(super) fn is_under_way(&self) -> bool {
        self.first_frame.is_some()
    }

    /// Takes the next frame: a game may begin or top out in it, or the program may be stuck.
    pub(super) fn observe(
        &mut self,
        frame: u64,
        events: &[Event],
        stuck: Option<Stuck>,
        snapshot: &RamSnapshot,
        tally: &Tally,
    ) {
        if events.contains(&Event::GameStart) {
            self.first_frame = Some(frame);
        }
        let topout = events.contains(&Event::Topout).then_some(GameEnd::Topout);
        let Some(end) = topout.or(stuck.map(GameEnd::from)) else { return };
        let Some(first_frame) = self.first_frame.take() else { return };
        let &RamSnapshot { score, lines, level, .. } = snapshot;
        let frames = frame - first_frame;
        self.ended.push(EndedGame { end, first_frame, frames, score, lines, level, tally: *tally });
    }

    pub(super) fn save(&self, writer: &mut StateWriter) {
        writer.option(self.first_frame, StateWriter::u64);
        writer.u64(self.ended.len() as u64);
        for game in &self.ended {
            let EndedGame { end, first_frame, frames, score, lines, level, tally } = game;
            let (end, cycles) = match end {
                GameEnd::Topout => (0, 0),
                GameEnd::Crash { cycles } => (1, *cycles),
                GameEnd::Stuck => (2, 0),
            };
            writer.u8(end);
            writer.u32(cycles);
            writer.u64(*first_frame);
            writer.u64(*frames);
            writer.u32(*score);
            writer.u32((*lines).into());
            writer.u8(*level);
            tally.save(writer);
        }
    }

    /// Reads what [`Games::save`] wrote.
    pub(super) fn restore(reader: &mut StateReader<'_>) -> Result<Games, StateError> {
        let first_frame = reader.option(StateReader::long_count)?;
        let count = reader.long_count()?;
        let mut ended = Vec::new();
        // Each takes bytes of its own, so a wrong count ends with an error and not with the memory.
        for _ in 0..count {
            let (end, cycles) = (reader.u8()?, reader.count()?);
            let end = match end {
                0 => GameEnd::Topout,
                1 => GameEnd::Crash { cycles },
                2 => GameEnd::Stuck,
                byte => return Err(StateError::new("the end of a game, 0 to 2", byte.to_string())),
            };
            let (first_frame, frames, score) = (reader.long_count()?, reader.long_count()?, reader.count()?);
            let lines = reader.count()?;
            let lines = u16::try_from(lines).map_err(|_| StateError::new("lines, 0 to 65535", lines.to_string()))?;
            let level = reader.u8()?;
            ended.push(EndedGame { end, first_frame, frames, score, lines, level, tally: Tally::restore(reader)? });
        }
        Ok(Games { ended, first_frame })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ram::sample;

    #[test]
    fn games_are_counted_from_their_start_to_their_end() {
        let snapshot = RamSnapshot { score: 7, lines: 300, level: 31, ..sample::snapshot(|_| ()) };
        let tally = Tally { pieces: 5, ..Tally::default() };
        let mut games = Games::default();
        let stuck = |cause| Some(Stuck { frame: 0, cause });
        let crash = Cause::Crash { level: 31, lines: 300, cycles: 29_597 };
        games.observe(5, &[Event::Topout], None, &snapshot, &tally);
        games.observe(6, &[], stuck(Cause::Processor), &snapshot, &tally);
        assert!(games.ended().is_empty() && !games.is_under_way(), "no game had begun");
        games.observe(10, &[Event::GameStart], None, &snapshot, &tally);
        assert!(games.is_under_way());
        games.observe(17, &[Event::Topout], None, &snapshot, &tally);
        games.observe(18, &[Event::Topout], None, &snapshot, &tally);
        games.observe(20, &[Event::GameStart], None, &snapshot, &tally);
        games.observe(29, &[], stuck(crash), &snapshot, &tally);
        games.observe(40, &[Event::GameStart], None, &snapshot, &tally);
        games.observe(41, &[], stuck(Cause::LeftGame), &snapshot, &tally);
        let found: Vec<_> = games.ended().iter().map(|game| (game.end, game.first_frame, game.frames)).collect();
        let expected = [(GameEnd::Topout, 10, 7), (GameEnd::Crash { cycles: 29_597 }, 20, 9), (GameEnd::Stuck, 40, 1)];
        assert_eq!(found, expected);
        let EndedGame { score, lines, level, tally: counted, .. } = games.ended()[0];
        assert_eq!((score, lines, level, counted), (7, 300, 31, tally));

        let mut writer = StateWriter::default();
        games.observe(50, &[Event::GameStart], None, &snapshot, &tally);
        games.save(&mut writer);
        let bytes = writer.into_bytes();
        let mut reader = StateReader::new(&bytes);
        assert_eq!(Games::restore(&mut reader), Ok(games));
        assert_eq!(reader.end(), Ok(()));
    }
}
