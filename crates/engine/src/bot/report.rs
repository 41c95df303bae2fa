//! What a run reports of each of its frames.

use std::time::Duration;

use super::error::Error;
use super::event::Event;
use super::games::EndedGame;
use super::outcome::{Finished, Flow, Outcome};
use super::tally::Tally;
use crate::console::{Picture, Reset};
use crate::gamepad::Buttons;
use crate::planner::{Plan, PlayerError};
use crate::ram::RamSnapshot;

/// One frame of a run.
#[derive(Debug)]
pub struct FrameReport<'a> {
    /// Number of the frame: the n-th step since power-on, from 0.
    pub frame: u64,
    /// How the run restarted the console before it, after a game that crashed.
    pub reset: Option<Reset>,
    /// The buttons that were down in it.
    pub buttons: Buttons,
    /// Bytes that were written into RAM before it, with their addresses: none in honest play.
    pub pokes: &'a [(u16, u8)],
    /// Did the game read the gamepad in it? If not, the buttons did nothing.
    pub polled: bool,
    /// RAM at its end.
    pub snapshot: &'a RamSnapshot,
    /// The plan of the falling piece; `None` in menus and after a topout.
    pub plan: Option<&'a Plan>,
    /// What happened in it.
    pub events: &'a [Event],
    /// Counts so far.
    pub tally: &'a Tally,
    /// The games of the run that are over.
    pub games: &'a [EndedGame],
    /// How long the plan took that was made in it; `None` where none was made, and in a run
    /// without a [clock](super::Run::with_clock).
    pub thought: Option<Duration>,
    /// What the console drew in it; `None` unless it was
    /// [asked for](super::Run::ask_for_picture) and the console can draw.
    pub picture: Option<&'a Picture>,
    /// Why the player cannot go on, in the frame in which it failed.
    pub failure: Option<&'a PlayerError>,
    /// How the run ended, in its last frame.
    pub outcome: Option<Outcome>,
}

impl FrameReport<'_> {
    /// The finished run if this is its last frame: if it has an outcome, or if a listener or the
    /// host wants to stop here. `None` when the run goes on.
    ///
    /// # Errors
    /// [`Error::Player`] when the player failed in this frame.
    pub fn finish(&self, flow: Flow) -> Result<Option<Finished>, Error> {
        let stopped = (flow == Flow::Stop).then_some(Outcome::Stopped);
        let Some(outcome) = self.outcome.or(stopped) else { return Ok(None) };
        let finished =
            Finished { outcome, frames: self.frame + 1, snapshot: self.snapshot.clone(), tally: *self.tally };
        match self.failure {
            Some(error) => Err(Error::Player { error: error.clone(), so_far: Box::new(finished) }),
            None => Ok(Some(finished)),
        }
    }
}
