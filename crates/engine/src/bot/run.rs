//! A run: console, snapshot, pilot, one frame at a time.

use std::sync::atomic::{AtomicBool, Ordering};

use super::cheat;
use super::error::{Error, SaveError};
use super::event::Event;
use super::games::{EndedGame, Games};
use super::goal::{Goal, Standing};
use super::outcome::{Finished, Flow, Outcome};
use super::pilot::Pilot;
use super::report::FrameReport;
use super::scored::Scored;
use super::sink::FrameSink;
use super::stuck::Stuck;
use super::tally::Tally;
use super::watchdog::Watchdog;
use crate::clock::Clock;
use crate::console::{Console, Picture, Reset, SavedState, Video};
use crate::gamepad::Buttons;
use crate::planner::PlayerError;
use crate::ram::{Decoder, ImpossibleValue, Phase, RamSnapshot};
use crate::state::{StateError, StateReader, StateWriter, crc32};

/// The first bytes of a saved run: what it is, and the version of its layout. A checksum (CRC-32) of
/// four bytes follows; it covers the rest.
pub const SAVED_RUN: &[u8] = b"maxout run 7\n";

/// A game under way: a console, the pilot that plays on it, and the goal.
///
/// A host calls [`Run::frame`] as often and as fast as it likes. The run never waits, and reads no
/// clock except the one that it is [given](Run::with_clock).
pub struct Run<C = Box<dyn Console>> {
    console: C,
    decoder: Decoder,
    pilot: Pilot,
    watchdog: Watchdog,
    /// The last lock that was scored, if it may crash the game.
    scored: Scored,
    goal: Goal,
    games: Games,
    /// Has the game crashed in the last frame, so that the console is reset before the next?
    restarts: bool,
    clock: Option<Box<dyn Clock>>,
    /// Frames since power-on.
    frames: u64,
    /// Is the picture of the next frame asked for?
    is_picture_asked: bool,
    // The last frame, for its report:
    pokes: Vec<(u16, u8)>,
    picture: Option<Picture>,
    snapshot: Option<RamSnapshot>,
    failure: Option<PlayerError>,
}

impl<C: Console> Run<C> {
    /// A run from the power-on of this console.
    pub fn new(console: C, decoder: Decoder, mut pilot: Pilot, goal: Goal) -> Run<C> {
        pilot.see_scenes(decoder.is_of_the_original());
        pilot.play_on(goal.plays_on());
        Run {
            console,
            watchdog: Watchdog::new(&decoder),
            scored: Scored::new(&decoder),
            decoder,
            pilot,
            goal,
            games: Games::default(),
            restarts: false,
            clock: None,
            frames: 0,
            is_picture_asked: false,
            pokes: Vec::new(),
            picture: None,
            snapshot: None,
            failure: None,
        }
    }

    /// The same run, which measures with this clock how long each plan takes.
    pub fn with_clock(mut self, clock: Box<dyn Clock>) -> Run<C> {
        self.clock = Some(clock);
        self
    }

    /// The console.
    pub fn console(&self) -> &C {
        &self.console
    }

    /// The console, for its picture. Stepping it or writing its RAM disturbs the run.
    pub fn console_mut(&mut self) -> &mut C {
        &mut self.console
    }

    /// Plays for another goal from now on.
    pub fn set_goal(&mut self, goal: Goal) {
        self.goal = goal;
        self.pilot.play_on(goal.plays_on());
    }

    /// The games that are over.
    pub fn games(&self) -> &[EndedGame] {
        self.games.ended()
    }

    /// Frames since power-on.
    pub fn frames(&self) -> u64 {
        self.frames
    }

    /// Asks for the picture of the next frame: its report has it if the console can draw.
    pub fn ask_for_picture(&mut self) {
        self.is_picture_asked = true;
    }

    /// Plays exactly one frame.
    ///
    /// The report says in [`FrameReport::outcome`] whether the run is over. A run that has reached
    /// its goal can still be played on.
    ///
    /// # Errors
    /// When the console fails, or RAM holds a value that the game never writes there; the run
    /// cannot go on then. A failure of the player is in the [report](FrameReport::failure): the
    /// frame was played.
    pub fn frame(&mut self) -> Result<FrameReport<'_>, Error> {
        self.advance(None)
    }

    /// Plays exactly one frame with the buttons of a person in place of the pilot's. The pilot only
    /// watches; in the first frame that it plays again, it plans the piece from where it is.
    ///
    /// # Errors
    /// As for [`Run::frame`].
    pub fn frame_by_hand(&mut self, buttons: Buttons) -> Result<FrameReport<'_>, Error> {
        self.advance(Some(buttons))
    }

    fn advance(&mut self, person: Option<Buttons>) -> Result<FrameReport<'_>, Error> {
        let frame = self.frames;
        let reset = self.restarts.then(|| self.restart());
        let buttons = match person {
            Some(buttons) => self.pilot.give_way(buttons),
            None => self.pilot.buttons(),
        };
        cheat::write(&mut self.console, &self.decoder, self.pilot.ram_write(), &mut self.pokes);
        let is_picture_asked = std::mem::take(&mut self.is_picture_asked);
        if is_picture_asked {
            self.console.set_video(Video::On);
        }
        self.scored.observe(self.console.ram());
        self.console.step(buttons)?;
        let buttons = match self.console.taken_over() {
            Some(buttons) => self.pilot.give_way(buttons),
            None => buttons,
        };
        self.picture = if is_picture_asked { self.console.picture() } else { None };
        let (snapshot, impossible) = match self.decoder.decode(self.console.ram()) {
            Ok(snapshot) => (snapshot, None),
            // The game before the last sample is over; the run is not.
            Err(value) => match self.snapshot.clone().filter(|_| self.can_restart()) {
                Some(snapshot) => (snapshot, Some(Stuck::with_value(frame, &value))),
                None => return Err(self.crash(frame, value)),
            },
        };
        self.frames += 1;
        let jumped = self.console.jumped() || self.console.is_shared() && self.pilot.sees_jump(&snapshot);
        if jumped || self.pilot.is_by_hand() || self.pilot.is_booting() {
            // Nobody knows how long a person stays anywhere, and a jump leads anywhere.
            self.watchdog.restarted();
        }
        if jumped {
            self.pilot.jump();
            self.scored.forget();
        }
        let stuck = self.watchdog.observe(&snapshot, self.console.processor(), self.pilot.menu_frames());
        let stuck = impossible.or(stuck).map(|stuck| self.scored.explain(stuck));
        let before = self.clock.as_ref().map(|clock| clock.now());
        self.failure = self.pilot.observe(frame, snapshot.clone()).err();
        let clock = self.clock.as_ref().filter(|_| self.pilot.events().contains(&Event::Planned));
        let thought = clock.zip(before).map(|(clock, before)| clock.now().saturating_sub(before));
        self.restarts = stuck.is_some() && self.can_restart();
        self.games.observe(frame, self.pilot.events(), stuck, &snapshot, self.pilot.tally());
        let outcome = self.outcome(&snapshot).or(stuck.filter(|_| !self.restarts).map(Outcome::Stuck));
        Ok(FrameReport {
            frame,
            reset,
            buttons,
            pokes: &self.pokes,
            polled: self.console.polled(),
            snapshot: self.snapshot.insert(snapshot),
            plan: self.pilot.plan(),
            events: self.pilot.events(),
            tally: self.pilot.tally(),
            games: self.games.ended(),
            thought,
            picture: self.picture.as_ref(),
            failure: self.failure.as_ref(),
            outcome,
        })
    }

    /// Is another game to be played after a crash of this one, and can the console be reset?
    fn can_restart(&self) -> bool {
        self.goal.plays_on() && self.games.is_under_way() && self.console.resets()
    }

    /// Presses the reset button.
    fn restart(&mut self) -> Reset {
        self.restarts = false;
        self.console.reset(Reset::Button);
        self.pilot.restart();
        self.scored = Scored::new(&self.decoder);
        Reset::Button
    }

    /// A value that the game never writes: a crash once a piece has locked, for then the map has shown
    /// that it is right; before, the map or the ROM may be another.
    fn crash(&self, frame: u64, value: ImpossibleValue) -> Error {
        let stuck = self.scored.explain(Stuck::with_value(frame, &value));
        match self.so_far(Outcome::Stuck(stuck)) {
            Some(so_far) if so_far.tally.pieces > 0 => Error::Crashed { stuck, so_far: Box::new(so_far) },
            _ => Error::Ram { frame, value },
        }
    }

    /// The run up to its last frame, as if it had ended there; `None` before the first.
    pub fn so_far(&self, outcome: Outcome) -> Option<Finished> {
        let snapshot = self.snapshot.clone()?;
        Some(Finished { outcome, frames: self.frames, snapshot, tally: *self.pilot.tally() })
    }

    fn outcome(&self, snapshot: &RamSnapshot) -> Option<Outcome> {
        if self.failure.is_some() {
            return Some(Outcome::Stopped);
        }
        let &RamSnapshot { lines, level, score, .. } = snapshot;
        let (&Tally { pieces, rebirths, .. }, is_topped_out) =
            (self.pilot.tally(), self.pilot.events().contains(&Event::Topout));
        let has_begun = !matches!(snapshot.phase(), Phase::Menu(_) | Phase::Starting);
        let (frames, games) = (self.frames, self.games.ended().len() as u32);
        self.goal.outcome(&Standing { has_begun, frames, pieces, lines, level, rebirths, score, is_topped_out, games })
    }

    /// Plays as fast as it can until the goal, a topout, or a stop.
    ///
    /// Every frame goes to the listeners in their order. `stop` is read after every frame.
    ///
    /// # Errors
    /// When the console, RAM, the player or a listener fails; what listeners have written stays.
    pub fn play(&mut self, sinks: &mut [&mut dyn FrameSink], stop: &AtomicBool) -> Result<Finished, Error> {
        loop {
            if sinks.wants_picture() {
                self.ask_for_picture();
            }
            let report = match self.frame() {
                Err(Error::Crashed { so_far, .. }) => return Ok(*so_far),
                played => played?,
            };
            let is_stopped = stop.load(Ordering::Relaxed);
            let flow = sinks.frame(&report)?;
            if let Some(finished) = report.finish(if is_stopped { Flow::Stop } else { flow })? {
                return Ok(finished);
            }
        }
    }

    /// The whole run as bytes: the console, and the pilot with its plan and its player. The goal, the
    /// clock and the RAM map are left out: they belong to the run that restores the bytes.
    ///
    /// The bytes are for this version of the program; see [`crate::state`].
    ///
    /// # Errors
    /// When the console or the player cannot be saved.
    pub fn save(&self) -> Result<Vec<u8>, SaveError> {
        let mut body = StateWriter::default();
        body.u64(self.frames);
        body.bytes(self.console.save_state()?.bytes());
        self.watchdog.save(&mut body);
        self.games.save(&mut body);
        body.bool(self.restarts);
        self.scored.save(&mut body);
        self.pilot.save(&mut body)?;
        let body = body.into_bytes();
        let mut writer = StateWriter::default();
        writer.raw(SAVED_RUN);
        writer.u32(crc32(&body));
        writer.raw(&body);
        Ok(writer.into_bytes())
    }

    /// Goes to the moment at which [`Run::save`] gave these bytes. The saved run must have a
    /// console of the same kind with the same program in it, and a player of the same name and
    /// settings. From there this run plays on as the saved run did. After an error it is unchanged.
    ///
    /// # Errors
    /// When the bytes are damaged or not a saved run, or when the console or the player refuses its
    /// part.
    pub fn restore(&mut self, saved: &[u8]) -> Result<(), SaveError> {
        let mut reader = StateReader::new(saved);
        if reader.raw(SAVED_RUN.len())? != SAVED_RUN {
            return Err(StateError::new("a saved run", "other bytes").into());
        }
        let (checksum, body) = (reader.u32()?, &saved[SAVED_RUN.len() + 4..]);
        if crc32(body) != checksum {
            return Err(StateError::new("a whole saved run", "bytes that do not match their checksum").into());
        }
        let frames = reader.long_count()?;
        let console = SavedState::from_bytes(reader.bytes()?.to_vec());
        let watchdog = self.watchdog.restored(&mut reader)?;
        let games = Games::restore(&mut reader)?;
        let restarts = reader.bool()?;
        let scored = self.scored.restored(&mut reader)?;
        let before = self.console.save_state()?;
        let restored = match self.console.restore_state(&console) {
            Ok(()) => self.pilot.restore(reader, || self.decoder.decode(self.console.ram())),
            Err(error) => Err(error.into()),
        };
        if let Err(error) = restored {
            self.console.restore_state(&before)?;
            return Err(error);
        }
        self.watchdog = watchdog;
        (self.games, self.restarts) = (games, restarts);
        self.scored = scored;
        self.frames = frames;
        self.snapshot = self.pilot.sample().cloned();
        self.failure = None;
        Ok(())
    }
}
