//! What a run tells about itself, frame by frame, to whoever listens.

use std::time::Duration;

use crate::console::Picture;
use crate::game::MAXOUT;
use crate::gamepad::Buttons;
use crate::planner::Plan;
use crate::ram::{Phase, PlayState, RamSnapshot};

use super::desync::Desync;

/// Something worth a word that happened in a frame.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// The first control frame of a game is next.
    GameStart,
    /// A piece spawned and was planned.
    Planned,
    /// A piece has locked.
    Lock,
    /// Rows were cleared and scored: 1 to 4.
    Clear(u8),
    /// The level went up to this.
    LevelUp(u8),
    /// The score has reached 999,999.
    Maxout,
    /// The game topped out.
    Topout,
    /// RAM differs from what the plan promised.
    Desync(Desync),
}

impl Event {
    /// What two samples in a row tell of a game: all but plans and desyncs, which only the bot
    /// knows. `before` is `None` for the first sample.
    pub fn between(before: Option<&RamSnapshot>, now: &RamSnapshot) -> Vec<Event> {
        let mut events = Vec::new();
        let Some(before) = before else { return events };
        if before.phase() == Phase::Starting && now.phase() == Phase::Falling {
            events.push(Event::GameStart);
        }
        if before.play_state == PlayState::Lock && now.play_state == PlayState::RowCheck {
            events.push(Event::Lock);
        }
        let in_game = before.phase() == Phase::EntryDelay;
        if in_game && now.lines != before.lines {
            events.push(Event::Clear(now.lines.wrapping_sub(before.lines).clamp(1, 4) as u8));
        }
        if in_game && now.level != before.level {
            events.push(Event::LevelUp(now.level));
        }
        if in_game && now.score >= MAXOUT && before.score < MAXOUT {
            events.push(Event::Maxout);
        }
        if now.play_state == PlayState::Curtain && before.play_state != PlayState::Curtain {
            events.push(Event::Topout);
        }
        events
    }
}

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
    /// Frames that differed from their plan's promise.
    pub desyncs: u32,
    /// Frame in which the score first showed 999,999.
    pub maxout_frame: Option<u64>,
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

/// One frame of a run.
#[derive(Debug)]
pub struct FrameReport<'a> {
    /// Number of the frame: the n-th step since power-on, from 0.
    pub frame: u64,
    /// The buttons that were down in it.
    pub buttons: Buttons,
    /// Bytes that were written into RAM before it, with their addresses: none in honest play.
    pub pokes: &'a [(u16, u8)],
    /// Did the game read the gamepad in it? If not, the buttons did nothing.
    pub polled: bool,
    /// RAM at its end.
    pub snapshot: &'a RamSnapshot,
    /// The plan of the falling piece; `None` in menus and after a top-out.
    pub plan: Option<&'a Plan>,
    /// What happened in it.
    pub events: &'a [Event],
    /// Counts so far.
    pub tally: &'a Tally,
    /// How long the plan took that was made in it; `None` where none was made.
    pub thought: Option<Duration>,
    /// What the console drew in it; `None` unless a listener
    /// [wants it](FrameSink::wants_picture) and the console can draw.
    pub picture: Option<&'a Picture>,
}

/// What a listener wants the run to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flow {
    /// Go on.
    Continue,
    /// End the run after this frame.
    Stop,
}

/// Listens to a run. Listening never changes a button.
pub trait FrameSink {
    /// Takes one frame.
    ///
    /// # Errors
    /// When what it writes to is gone; the run ends, and what was written stays.
    fn frame(&mut self, report: &FrameReport<'_>) -> Result<Flow, SinkError>;

    /// Does it want the picture of the frame that comes next? Drawing costs time, so no picture
    /// is drawn that nobody wants.
    fn wants_picture(&self) -> bool {
        false
    }
}

/// A listener that cannot go on.
#[derive(Debug, thiserror::Error)]
#[error("{context}")]
pub struct SinkError {
    /// What was being written, and where.
    pub context: String,
    /// What the system says.
    pub source: std::io::Error,
}
