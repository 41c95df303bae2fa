//! Slow frames, crashes and hangs: what is left of a pass that the interrupt has overtaken.

use super::model::Simulation;
use super::pass::{Flow, HALF_SPEED, RESET};
use super::scope;
use super::task::Task;
use crate::game::crash::{Crashes, Danger, FIRST_SLOW_LEVEL, Lock, PassEnd, Place};
use crate::game::memory::address::{FRAME_COUNTER, VERTICAL_BLANK_FLAG};
use crate::game::memory::{GameModeState, PlayState};
use crate::gamepad::Buttons;

/// While one of these is held, the frame counter does not end a hang.
const KEEP_HANGING: Buttons = Buttons::B.with(Buttons::DOWN).with(Buttons::LEFT).with(Buttons::RIGHT);
/// While one of these is held, the game does not hang.
const END_HANG: Buttons = Buttons::A.with(Buttons::SELECT);

impl Simulation {
    /// Goes on with or without slow frames and crashes. A console begins without.
    pub fn set_crashes(&mut self, crashes: Crashes) {
        self.crashes = crashes;
    }

    /// Are there slow frames and crashes?
    pub fn crashes(&self) -> Crashes {
        self.crashes
    }

    /// Has the game crashed? T, the cycles of the pass that crashed it. The frames that follow are all the same.
    pub fn crashed(&self) -> Option<u32> {
        match self.task {
            Task::Crashed { cycles } => Some(cycles.into()),
            _ => None,
        }
    }

    /// Does the game hang, and what ends it? The time at which a hang ends is approximated.
    pub fn hangs(&self) -> Option<Danger> {
        match self.task {
            Task::Hanging(danger) => Some(danger),
            _ => None,
        }
    }

    /// At the last sample, was the processor busy in a game? It was not yet waiting for the interrupt.
    pub fn is_busy(&self) -> bool {
        matches!(self.task, Task::Late { .. } | Task::Hanging(_) | Task::Crashed { .. })
    }

    /// All states that the next frame with these buttons may lead to. The first is the model's own choice; others
    /// come where a pass takes so long that cycles matter which the model does not know.
    pub fn possible_steps(&self, buttons: Buttons) -> Vec<Simulation> {
        let mut chosen = self.clone();
        chosen.step(buttons);
        let lock = self.scores_late().then(|| Lock::next(&self.ram)).flatten();
        let Some(lock) = lock.filter(|_| self.task == Task::Play) else { return vec![chosen] };
        let mut states = vec![chosen];
        for end in PassEnd::possible(&lock) {
            let mut state = self.clone();
            state.polled = true;
            state.interrupt(buttons);
            state.gameplay_frame_ending(end);
            state.ram[VERTICAL_BLANK_FLAG] = 0;
            if !states.contains(&state) {
                states.push(state);
            }
        }
        states
    }

    /// May a pass that scores a lock be slow?
    fn scores_late(&self) -> bool {
        self.crashes == Crashes::On && self.level() >= FIRST_SLOW_LEVEL - 2
    }

    /// How the pass of the running frame ends, after its interrupt.
    pub(super) fn pass_end(&self) -> PassEnd {
        if !self.scores_late() || self.play_state() != Some(PlayState::Score) {
            return PassEnd::IN_TIME;
        }
        let lock = Lock::now(&self.ram, self.pressed().contains(Buttons::SELECT));
        // Among what the unknown cycles depend on are bits of the random number.
        PassEnd::likely(&lock, self.randomizer().to_bytes()[0].into())
    }

    /// The length of the pass of the running frame, before its play update.
    fn cycles(&self) -> u16 {
        Lock::now(&self.ram, self.pressed().contains(Buttons::SELECT)).cycles() as u16
    }

    /// The play update of a pass that ends like this, and what of the pass comes before the interrupt.
    pub(super) fn play_update_ending(&mut self, end: PassEnd) {
        let late = Task::Late { end, cycles: self.cycles() };
        if end.place == Place::Update {
            self.set_game_mode_state(GameModeState::PlayUpdate);
            self.task = late;
            return;
        }
        if self.play_update() == Flow::Suspended {
            return;
        }
        self.finish_play_update();
        match end.place {
            Place::SecondPlayer => {
                self.set_game_mode_state(GameModeState::SecondPlayer);
                self.task = late;
                return;
            }
            Place::ResetCheck if !matches!(self.held(), RESET | HALF_SPEED) => {
                self.set_game_mode_state(GameModeState::ResetCheck);
                self.task = late;
                return;
            }
            _ => self.check_buttons(),
        }
        // Whoever pauses or holds half speed here waits for the interrupt, too, one frame later.
        if self.task == Task::Play {
            match end.place {
                Place::PauseCheck => self.set_game_mode_state(GameModeState::PauseCheck),
                Place::End => self.set_game_mode_state(GameModeState::End),
                _ => {}
            }
            self.task = late;
        }
    }

    /// What is left of a pass after the interrupt.
    pub(super) fn finish_late(&mut self, end: PassEnd, cycles: u16) {
        match end.danger {
            Some(Danger::Crash) => {
                self.leave_scope(scope::CRASH);
                self.task = Task::Crashed { cycles };
                return;
            }
            Some(danger) => {
                if end.place == Place::Update && self.play_update() == Flow::Finished {
                    self.finish_play_update();
                }
                self.leave_scope(scope::HANG);
                self.task = Task::Hanging(danger);
                return;
            }
            None => {}
        }
        self.task = Task::Play;
        match end.place {
            // The interrupt came in time.
            Place::Waiting | Place::JustInTime => self.gameplay_frame(),
            Place::Sound | Place::End | Place::PauseCheck => self.set_game_mode_state(GameModeState::Running),
            Place::ResetCheck => self.finish_pass(),
            Place::SecondPlayer => self.check_buttons(),
            Place::Update => {
                if self.play_update() == Flow::Finished {
                    self.finish_update();
                }
            }
        }
    }

    /// A frame of a hang.
    pub(super) fn hanging_frame(&mut self, danger: Danger) {
        let held = self.held();
        let ends = match danger {
            Danger::Crash => false,
            Danger::HangUntilCounter => {
                held.intersects(END_HANG) || self.ram[FRAME_COUNTER] == 0xFF && !held.intersects(KEEP_HANGING)
            }
            Danger::HangUntilButton => held != Buttons::NONE,
        };
        if ends {
            self.check_buttons();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Orientation;
    use crate::game::crash::PHASES;
    use crate::game::memory::address::{
        COMPLETED_LINES, COMPLETED_ROW, CURRENT_PIECE, FALL_TIMER, LEVEL_NUMBER, LINES, PLAY_STATE, RENDER_FLAGS, RNG,
        TETRIMINO_Y,
    };
    use crate::state::{StateReader, StateWriter};

    /// A game whose next frame scores a single in row 11, with the next box shown, an empty row 5 and no pushdown.
    /// `bytes` of lines and the level are those before it.
    fn before_single(level: u8, lines: [u8; 2]) -> Simulation {
        let mut game = Simulation::new_game(18, crate::game::randomizer::Randomizer::SEED);
        game.set_crashes(Crashes::On);
        for (address, value) in [
            (LEVEL_NUMBER, level),
            (LINES, lines[0]),
            (LINES + 1, lines[1]),
            (COMPLETED_LINES, 1),
            (COMPLETED_ROW, 11),
            (CURRENT_PIECE, Orientation::HIDDEN_ID),
            (TETRIMINO_Y, 10),
            (PLAY_STATE, PlayState::Score.byte()),
        ] {
            game.poke(address as u16, value);
        }
        game
    }

    /// T 29,597 in every phase: the lock at which the recorded game froze.
    fn before_crash() -> Simulation {
        before_single(157, [0x19, 0x0F])
    }

    #[test]
    fn a_crash_stops_the_game_in_the_next_frame_and_nothing_moves_any_more() {
        for rng in 0..PHASES as u8 {
            let mut game = before_crash();
            game.poke(RNG as u16, rng << 1);
            game.step(Buttons::NONE);
            assert!(game.is_busy() && game.crashed().is_none() && game.in_game());
            assert_eq!(game.peek(PLAY_STATE as u16), PlayState::GoalCheck.byte());
            assert_eq!(game.peek(0xA7), GameModeState::SecondPlayer.byte(), "the steps after the update are to come");
            game.step(Buttons::NONE);
            assert_eq!((game.crashed(), game.in_game(), game.polled()), (Some(29_597), false, true));
            assert_eq!(game.out_of_scope(), Some("a crash"));
            let last = game.clone();
            game.step(Buttons::START);
            assert!(!game.polled() && game.ram() == last.ram());
            assert_eq!(game.skip_entry_delay(Buttons::NONE), 0);
            game.press_reset();
            game.advance(Buttons::NONE, 400);
            assert_eq!(game.crashed(), None, "the reset button helps");
        }
    }

    #[test]
    fn without_crashes_and_below_the_first_slow_level_every_pass_is_in_time() {
        let mut off = before_crash();
        off.set_crashes(Crashes::Off);
        let mut low = before_single(129, [0x55, 9]);
        for game in [&mut off, &mut low] {
            let possible = game.possible_steps(Buttons::NONE);
            game.step(Buttons::NONE);
            assert!(!game.is_busy() && possible == [game.clone()]);
            game.step(Buttons::NONE);
            assert_eq!(game.peek(PLAY_STATE as u16), PlayState::Garbage.byte());
        }
    }

    /// The pass after a slow one is lost: the fall timer stands, presses of the frame are not seen.
    #[test]
    fn a_slow_frame_costs_a_pass() {
        // T 28,140: the interrupt comes while sounds are played.
        let mut game = before_single(148, [0x55, 9]);
        game.step(Buttons::NONE);
        let timer = game.peek(FALL_TIMER as u16);
        assert_eq!((game.is_busy(), game.peek(0xA7)), (true, GameModeState::Running.byte()));
        game.step(Buttons::SELECT);
        assert_eq!((game.is_busy(), game.peek(FALL_TIMER as u16)), (false, timer));
        assert_eq!(game.peek(0xDF), 0, "Select is not seen");
        assert_eq!(game.peek(PLAY_STATE as u16), PlayState::GoalCheck.byte());
        game.step(Buttons::NONE);
        assert_eq!(game.peek(FALL_TIMER as u16), timer + 1);
        assert_eq!(game.peek(PLAY_STATE as u16), PlayState::Garbage.byte());
    }

    #[test]
    fn a_hang_ends_by_its_buttons_or_its_counter() {
        let hanging = |level| {
            let mut game = before_single(level, [0x55, 9]);
            game.step(Buttons::NONE);
            assert!(!game.promises(RENDER_FLAGS as u16), "the update was interrupted");
            game.step(Buttons::NONE);
            game
        };
        // T 30,044 and 30,996 in every phase.
        for (level, danger) in [(162, Danger::HangUntilCounter), (169, Danger::HangUntilButton)] {
            let mut game = hanging(level);
            assert_eq!((game.hangs(), game.is_busy(), game.in_game()), (Some(danger), true, true));
            let counter = game.peek(FRAME_COUNTER as u16);
            game.step(Buttons::NONE);
            assert_eq!(game.peek(FRAME_COUNTER as u16), counter + 1, "the interrupt goes on");
            assert_eq!(game.skip_entry_delay(Buttons::NONE), 0);
            game.step(Buttons::A);
            assert_eq!(game.hangs(), None);
            assert!(game.skip_entry_delay(Buttons::NONE) > 0);
            assert!(game.falling_piece().is_some());
        }
        let mut counted = hanging(162);
        let mut frames = 0;
        while counted.hangs().is_some() {
            counted.step(if frames < 300 { Buttons::DOWN } else { Buttons::NONE });
            frames += 1;
        }
        assert!((301..=556).contains(&frames), "Down keeps it: {frames}");
        assert_eq!(counted.peek(FRAME_COUNTER as u16), 0xFF);
        let mut for_ever = hanging(169);
        (0..600).for_each(|_| for_ever.step(Buttons::NONE));
        assert_eq!(for_ever.hangs(), Some(Danger::HangUntilButton));
    }

    #[test]
    fn the_possible_steps_are_the_models_own_and_all_others() {
        let mut game = before_crash();
        let possible = game.possible_steps(Buttons::NONE);
        game.step(Buttons::NONE);
        assert_eq!(possible[0], game);
        let crashing = |end: &PassEnd| end.danger == Some(Danger::Crash);
        let ends: Vec<PassEnd> = possible
            .iter()
            .filter_map(|state| match state.task {
                Task::Late { end, .. } => Some(end),
                _ => None,
            })
            .collect();
        assert_eq!(ends.len(), possible.len());
        assert!(ends.iter().any(crashing) && !ends.iter().all(crashing), "{ends:?}: the window is near its border");
        // Where only the sounds matter.
        let slow = before_single(143, [0x55, 9]).possible_steps(Buttons::NONE);
        assert!(slow.iter().any(Simulation::is_busy) && slow.iter().any(|state| !state.is_busy()));
    }

    #[test]
    fn every_state_of_a_slow_frame_survives_saving() {
        for level in [148, 155, 156, 157, 158, 162, 169] {
            let mut game = before_single(level, [0x19, 0x0F]);
            for _ in 0..4 {
                game.step(Buttons::NONE);
                let mut writer = StateWriter::default();
                game.save(&mut writer);
                let bytes = writer.into_bytes();
                assert_eq!(Simulation::restore(&mut StateReader::new(&bytes)), Ok(game.clone()), "level {level}");
            }
        }
    }
}
