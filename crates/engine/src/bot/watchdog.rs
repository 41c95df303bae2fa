//! The watchdog: does the program in the console still run a game?

use super::stuck::{Cause, Stuck};
use crate::console::Processor;
use crate::game::ROWS;
use crate::game::memory::address::name;
use crate::game::timing::{FIRST_PIECE_HOLD, frames_per_row};
use crate::ram::{Decoder, Phase, PlayState, RamSnapshot};
use crate::state::{StateError, StateReader, StateWriter};

/// Frames for which the frame counter may keep its value: two seconds, chosen by hand. The longest
/// time in the recordings of the original is one frame, in which a screen is drawn without the
/// interrupt.
const STILL_COUNTER: u64 = 120;

/// Frames beyond the expected ones after which menus that lead to no game end the run, and after which
/// a counter must have moved for the first time: a minute, for programs that begin with something
/// else. Chosen by hand, not measured.
const MENU_PATIENCE: u64 = 3_600;

/// Frames for which the first piece hangs unless Down is pressed.
const FIRST_HANG: u64 = 0x100 - FIRST_PIECE_HOLD as u64;
/// Frames in which a piece at level 0 falls from the top row to the bottom and does not drop any more.
const SLOWEST_FALL: u64 = ROWS as u64 * frames_per_row(0) as u64;
/// Frames from a lock to the next spawn: 18 for a lock in the top rows, and 20 for a clear.
const LONGEST_ENTRY_DELAY: u64 = 18 + 20;
/// With Left, Right and Down held together every second frame has no play update.
const HALF_SPEED: u64 = 2;
/// From level 161 on the original can draw sprites until the low byte of the frame counter is 255.
const LONGEST_HANG: u64 = 255;
/// The longest time from one lock to the next, pauses left out: 2,443 frames. Nothing that is pressed
/// makes it longer: a piece never rises, and rotating does not keep it from falling.
const LONGEST_PIECE: u64 = HALF_SPEED * (FIRST_HANG + SLOWEST_FALL + LONGEST_ENTRY_DELAY) + LONGEST_HANG;

/// The game's stack pointer stays above this. In the full recordings of the original nothing below
/// `$01E8` is used; half the page leaves room for other programs.
const LOWEST_STACK_POINTER: u8 = 0x80;

/// Where a game is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Before a game.
    Menus,
    /// In a game that is not over.
    Game,
    /// After a topout, or an ending.
    Over,
}

/// Sees every frame of a run or a replay, and says when the program in the console has crashed or
/// hangs. In a game that goes on it says nothing, whatever is pressed.
#[derive(Debug, Clone)]
pub struct Watchdog {
    /// Does the RAM map have a frame counter?
    has_counter: bool,
    /// What the last frames showed; none at power-on.
    seen: Option<Seen>,
    /// Frames before that one.
    frames: u64,
}

/// What the last frames showed.
#[derive(Debug, Clone, Copy)]
struct Seen {
    counter: u16,
    /// Has the counter moved since power-on?
    counts: bool,
    /// Frames for which the counter has kept its value.
    still: u64,
    place: Place,
    play_state: PlayState,
    /// Frames since the place changed or a piece locked.
    waited: u64,
}

impl Watchdog {
    /// At power-on of a console whose RAM this decodes.
    pub fn new(decoder: &Decoder) -> Watchdog {
        Watchdog { has_counter: !decoder.missing().contains(&name::FRAME_COUNTER), seen: None, frames: 0 }
    }

    /// The console was reset or switched off and on.
    pub fn restarted(&mut self) {
        self.seen = None;
    }

    /// Takes the next frame. `menu_frames` is how long the one who plays expects to be in the menus;
    /// `None` for somebody who may stay in menus and pauses as long as they like.
    pub fn observe(
        &mut self,
        snapshot: &RamSnapshot,
        processor: Option<Processor>,
        menu_frames: Option<u64>,
    ) -> Option<Stuck> {
        let frame = self.frames;
        self.frames += 1;
        let is_bot = menu_frames.is_some();
        let phase = snapshot.phase();
        let before = self.seen.map(|seen| seen.place);
        let place = match phase {
            Phase::Menu(_) | Phase::Starting => Place::Menus,
            Phase::Topout if !is_bot || snapshot.play_state == PlayState::Curtain => Place::Over,
            Phase::Topout if matches!(before, None | Some(Place::Over)) => Place::Over,
            Phase::Falling | Phase::EntryDelay | Phase::Paused | Phase::Topout => Place::Game,
        };
        let &RamSnapshot { play_state, frame_counter: counter, .. } = snapshot;
        let mut now = Seen { counter, counts: false, still: 0, place, play_state, waited: 0 };
        if let Some(seen) = self.seen {
            let is_still = counter == seen.counter;
            now.counts = seen.counts || !is_still;
            now.still = if is_still { seen.still + 1 } else { 0 };
            let locked = seen.play_state == PlayState::Lock && play_state == PlayState::RowCheck;
            let may_wait = phase == Phase::Paused && !is_bot;
            now.waited = if place != seen.place || locked || may_wait { 0 } else { seen.waited + 1 };
        }
        self.seen = Some(now);
        // In a game the counter must move; before, the program may begin with something else.
        let still_limit = if now.counts || place == Place::Game { STILL_COUNTER } else { MENU_PATIENCE };
        let left_game = is_bot && before == Some(Place::Game) && place == Place::Menus;
        let cause = match processor {
            Some(Processor { is_stopped: true, .. }) => Some(Cause::Processor),
            // A console that was just switched on has not set its stack pointer.
            // A program in a game has done so, with a frame counter or without one.
            Some(Processor { stack_pointer: pointer, .. })
                if (now.counts || before == Some(Place::Game)) && pointer < LOWEST_STACK_POINTER =>
            {
                Some(Cause::Stack { pointer })
            }
            _ if left_game => Some(Cause::LeftGame),
            _ if self.has_counter && now.still >= still_limit => Some(Cause::FrameCounter { frames: now.still }),
            _ => match place {
                Place::Menus if menu_frames.is_some_and(|menus| now.waited >= menus + MENU_PATIENCE) => {
                    Some(Cause::NoGame { frames: now.waited + 1 })
                }
                Place::Game if now.waited > LONGEST_PIECE => Some(Cause::NoLock { frames: now.waited }),
                Place::Menus | Place::Game | Place::Over => None,
            },
        };
        cause.map(|cause| Stuck { frame, cause })
    }

    pub(super) fn save(&self, writer: &mut StateWriter) {
        writer.u64(self.frames);
        writer.option(self.seen, |writer, seen| {
            let Seen { counter, counts, still, place, play_state, waited } = seen;
            writer.u32(counter.into());
            writer.bool(counts);
            writer.u64(still);
            writer.u8(place as u8);
            writer.u8(play_state.byte());
            writer.u64(waited);
        });
    }

    /// Reads what [`Watchdog::save`] wrote.
    pub(super) fn restored(&self, reader: &mut StateReader<'_>) -> Result<Watchdog, StateError> {
        let frames = reader.long_count()?;
        let seen = reader.option(|reader| {
            let counter = |value: u32| {
                u16::try_from(value).map_err(|_| StateError::new("a frame counter, 0 to 65535", value.to_string()))
            };
            let play_state = |byte| {
                PlayState::from_byte(byte).ok_or_else(|| StateError::new("a play state, 0 to 10", byte.to_string()))
            };
            Ok(Seen {
                counter: counter(reader.u32()?)?,
                counts: reader.bool()?,
                still: reader.long_count()?,
                place: match reader.u8()? {
                    0 => Place::Menus,
                    1 => Place::Game,
                    2 => Place::Over,
                    byte => return Err(StateError::new("a place, 0 to 2", byte.to_string())),
                },
                play_state: play_state(reader.u8()?)?,
                waited: reader.long_count()?,
            })
        })?;
        Ok(Watchdog { has_counter: self.has_counter, seen, frames })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::memory::address::{GAME_MODE, GAME_MODE_STATE, NEXT_PIECE, PLAY_STATE, RENDER_MODE};
    use crate::ram::{GameMode, RamMap, RenderMode, sample};

    #[test]
    fn a_leaking_stack_is_seen_without_a_frame_counter() {
        let map = RamMap::tetris_ntsc()
            .relocated("no counter", |entry| Some(entry.address).filter(|_| entry.name != name::FRAME_COUNTER));
        let decoder = Decoder::new(&map).expect("nothing needs the counter");
        let mut watchdog = Watchdog::new(&decoder);
        let mut ram = [0; 0x800];
        let mut observe = |ram: &[u8; 0x800], stack_pointer| {
            let snapshot = decoder.decode(ram).expect("possible values");
            watchdog.observe(&snapshot, Some(Processor { stack_pointer, is_stopped: false }), Some(60))
        };
        assert_eq!(observe(&ram, 0), None, "the stack pointer is not set yet");
        let game = [(GAME_MODE, 4), (GAME_MODE_STATE, 4), (PLAY_STATE, 1), (RENDER_MODE, 3), (NEXT_PIECE, 2)];
        ram[0x400..0x4C8].fill(0xEF);
        for (address, value) in game {
            ram[address] = value;
        }
        assert_eq!(observe(&ram, 0xF0), None);
        assert_eq!(observe(&ram, 0x80), None);
        assert_eq!(observe(&ram, 0x7F).map(|stuck| stuck.cause), Some(Cause::Stack { pointer: 0x7F }));
    }

    /// Frames of a program, one by one.
    struct Frames {
        watchdog: Watchdog,
        snapshot: RamSnapshot,
        processor: Option<Processor>,
        menu_frames: Option<u64>,
    }

    /// The bot expects to be this long in the menus.
    const MENUS: Option<u64> = Some(60);
    /// Somebody who may do as they like.
    const PERSON: Option<u64> = None;

    fn frames(menu_frames: Option<u64>) -> Frames {
        let decoder = Decoder::new(&RamMap::tetris_ntsc()).expect("the built-in map");
        let watchdog = Watchdog::new(&decoder);
        Frames { watchdog, snapshot: sample::snapshot(|_| ()), processor: None, menu_frames }
    }

    impl Frames {
        /// A frame in which the counter counts.
        fn next(&mut self) -> Option<Stuck> {
            self.snapshot.frame_counter = self.snapshot.frame_counter.wrapping_add(1);
            self.still()
        }

        /// A frame in which it does not.
        fn still(&mut self) -> Option<Stuck> {
            self.watchdog.observe(&self.snapshot, self.processor, self.menu_frames)
        }

        /// So many frames of a game that goes on.
        fn play(mut self, count: u64) -> Frames {
            assert_eq!((0..count).find_map(|_| self.next()), None);
            self
        }

        fn stand(mut self, count: u64) -> Frames {
            assert_eq!((0..count).find_map(|_| self.still()), None);
            self
        }

        fn state(mut self, state: PlayState) -> Frames {
            self.snapshot.play_state = state;
            self
        }

        fn mode(mut self, mode: GameMode) -> Frames {
            self.snapshot.game_mode = mode;
            self
        }
    }

    fn stuck(frame: u64, cause: Cause) -> Option<Stuck> {
        Some(Stuck { frame, cause })
    }

    #[test]
    fn a_piece_locks_within_2443_frames() {
        let no_lock = Cause::NoLock { frames: 2444 };
        assert_eq!(frames(MENUS).play(1 + 2443).next(), stuck(2444, no_lock));
        // After a lock as long again, and after nothing else.
        let lock = |from, to| frames(MENUS).play(2000).state(from).play(1).state(to).play(1);
        assert_eq!(lock(PlayState::Lock, PlayState::RowCheck).play(2443).next(), stuck(4445, no_lock));
        for (from, to) in [(PlayState::Lock, PlayState::Control), (PlayState::Control, PlayState::RowCheck)] {
            assert_eq!(lock(from, to).play(442).next(), stuck(2444, no_lock));
        }
        // The bot does not pause; somebody else may, and goes on as long as before.
        let paused = |who| {
            let mut frames = frames(who).play(100);
            frames.snapshot.render_mode = RenderMode::Still;
            frames
        };
        assert_eq!(paused(MENUS).play(2344).next(), stuck(2444, no_lock));
        let mut resumed = paused(PERSON).play(3000);
        resumed.snapshot.render_mode = RenderMode::Play;
        assert_eq!(resumed.play(2443).next(), stuck(5543, no_lock));
    }

    #[test]
    fn the_frame_counter_stands_for_less_than_two_seconds() {
        let still = |frames| Cause::FrameCounter { frames };
        assert_eq!(frames(MENUS).play(9).stand(119).still(), stuck(128, still(120)));
        assert_eq!(frames(MENUS).stand(120).still(), stuck(120, still(120)), "not once in a game");
        frames(MENUS).play(9).stand(119).play(1).stand(119);
        let menus = || frames(MENUS).mode(GameMode::Title);
        assert_eq!(menus().play(9).stand(119).still(), stuck(128, still(120)));
        assert_eq!(menus().stand(3600).still(), stuck(3600, still(3600)), "another program before the game");
        let mut without = frames(MENUS);
        without.watchdog.has_counter = false;
        without.stand(2000);
    }

    #[test]
    fn menus_lead_to_a_game_within_the_expected_frames_and_a_minute() {
        let menus = |who| frames(who).mode(GameMode::LevelMenu);
        assert_eq!(menus(MENUS).play(3660).next(), stuck(3660, Cause::NoGame { frames: 3661 }));
        menus(PERSON).play(4000);
        // A game begins in time and goes on for as long as any.
        menus(MENUS).play(3000).mode(GameMode::Play).play(2443);
    }

    #[test]
    fn the_bot_leaves_a_game_by_a_topout_alone() {
        let left = |who, state| {
            let mut frames = frames(who).play(9).state(state).play(9);
            frames = frames.state(PlayState::Leaving).play(9).mode(GameMode::LevelMenu);
            frames.next()
        };
        assert_eq!(left(MENUS, PlayState::Curtain), None);
        assert_eq!(left(MENUS, PlayState::Control), stuck(27, Cause::LeftGame));
        assert_eq!(left(PERSON, PlayState::Control), None);
        // Whoever tops out may look at the score for ever.
        frames(MENUS).play(9).state(PlayState::Curtain).play(9).state(PlayState::Leaving).play(2600);
        frames(PERSON).play(9).state(PlayState::Leaving).play(2600);
    }

    #[test]
    fn a_processor_may_stop_never_and_have_a_low_stack_until_the_program_runs() {
        let processor = |stack_pointer, is_stopped| Some(Processor { stack_pointer, is_stopped });
        let stopped = Frames { processor: processor(0xF0, true), ..frames(MENUS) }.still();
        assert_eq!(stopped, stuck(0, Cause::Processor));
        let mut low = Frames { processor: processor(0, false), ..frames(PERSON).mode(GameMode::Title) }.stand(9);
        assert_eq!(low.next(), stuck(9, Cause::Stack { pointer: 0 }));
    }

    #[test]
    fn a_restart_begins_anew_and_a_saved_watchdog_goes_on() {
        let mut restarted = frames(MENUS).play(9).stand(100);
        restarted.watchdog.restarted();
        assert_eq!(restarted.stand(120).still(), stuck(229, Cause::FrameCounter { frames: 120 }));

        let saved = |frames: &Frames| {
            let mut writer = StateWriter::default();
            frames.watchdog.save(&mut writer);
            writer.into_bytes()
        };
        for (place, state) in [
            (GameMode::Title, PlayState::Control),
            (GameMode::Play, PlayState::Lock),
            (GameMode::Play, PlayState::Curtain),
        ] {
            let mut before = frames(MENUS).mode(place).state(state).play(9).stand(100);
            let bytes = saved(&before);
            let mut reader = StateReader::new(&bytes);
            let restored = frames(MENUS).watchdog.restored(&mut reader).expect("its own bytes");
            reader.end().expect("all of them");
            assert_eq!(format!("{restored:?}"), format!("{:?}", before.watchdog));
            before.watchdog = restored;
            assert_eq!(before.stand(19).still(), stuck(128, Cause::FrameCounter { frames: 120 }));
        }
        // The frames, a 1, and then the counter with 32 bits, a truth value, a long count, the place and the state.
        let bytes = saved(&frames(MENUS).play(9));
        for (at, byte, expected) in [(11, 1, "frame counter, 0 to 65535"), (22, 3, "a place"), (23, 11, "a play state")]
        {
            let mut wrong = bytes.clone();
            wrong[at] = byte;
            let error = frames(MENUS).watchdog.restored(&mut StateReader::new(&wrong)).expect_err(expected).to_string();
            assert!(error.contains(expected), "{error}");
        }
    }
}
