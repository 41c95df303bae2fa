//! A console with a ROM in it, and who plays on it: the bot or a person.

use std::fmt;

use crate::options::{AtEnd, Options};
use crate::ram;
use maxout_console::{Emulator, LoadError, Rom};
use maxout_engine::bot::{Error as RunError, Event, Goal, Outcome, Pilot, Run, SaveError};
use maxout_engine::console::{Console, Picture, Reset, Video};
use maxout_engine::gamepad::Buttons;
use maxout_engine::judge::{self, Judge};
use maxout_engine::planner::{self, Search};
use maxout_engine::ram::{Decoder, MapError, Phase, RamMap};
use maxout_engine::state::{StateError, StateReader, StateWriter, crc32};
use maxout_screen::with_plan;

/// Frames for which a person has the gamepad after the last button: two seconds.
const HAND_FRAMES: u32 = 120;

/// Frames from the end of a game to the next one: ten seconds, in which the end can be seen. Chosen
/// by hand, not measured.
const END_FRAMES: u32 = 600;

/// Frames within which the same message is not repeated. With run-ahead a front end goes back by up to
/// 12 frames (RetroArch's most) after every frame, and plays them again: 13 calls for each frame.
const REPEAT_FRAMES: u64 = 16;

/// The first bytes of a state, with the version of its layout. A checksum (CRC-32) of the body follows,
/// then the body's length and the body.
const MAGIC: &[u8] = b"maxout core 2\n";

/// Bytes of every state: with the cartridge 46,690 are used (measured), of which a plan has less than a
/// thousand. Other games of the same board can have 40 KiB of RAM more. The rest is zero.
pub(crate) const STATE_SIZE: usize = 128 * 1024;

/// Why there is no machine, or no state.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    #[error(transparent)]
    Load(#[from] LoadError),
    #[error(transparent)]
    Judge(#[from] judge::Error),
    #[error(transparent)]
    Map(#[from] MapError),
    #[error(transparent)]
    Save(#[from] SaveError),
    #[error(transparent)]
    State(#[from] StateError),
    #[error("the state has {found} bytes, and a state has at most {STATE_SIZE}")]
    TooLong { found: usize },
}

/// Who plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Who {
    /// A bot with this player.
    Bot(&'static str),
    /// A person.
    Person,
}

/// What the bot has not played honestly, since power-on.
#[derive(Debug, Clone, Copy, Default)]
struct Blemishes {
    /// Frames in which a person had the gamepad.
    by_hand: u64,
    /// Bytes of RAM that the front end has written.
    ram_writes: u64,
    /// Frames that differed from the promise of their plan.
    desyncs: u64,
}

impl fmt::Display for Blemishes {
    /// Nothing without any.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counts = [
            (self.by_hand, "frame by hand", "frames by hand"),
            (self.ram_writes, "RAM write", "RAM writes"),
            (self.desyncs, "desync", "desyncs"),
        ];
        let counted: Vec<_> = counts
            .iter()
            .filter(|(count, _, _)| *count > 0)
            .map(|(count, one, many)| format!("{count} {}", if *count == 1 { one } else { many }))
            .collect();
        if counted.is_empty() { Ok(()) } else { write!(f, "; since power-on {}", counted.join(", ")) }
    }
}

/// A console with a ROM in it, switched on.
pub(crate) struct Machine {
    rom: Rom,
    decoder: Decoder,
    options: Options,
    /// The judges that were used: to inflate the net takes time.
    judges: Vec<Judge>,
    run: Run<Emulator>,
    /// Who plays in this run.
    who: Who,
    /// The seed of this game.
    seed: u64,
    /// The seed in the menu when this game began: another one is for the next game.
    menu_seed: u64,
    /// The bot cannot play on: the program has crashed or hangs, or is not known.
    has_given_up: bool,
    /// Frames for which a person still has the gamepad.
    hand_frames: u32,
    /// Frames until the next game, after the end of one.
    until_next: Option<u32>,
    /// Has the end of this game been said?
    is_over: bool,
    /// Has the processor stopped? Then the picture stays, and the console is silent.
    is_stopped: bool,
    blemishes: Blemishes,
    /// Frames played, also those that were undone.
    frames: u64,
    /// The last message, and when it was said.
    said: Option<(String, u64)>,
    messages: Vec<String>,
}

impl Machine {
    /// Switches a console on.
    pub(crate) fn power_on(rom: Rom, options: Options) -> Result<Machine, Error> {
        let decoder = Decoder::new(&RamMap::tetris_ntsc())?;
        let mut messages = Vec::new();
        let has_given_up = !rom.identity.is_known();
        if has_given_up {
            let what = rom.identity.description();
            messages.push(format!("{} is {what}, which the bot cannot play: play by hand", rom.name()));
        }
        let console = console(&rom)?;
        let run = Run::new(console, decoder.clone(), Pilot::onlooker(), options.goal);
        let mut machine = Machine {
            rom,
            decoder,
            seed: options.seed,
            menu_seed: options.seed,
            options,
            judges: Vec::new(),
            run,
            who: Who::Person,
            has_given_up,
            hand_frames: 0,
            until_next: None,
            is_over: false,
            is_stopped: false,
            blemishes: Blemishes::default(),
            frames: 0,
            said: None,
            messages,
        };
        machine.begin(machine.options.seed)?;
        Ok(machine)
    }

    /// Takes other options. Start level and seed are for the next game; another player plays from now on.
    pub(crate) fn set_options(&mut self, options: Options) -> Result<(), Error> {
        let before = std::mem::replace(&mut self.options, options);
        if !self.options.play_with_me {
            self.hand_frames = 0;
        }
        if before.bot != self.options.bot {
            self.has_given_up = !self.rom.identity.is_known();
            (self.is_over, self.until_next) = (false, None);
        }
        if before.goal != self.options.goal {
            // After a topout or a crash no other goal can be reached either.
            if !self.has_given_up && !self.is_topped_out() {
                (self.is_over, self.until_next) = (false, None);
            }
        }
        if before.at_end != self.options.at_end {
            self.wait_for_next(self.is_over || self.has_given_up && self.rom.identity.is_known());
        }
        if before.has_same_bot(&self.options) { Ok(()) } else { self.seat(self.wanted()) }
    }

    fn is_topped_out(&self) -> bool {
        self.decoder.decode(self.run.console().ram()).is_ok_and(|snapshot| snapshot.phase() == Phase::Topout)
    }

    /// The next game begins later if this one has ended and the options say so.
    fn wait_for_next(&mut self, has_ended: bool) {
        self.until_next = (has_ended && self.options.at_end == AtEnd::NextGame).then_some(END_FRAMES);
    }

    /// A reset. With the bot the console is switched off and on, and the game of the seed in the menu
    /// begins; by hand it is the console's reset button.
    pub(crate) fn reset(&mut self) -> Result<(), Error> {
        self.hand_frames = 0;
        (self.is_over, self.until_next) = (false, None);
        self.has_given_up = !self.rom.identity.is_known();
        let is_by_hand = self.wanted() == Who::Person && !self.is_stopped;
        self.is_stopped = false;
        if is_by_hand {
            self.run.console_mut().reset(Reset::Button);
            return Ok(());
        }
        self.begin(self.options.seed)
    }

    /// Power off and on: the game of this seed.
    fn begin(&mut self, seed: u64) -> Result<(), Error> {
        (self.is_over, self.until_next) = (false, None);
        (self.seed, self.menu_seed) = (seed, self.options.seed);
        self.blemishes = Blemishes::default();
        self.said = None;
        let console = console(&self.rom)?;
        let pilot = self.pilot(self.wanted())?;
        self.sit_down(self.wanted(), console, pilot);
        // What was written into the old console's RAM is not for this one.
        ram::show(self.run.console().ram());
        Ok(())
    }

    fn wanted(&self) -> Who {
        if self.options.bot && !self.has_given_up { Who::Bot(self.options.player) } else { Who::Person }
    }

    /// Lets somebody else play, from the console's present state on.
    fn seat(&mut self, who: Who) -> Result<(), Error> {
        let state = self.run.console().save_state().map_err(SaveError::from)?;
        let mut console = console(&self.rom)?;
        console.restore_state(&state).map_err(SaveError::from)?;
        let mut pilot = self.pilot(who)?;
        pilot.lose_track();
        self.sit_down(who, console, pilot);
        Ok(())
    }

    fn sit_down(&mut self, who: Who, console: Emulator, pilot: Pilot) {
        self.run = self.new_run(console, pilot);
        self.who = who;
    }

    fn new_run(&self, console: Emulator, pilot: Pilot) -> Run<Emulator> {
        Run::new(console, self.decoder.clone(), pilot, self.goal())
    }

    /// What the run plays for: the goal, and once that is reached and the bot plays on, the topout. A goal that stays reached would hide that the
    /// game hangs or has crashed.
    fn goal(&self) -> Goal {
        if self.is_over && self.options.at_end == AtEnd::PlayOn { Goal::Topout } else { self.options.goal }
    }

    fn pilot(&mut self, who: Who) -> Result<Pilot, Error> {
        Ok(match who {
            Who::Bot(name) => Pilot::new(Box::new(self.player(name)?), self.options.start_level, self.seed),
            Who::Person => Pilot::onlooker(),
        })
    }

    fn player(&mut self, name: &'static str) -> Result<Search, Error> {
        let known = self.judges.iter().find(|judge| judge.name() == name).cloned();
        let is_new = known.is_none();
        let judge = known.map_or_else(|| judge::by_name(name, None), Ok)?;
        if is_new {
            self.judges.push(judge.clone());
        }
        let Options { input, tap_rate, .. } = self.options;
        let crashes = self.rom.identity.played_with();
        let settings = planner::Settings { input, tap_rate: tap_rate.into(), crashes, ..planner::Settings::default() };
        Ok(Search::new(judge, settings))
    }

    /// Plays a frame; `pad` is what the person presses. The picture, with the plan if that is wanted.
    pub(crate) fn frame(&mut self, pad: Buttons) -> Result<Option<Picture>, Error> {
        if self.until_next == Some(0) {
            self.has_given_up = !self.rom.identity.is_known();
            self.is_stopped = false;
            let is_chosen = self.options.seed != self.menu_seed;
            self.begin(if is_chosen { self.options.seed } else { self.seed.wrapping_add(1) })?;
        }
        self.frames += 1;
        if self.options.bot && self.hand_frames == 0 {
            self.until_next = self.until_next.map(|frames| frames.saturating_sub(1));
        }
        if self.options.play_with_me && self.options.bot && !pad.is_empty() {
            self.hand_frames = HAND_FRAMES;
        }
        if self.wanted() != self.who {
            self.seat(self.wanted())?;
        }
        let taken_over = (self.hand_frames > 0).then_some(pad);
        self.hand_frames = self.hand_frames.saturating_sub(1);
        self.blemishes.by_hand += u64::from(taken_over.is_some() || self.who == Who::Person);
        let picture = match self.who {
            Who::Bot(_) => self.bot_frame(taken_over),
            Who::Person => self.hand_frame(pad),
        };
        ram::show(self.run.console().ram());
        Ok(picture)
    }

    fn hand_frame(&mut self, pad: Buttons) -> Option<Picture> {
        let may_cheat = !self.options.bot;
        let console = self.run.console_mut();
        if may_cheat {
            for (address, value) in ram::written(console.ram()) {
                console.poke(address, value);
                self.blemishes.ram_writes += 1;
            }
        }
        if !self.is_stopped {
            let failed = console.step(pad).err().map(|error| error.to_string());
            let has_crashed = console.processor().is_some_and(|processor| processor.is_stopped);
            let failed = failed.or_else(|| has_crashed.then(|| "the program has crashed the processor".to_owned()));
            if let Some(failed) = failed {
                self.is_stopped = true;
                // After the bot has given up, this is known.
                if !self.options.bot || !self.rom.identity.is_known() {
                    self.say(format!("{failed}; reset to begin again"));
                }
            }
        }
        self.run.console_mut().picture()
    }

    /// A frame of the bot, or of a person who has taken over for a while.
    fn bot_frame(&mut self, taken_over: Option<Buttons>) -> Option<Picture> {
        self.run.set_goal(self.goal());
        self.run.ask_for_picture();
        let played = match taken_over {
            Some(buttons) => self.run.frame_by_hand(buttons),
            None => self.run.frame(),
        };
        match played {
            Ok(report) => {
                let picture = report.picture.map(|picture| match report.plan {
                    Some(plan) if self.options.overlay => with_plan(picture, report.snapshot, plan),
                    _ => picture.clone(),
                });
                let failure = report.failure.map(ToString::to_string);
                let outcome = report.outcome;
                let desyncs = report.events.iter().filter(|event| matches!(event, Event::Desync(_))).count();
                self.blemishes.desyncs += desyncs as u64;
                if report.events.contains(&Event::GameStart) {
                    (self.is_over, self.until_next) = (false, None);
                }
                let is_end = !self.is_over || failure.is_some() || matches!(outcome, Some(Outcome::Stuck(_)));
                if let Some(outcome) = outcome.filter(|_| is_end) {
                    self.end(outcome, failure);
                }
                picture
            }
            Err(error) => {
                self.is_stopped = matches!(error, RunError::Console(_));
                self.give_up(&error.to_string());
                self.run.console_mut().picture()
            }
        }
    }

    /// The game is over, or has reached its goal.
    fn end(&mut self, outcome: Outcome, failure: Option<String>) {
        match (outcome, failure) {
            (Outcome::Stuck(stuck), _) => return self.give_up(&stuck.to_string()),
            (_, Some(failure)) => return self.give_up(&failure),
            (outcome, None) => {
                let result = self.options.goal.result(outcome);
                self.say(format!("{result}, seed {}{}", self.seed, self.blemishes));
            }
        }
        self.is_over = true;
        self.wait_for_next(true);
    }

    /// The bot stops. The console runs on.
    fn give_up(&mut self, why: &str) {
        self.has_given_up = true;
        self.wait_for_next(true);
        let is_next = self.until_next.is_some();
        let then = if is_next { "the next game begins in ten seconds" } else { "reset to begin again" };
        self.say(format!("{why}; {then}"));
    }

    fn say(&mut self, text: String) {
        let is_repeated =
            self.said.as_ref().is_some_and(|(said, frame)| *said == text && self.frames - frame <= REPEAT_FRAMES);
        self.said = Some((text.clone(), self.frames));
        if !is_repeated {
            self.messages.push(text);
        }
    }

    /// What is to be shown to the person since this was last asked.
    pub(crate) fn messages(&mut self) -> Vec<String> {
        std::mem::take(&mut self.messages)
    }

    /// The sound of the last frame.
    pub(crate) fn sound(&self) -> &[f32] {
        if self.is_stopped { &[] } else { self.run.console().sound() }
    }

    /// Everything needed to go on from here.
    pub(crate) fn save(&self) -> Result<Vec<u8>, Error> {
        let mut writer = StateWriter::default();
        writer.bytes(self.rom.sha1.as_bytes());
        writer.u64(self.seed);
        writer.u64(self.menu_seed);
        let Blemishes { by_hand, ram_writes, desyncs } = self.blemishes;
        [by_hand, ram_writes, desyncs].into_iter().for_each(|count| writer.u64(count));
        writer.u32(self.hand_frames);
        writer.option(self.until_next, StateWriter::u32);
        for flag in [self.has_given_up, self.is_over, self.is_stopped] {
            writer.bool(flag);
        }
        let player = match self.who {
            Who::Bot(name) => Some(name.as_bytes()),
            Who::Person => None,
        };
        writer.option(player, StateWriter::bytes);
        writer.bytes(&self.run.save()?);
        let body = writer.into_bytes();
        let mut writer = StateWriter::default();
        writer.raw(MAGIC);
        writer.u32(crc32(&body));
        writer.bytes(&body);
        let bytes = writer.into_bytes();
        if bytes.len() > STATE_SIZE { Err(Error::TooLong { found: bytes.len() }) } else { Ok(bytes) }
    }

    /// Goes to the moment at which [`Machine::save`] gave these bytes; more bytes may follow. After an
    /// error nothing has changed.
    pub(crate) fn restore(&mut self, saved: &[u8]) -> Result<(), Error> {
        let mut reader = StateReader::new(saved);
        if reader.raw(MAGIC.len())? != MAGIC {
            return Err(StateError::new("a state of this core", "other bytes").into());
        }
        let (checksum, body) = (reader.u32()?, reader.bytes()?);
        if crc32(body) != checksum {
            return Err(StateError::new("a whole state", "bytes that do not match their checksum").into());
        }
        let mut reader = StateReader::new(body);
        if reader.bytes()? != self.rom.sha1.as_bytes() {
            return Err(StateError::new("a state of the same ROM", "one of another ROM").into());
        }
        let (seed, menu_seed) = (reader.u64()?, reader.u64()?);
        let blemishes = Blemishes {
            by_hand: reader.long_count()?,
            ram_writes: reader.long_count()?,
            desyncs: reader.long_count()?,
        };
        let hand_frames = reader.u32()?;
        let until_next = reader.option(StateReader::u32)?;
        let (has_given_up, is_over, is_stopped) = (reader.bool()?, reader.bool()?, reader.bool()?);
        let who = match reader.option(StateReader::bytes)? {
            None => Who::Person,
            Some(saved) => {
                let name = judge::NAMES.iter().find(|name| name.as_bytes() == saved);
                Who::Bot(name.ok_or_else(|| StateError::new("a player of this version", "another one"))?)
            }
        };
        let run = reader.bytes()?;
        if who == self.who {
            self.run.restore(run)?;
        } else {
            // The bytes fit only a run with the same player.
            let pilot = self.pilot(who)?;
            let mut other = self.new_run(console(&self.rom)?, pilot);
            other.restore(run)?;
            (self.run, self.who) = (other, who);
        }
        (self.seed, self.menu_seed, self.blemishes) = (seed, menu_seed, blemishes);
        self.hand_frames = if self.options.play_with_me { hand_frames.min(HAND_FRAMES) } else { 0 };
        self.until_next = until_next.map(|frames| frames.min(END_FRAMES));
        (self.has_given_up, self.is_over, self.is_stopped) = (has_given_up, is_over, is_stopped);
        ram::show(self.run.console().ram());
        Ok(())
    }
}

/// A console with picture and sound.
fn console(rom: &Rom) -> Result<Emulator, LoadError> {
    Ok(Emulator::with_video(rom, Video::On)?.with_sound())
}

#[cfg(test)]
mod tests {
    use maxout_engine::game::memory::address::FRAME_COUNTER;

    use super::*;

    #[test]
    fn a_game_that_hangs_after_its_goal_is_noticed() {
        let options =
            Options { player: "el-tetris", goal: Goal::Pieces(2), at_end: AtEnd::PlayOn, ..Options::default() };
        let mut machine = Machine::power_on(Rom::cartridge(), options).expect("the cartridge");
        let frame = |machine: &mut Machine| machine.frame(Buttons::NONE).map(drop).expect("a frame");
        while !machine.is_over {
            frame(&mut machine);
            assert!(machine.frames < 3_000);
        }
        assert_eq!(machine.messages(), ["pieces:2 reached, seed 1"]);
        // No further message comes while it plays on, also after a state was loaded.
        let saved = machine.save().expect("saved");
        machine.restore(&saved).expect("restored");
        (0..200).for_each(|_| frame(&mut machine));
        assert!(machine.messages().is_empty() && !machine.has_given_up);
        // A frame counter that stands still is a hang.
        let counter = machine.run.console().ram()[FRAME_COUNTER];
        for _ in 0..200 {
            machine.run.console_mut().poke(FRAME_COUNTER as u16, counter);
            if !machine.has_given_up {
                frame(&mut machine);
            }
        }
        assert!(machine.has_given_up);
        let said = machine.messages();
        assert!(said.len() == 1 && said[0].contains("frame counter"), "{said:?}");
    }
}
