//! The buttons of a movie or a log on a console, from power-on to some frames past their end.

use serde::Serialize;

use super::error::ReplayError;
use crate::Presses;
use crate::fm2::Step;
use crate::played::PlayedStep;
use maxout_engine::bot::{Flow, Stuck, Watchdog, uncapped_score};
use maxout_engine::console::{Console, Reset};
use maxout_engine::game::MAXOUT;
use maxout_engine::gamepad::Buttons;
use maxout_engine::ram::{Decoder, GameModeState, Phase, PlayState, RamSnapshot};

/// The first frame whose score is 999,999.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct FirstMaxout {
    /// The frame.
    pub frame: u64,
    /// Lines then.
    pub lines: u16,
    /// Level then.
    pub level: u8,
}

/// The result of a replay. Frames count from the first power-on, from 0.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MovieResult {
    /// Frames played, those past the movie's end included.
    pub frames: u64,
    /// Those of the movie.
    pub movie_frames: u64,
    /// Games that began.
    pub games: u32,
    /// First frame at whose end a game runs.
    pub first_game_frame: Option<u64>,
    /// The sample that first shows 999,999.
    pub maxout: Option<FirstMaxout>,
    /// Frame in which the first curtain begins.
    pub topout_frame: Option<u64>,
    /// The score without the cap at the end.
    pub uncapped: u64,
    /// Where and why the game did not go on, the first time.
    #[serde(skip)]
    pub stuck: Option<Stuck>,
    /// The last sample.
    #[serde(skip)]
    pub snapshot: RamSnapshot,
}

/// Frames in a row without a poll after which the replay gives up: one minute. The game itself
/// does not poll for a few frames while it draws a screen, so a minute means another game. Chosen
/// by hand, not measured.
const MAX_UNPOLLED: u64 = 3600;

/// The place of a replay in its presses.
#[derive(Debug)]
pub struct PressCursor<'a> {
    presses: &'a Presses,
    next: usize,
    unpolled: u64,
}

impl PressCursor<'_> {
    /// Before the first of these.
    pub fn new(presses: &Presses) -> PressCursor<'_> {
        PressCursor { presses, next: 0, unpolled: 0 }
    }

    /// The next step; an entry for a poll stays until it has been polled.
    pub fn step(&self) -> Option<Step> {
        match self.presses {
            Presses::Steps(steps) => steps.get(self.next).copied(),
            Presses::Polls(entries) => entries.get(self.next).copied().map(Step::Frame),
        }
    }

    /// Is there a reset among the steps that are left?
    fn resets_later(&self) -> bool {
        match self.presses {
            Presses::Steps(steps) => {
                steps[self.next..].iter().any(|step| matches!(step, Step::Reset | Step::PowerCycle))
            }
            Presses::Polls(_) => false,
        }
    }

    /// Moves on after a reset.
    pub fn booted(&mut self) {
        self.next += 1;
    }

    /// Moves on after a frame; gives the buttons that count as pressed in it.
    ///
    /// # Errors
    /// When the next entry waits for a poll that does not come.
    pub fn played(&mut self, buttons: Buttons, polled: bool) -> Result<Buttons, ReplayError> {
        if polled || matches!(self.presses, Presses::Steps(_)) {
            self.next += 1;
            self.unpolled = 0;
            return Ok(buttons);
        }
        self.unpolled += 1;
        if self.unpolled == MAX_UNPOLLED { Err(ReplayError::NoPoll(MAX_UNPOLLED)) } else { Ok(Buttons::NONE) }
    }
}

/// Plays buttons from power-on, and then up to `past_the_end` frames without a button: a movie may
/// end before its last piece has landed. A topout, a game that does not go on, or a score that is cleared ends the replay
/// there. `observe` gets every step, may take the console's picture of it, and may stop the replay.
///
/// # Errors
/// When the console or the observer fails, RAM holds a value that the game never writes there before a
/// piece has locked, or entries for polls are left and the game no longer polls.
pub fn play_movie(
    presses: &Presses,
    console: &mut dyn Console,
    decoder: &Decoder,
    past_the_end: u64,
    mut observe: impl FnMut(&PlayedStep<'_>, &mut dyn Console) -> Result<Flow, ReplayError>,
) -> Result<MovieResult, ReplayError> {
    let decode =
        |frame, console: &dyn Console| decoder.decode(console.ram()).map_err(|value| ReplayError::Ram { frame, value });
    let snapshot = decode(0, console)?;
    let mut result = MovieResult {
        frames: 0,
        movie_frames: 0,
        games: 0,
        first_game_frame: None,
        maxout: None,
        topout_frame: None,
        uncapped: snapshot.score.into(),
        stuck: None,
        snapshot,
    };
    let mut watchdog = Watchdog::new(decoder);
    let mut cursor = PressCursor::new(presses);
    let mut idle = 0;
    // Once a piece has locked, the map has shown that it is right.
    let mut locked = false;
    let mut in_game = false;
    loop {
        let step = cursor.step();
        let buttons = match step {
            Some(Step::Frame(buttons)) => buttons,
            Some(Step::Reset | Step::PowerCycle) => {
                let power = step == Some(Step::PowerCycle);
                console.reset(if power { Reset::Power } else { Reset::Button });
                watchdog.restarted();
                cursor.booted();
                if observe(if power { &PlayedStep::PowerCycle } else { &PlayedStep::Reset }, console)? == Flow::Stop {
                    return Ok(result);
                }
                continue;
            }
            None if idle < past_the_end && result.topout_frame.is_none() && result.stuck.is_none() => Buttons::NONE,
            None => return Ok(result),
        };
        console.step(buttons)?;
        let frame = result.frames;
        let polled = console.polled();
        let buttons = if step.is_some() { cursor.played(buttons, polled)? } else { buttons };
        idle += u64::from(step.is_none());
        let snapshot = match decode(frame, console) {
            Err(ReplayError::Ram { frame, value }) if locked => {
                result.stuck.get_or_insert(Stuck::with_value(frame, &value));
                if !cursor.resets_later() {
                    return Ok(result);
                }
                // A run of several games is reported in the same way: the last sample stands for this one.
                result.snapshot.clone()
            }
            decoded => decoded?,
        };
        // A B-type game that is won ends by itself, and its score is cleared.
        if step.is_none() && snapshot.score < result.snapshot.score {
            return Ok(result);
        }
        let before = std::mem::replace(&mut result.snapshot, snapshot);
        locked |= before.play_state == PlayState::Lock && result.snapshot.play_state == PlayState::RowCheck;
        result.uncapped = uncapped_score(result.uncapped, Some(&before), &result.snapshot);
        result.stuck = result.stuck.or(watchdog.observe(&result.snapshot, console.processor(), None));
        result.frames += 1;
        result.movie_frames += u64::from(step.is_some());
        note(&mut result, frame, &mut in_game);
        if observe(&PlayedStep::Frame { buttons, polled, writes: &[], snapshot: &result.snapshot }, console)?
            == Flow::Stop
        {
            return Ok(result);
        }
    }
}

/// Notes what the last sample shows first; `in_game`: has a piece of the present game fallen?
fn note(result: &mut MovieResult, frame: u64, in_game: &mut bool) {
    let snapshot = &result.snapshot;
    match snapshot.phase() {
        Phase::Falling if snapshot.game_mode_state > GameModeState::SetUp => {
            result.first_game_frame.get_or_insert(frame);
            result.games += u32::from(!*in_game);
            *in_game = true;
        }
        Phase::Menu(_) | Phase::Starting | Phase::Topout => *in_game = false,
        Phase::Falling | Phase::EntryDelay | Phase::Paused => {}
    }
    if snapshot.score >= MAXOUT {
        result.maxout.get_or_insert(FirstMaxout { frame, lines: snapshot.lines, level: snapshot.level });
    }
    if snapshot.play_state == PlayState::Curtain {
        result.topout_frame.get_or_insert(frame);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use maxout_engine::console::Simulated;
    use maxout_engine::ram::RamMap;

    #[test]
    fn an_entry_for_a_poll_waits_until_it_is_polled() {
        let entries = Presses::Polls(vec![Buttons::A, Buttons::B, Buttons::UP]);
        let decoder = Decoder::new(&RamMap::tetris_ntsc()).unwrap();
        let mut seen = Vec::new();
        let result = play_movie(&entries, &mut Simulated::power_on(), &decoder, 0, |step, _| {
            let PlayedStep::Frame { buttons, polled, snapshot, .. } = step else { return Ok(Flow::Continue) };
            seen.push((*buttons, *polled));
            assert!(!polled || snapshot.held_buttons == *buttons);
            Ok(Flow::Continue)
        });
        // The boot polls in its frames 3, 5 and on.
        let none = (Buttons::NONE, false);
        let expected = [none, none, none, (Buttons::A, true), none, (Buttons::B, true), (Buttons::UP, true)];
        assert_eq!(seen, expected);
        assert_eq!(result.unwrap().frames, 7);
    }

    #[test]
    fn a_game_that_is_left_for_the_title_screen_counts() {
        let decoder = Decoder::new(&RamMap::tetris_ntsc()).unwrap();
        let start = |frame: u32| if frame.is_multiple_of(20) { Buttons::START } else { Buttons::NONE };
        let combination = Buttons::A | Buttons::B | Buttons::SELECT | Buttons::START;
        // Every second Start ends a pause. The game runs when it is left: nothing resets a paused one.
        let one_game = || (0..910).map(start).chain([combination; 4]).map(Step::Frame);
        let presses = Presses::Steps(one_game().chain(one_game()).collect());
        let result = play_movie(&presses, &mut Simulated::power_on(), &decoder, 0, |_, _| Ok(Flow::Continue)).unwrap();
        assert_eq!((result.games, result.topout_frame), (2, None));
    }

    #[test]
    fn entries_for_polls_do_not_wait_for_ever() {
        let polls = Presses::Polls(vec![Buttons::A; 2]);
        let mut cursor = PressCursor::new(&polls);
        let wait = |cursor: &mut PressCursor<'_>| (1..MAX_UNPOLLED).all(|_| cursor.played(Buttons::A, false).is_ok());
        assert!(wait(&mut cursor), "a poll may be late");
        assert!(cursor.played(Buttons::A, true).is_ok());
        assert!(wait(&mut cursor), "they are counted anew");
        let error = cursor.played(Buttons::A, false).unwrap_err().to_string();
        assert!(error.contains("found 3600 frames in a row"), "{error}");
        let steps = Presses::Steps(vec![Step::Frame(Buttons::A); 2]);
        let mut cursor = PressCursor::new(&steps);
        assert!((0..2 * MAX_UNPOLLED).all(|_| cursor.played(Buttons::A, false).is_ok()));
    }
}
