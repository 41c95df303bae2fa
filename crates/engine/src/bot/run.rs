//! The frame loop: console, snapshot, pilot, listeners.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use super::cheat;
use super::goal::Goal;
use super::pilot::Pilot;
use super::report::{Event, Flow, FrameReport, FrameSink, SinkError, Tally};
use crate::console::{Console, Error as ConsoleError, Video};
use crate::game::PLATEAU;
use crate::planner::PlayerError;
use crate::ram::{Decoder, ImpossibleValue, RamSnapshot};

/// Which game to play, and for how long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields, rename_all = "kebab-case"))]
pub struct Settings {
    /// Level to start from, 0 to 19.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "start_level"))]
    pub start_level: u8,
    /// Chooses the game: how long to wait in the menus.
    pub seed: u64,
    /// When to stop.
    pub until: Goal,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { start_level: PLATEAU, seed: 1, until: Goal::Maxout }
    }
}

#[cfg(feature = "serde")]
fn start_level<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<u8, D::Error> {
    use crate::game::HIGHEST_START_LEVEL;
    use serde::de::Error as _;
    let level: u64 = serde::Deserialize::deserialize(deserializer)?;
    u8::try_from(level)
        .ok()
        .filter(|&level| level <= HIGHEST_START_LEVEL)
        .ok_or_else(|| D::Error::custom(format!("a start level is 0 to {HIGHEST_START_LEVEL}, not {level}")))
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Outcome {
    /// The goal was reached.
    Goal,
    /// The game topped out before it.
    Topout,
    /// The score passed the one that was to be reached.
    Overshoot,
    /// A listener, a signal or a failure of the player stopped it.
    Stopped,
}

/// A finished run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finished {
    /// How it ended.
    pub outcome: Outcome,
    /// Frames since power-on.
    pub frames: u64,
    /// The last sample.
    pub snapshot: RamSnapshot,
    /// Counts of the game.
    pub tally: Tally,
}

/// What breaks a run off.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The console failed.
    #[error(transparent)]
    Console(#[from] ConsoleError),
    /// RAM holds what the game cannot have put there.
    #[error("frame {frame}: {value}; is this the game that the RAM map describes?")]
    Ram {
        /// Frame of the sample.
        frame: u64,
        /// The byte.
        value: ImpossibleValue,
    },
    /// The player cannot go on.
    #[error("{error}")]
    Player {
        /// Why.
        error: PlayerError,
        /// The game up to there.
        so_far: Box<Finished>,
    },
    /// A listener failed.
    #[error(transparent)]
    Sink(#[from] SinkError),
}

/// Runs a console from power-on until the goal, a top-out, or a stop.
///
/// Listeners hear of every frame in the order in which they stand. `stop` is looked at after
/// every frame.
///
/// # Errors
/// When the console, RAM, the player or a listener fails; what listeners have written stays.
pub fn run(
    console: &mut dyn Console,
    decoder: &Decoder,
    pilot: &mut Pilot,
    goal: Goal,
    sinks: &mut [&mut dyn FrameSink],
    stop: &AtomicBool,
) -> Result<Finished, Error> {
    for frame in 0.. {
        let buttons = pilot.buttons();
        let pokes = cheat::write(console, decoder, pilot.write());
        // All of them are asked: a listener may remember what it has said.
        let is_wanted = sinks.iter().fold(false, |wanted, sink| sink.wants_picture() | wanted);
        if is_wanted {
            console.set_video(Video::On);
        }
        console.step(buttons)?;
        let picture = if is_wanted { console.picture() } else { None };
        let snapshot = decoder.decode(console.ram()).map_err(|value| Error::Ram { frame, value })?;
        let before = Instant::now();
        let observed = pilot.observe(frame, snapshot.clone());
        let thought = pilot.events().contains(&Event::Planned).then(|| before.elapsed());
        let report = FrameReport {
            frame,
            buttons,
            pokes: &pokes,
            polled: console.polled(),
            snapshot: &snapshot,
            plan: pilot.plan(),
            events: pilot.events(),
            tally: pilot.tally(),
            thought,
            picture: picture.as_ref(),
        };
        let mut stopped = stop.load(Ordering::Relaxed);
        for sink in sinks.iter_mut() {
            stopped |= sink.frame(&report)? == Flow::Stop;
        }
        // Listeners hear of the frame in which the player failed, too: it was played.
        if let Err(error) = observed {
            let outcome = Outcome::Stopped;
            let so_far = Finished { outcome, frames: frame + 1, snapshot, tally: *pilot.tally() };
            return Err(Error::Player { error, so_far: Box::new(so_far) });
        }
        let outcome = if goal.is_reached(frame + 1, &snapshot, pilot.tally()) {
            Outcome::Goal
        } else if pilot.events().contains(&Event::Topout) {
            if goal == Goal::Topout { Outcome::Goal } else { Outcome::Topout }
        } else if goal.is_missed(&snapshot) {
            Outcome::Overshoot
        } else if stopped {
            Outcome::Stopped
        } else {
            continue;
        };
        return Ok(Finished { outcome, frames: frame + 1, snapshot, tally: *pilot.tally() });
    }
    unreachable!("2^64 frames take ten thousand million years")
}
