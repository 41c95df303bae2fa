//! The state of a simulated console, and how to read it.

use std::fmt;

use super::demo_table::DemoTable;
use super::page;
use super::task::Task;
use crate::game::control::FallingPiece;
use crate::game::crash::Crashes;
use crate::game::gravity::{Gravity, Ruleset};
use crate::game::memory::address::{
    GAME_MODE, GAME_MODE_STATE, GAME_TYPE, HELD_BUTTONS, LEVEL_NUMBER, LINES, NEW_BUTTONS, NEXT_PIECE, PAGE,
    PLAY_STATE, PLAYER, PLAYER_SIZE, PLAYFIELD, RENDER_MODE, RNG, SCORE, VERTICAL_BLANK_FLAG, WORKING_COPY,
};
use crate::game::memory::{GameMode, GameModeState, GameType, PlayState, RAM_SIZE, Ram, RenderMode};
use crate::game::piece::{Orientation, Piece};
use crate::game::playfield::Playfield;
use crate::game::position::Position;
use crate::game::randomizer::Randomizer;
use crate::game::scoring::{Progress, Score};
use crate::gamepad::Buttons;

/// NES Tetris, stepped frame by frame.
///
/// ```
/// use maxout_engine::game::simulation::Simulation;
/// use maxout_engine::gamepad::Buttons;
///
/// let mut game = Simulation::power_on();
/// for frame in 0..600 {
///     let press_start = frame % 2 == 0 && !game.in_game();
///     game.step(if press_start { Buttons::START } else { Buttons::NONE });
/// }
/// assert!(game.in_game());
/// assert_eq!(game.level(), 0);
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Simulation {
    pub(super) ram: Ram,
    pub(super) task: Task,
    /// Did the last frame begin with an interrupt, which polls the gamepad?
    pub(super) polled: bool,
    pub(super) out_of_scope: Option<&'static str>,
    /// Has Start or the end of its table ended the demo? The next play update leads to the title.
    pub(super) demo_over: bool,
    pub(super) demo: &'static DemoTable,
    pub(super) ruleset: Ruleset,
    pub(super) crashes: Crashes,
}

impl fmt::Debug for Simulation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Simulation")
            .field("task", &self.task)
            .field("level", &self.level())
            .field("lines", &self.progress().lines())
            .field("score", &self.score().value())
            .field("out_of_scope", &self.out_of_scope)
            .finish_non_exhaustive()
    }
}

impl Simulation {
    /// Advances one frame with these buttons down.
    pub fn step(&mut self, buttons: Buttons) {
        if matches!(self.task, Task::Crashed { .. }) {
            self.polled = false;
            return;
        }
        self.polled = !self.task.loses_interrupt();
        if self.polled {
            self.interrupt(buttons);
        }
        self.resume();
        // Where a lost interrupt comes next, the program is in the middle of drawing a screen: it has
        // not waited since the last interrupt.
        self.ram[VERTICAL_BLANK_FLAG] = u8::from(self.polled && self.task.loses_interrupt());
    }

    /// Goes on by these rules. A console begins by those of the original.
    pub fn set_ruleset(&mut self, ruleset: Ruleset) {
        self.ruleset = ruleset;
    }

    /// The rules that are played.
    pub fn ruleset(&self) -> Ruleset {
        self.ruleset
    }

    /// The gravity of the present level.
    pub fn gravity(&self) -> Gravity {
        self.ruleset.gravity(self.level())
    }

    /// Presses the console's reset button before the next step: RAM stays until the game
    /// clears it, and high scores survive.
    pub fn press_reset(&mut self) {
        self.task = Task::PowerOn { frame: 0 };
        self.polled = false;
        self.out_of_scope = None;
        self.demo_over = false;
    }

    /// Was the gamepad polled in the last frame? False before the first.
    pub fn polled(&self) -> bool {
        self.polled
    }

    /// The sample: work RAM at the end of the last frame.
    pub fn ram(&self) -> &Ram {
        &self.ram
    }

    /// One byte of the sample; addresses repeat every 2048 bytes as on the console.
    pub fn peek(&self, address: u16) -> u8 {
        self.ram[address as usize % RAM_SIZE]
    }

    /// Overwrites one byte of RAM, as a trace's `poke` or an experiment does.
    ///
    /// A poke of the player's state goes to `$60-$7F`; `$40-$5F` is only a copy.
    pub fn poke(&mut self, address: u16, value: u8) {
        self.ram[address as usize % RAM_SIZE] = value;
    }

    /// What the run has entered that is not modelled exactly, if anything. It stays set.
    ///
    /// The demo plays the table of the built-in cartridge. The A-type ending takes the
    /// shortest time that was measured. From then on the frame numbers of a console may
    /// differ, so the random numbers may too. After a crash the console's RAM holds what the wrong
    /// program wrote.
    pub fn out_of_scope(&self) -> Option<&'static str> {
        self.out_of_scope
    }

    /// Is a game running? True from the first gameplay frame, in pauses and hangs too, until the wait
    /// after the topout curtain ends or the game crashes.
    pub fn in_game(&self) -> bool {
        let task = self.task;
        matches!(task, Task::Play | Task::HalfSpeed | Task::Paused | Task::Late { .. } | Task::Hanging(_))
            && !self.in_demo()
    }

    /// Is the game paused?
    pub fn paused(&self) -> bool {
        self.task == Task::Paused
    }

    /// Has the game topped out? True from the frame that finds no room for the piece.
    pub fn topped_out(&self) -> bool {
        self.in_game() && matches!(self.play_state(), Some(PlayState::Leaving | PlayState::Curtain))
    }

    /// The score, `$73-$75`.
    pub fn score(&self) -> Score {
        Score([self.ram[SCORE], self.ram[SCORE + 1], self.ram[SCORE + 2]])
    }

    /// Lines and level, `$70,$71` and `$64`.
    pub fn progress(&self) -> Progress {
        Progress { lines_low: self.ram[LINES], lines_high: self.ram[LINES + 1], level: self.ram[LEVEL_NUMBER] }
    }

    /// The level, `$64`.
    pub fn level(&self) -> u8 {
        self.ram[LEVEL_NUMBER]
    }

    /// The random number generator, `$17,$18`.
    pub fn randomizer(&self) -> Randomizer {
        Randomizer::from_bytes([self.ram[RNG], self.ram[RNG + 1]])
    }

    /// The playfield as bits, rows -2 and -1 included.
    pub fn playfield(&self) -> Playfield {
        page::playfield(self.page())
    }

    /// The piece under control, `None` unless `playState` is 1.
    pub fn falling_piece(&self) -> Option<FallingPiece> {
        if self.play_state() == Some(PlayState::Control) { self.load_piece() } else { None }
    }

    /// What a player sees when a piece has spawned; `None` while no piece is under control.
    pub fn position(&self) -> Option<Position> {
        let falling = self.falling_piece()?;
        let next: Piece = Orientation::from_id(self.ram[NEXT_PIECE])?.piece();
        Some(Position {
            playfield: self.playfield(),
            piece: falling.orientation.piece(),
            next,
            level: self.level(),
            lines: self.progress().lines(),
            score: self.score().value(),
        })
    }

    /// What the play update does next; `None` for a value that the game never writes.
    pub(super) fn play_state(&self) -> Option<PlayState> {
        PlayState::from_byte(self.ram[PLAY_STATE])
    }

    pub(super) fn set_play_state(&mut self, state: PlayState) {
        self.ram[PLAY_STATE] = state.byte();
    }

    pub(super) fn set_game_mode(&mut self, mode: GameMode) {
        self.ram[GAME_MODE] = mode.byte();
    }

    pub(super) fn set_game_mode_state(&mut self, state: GameModeState) {
        self.ram[GAME_MODE_STATE] = state.byte();
    }

    /// What the interrupt draws; `None` for a value that the game never writes.
    pub(super) fn render_mode(&self) -> Option<RenderMode> {
        RenderMode::from_byte(self.ram[RENDER_MODE])
    }

    pub(super) fn set_render_mode(&mut self, mode: RenderMode) {
        self.ram[RENDER_MODE] = mode.byte();
    }

    /// Is it a B-type game? The game takes every value but 0 for one.
    pub(crate) fn is_b_type(&self) -> bool {
        self.ram[GAME_TYPE] != GameType::A.byte()
    }

    /// Copies the player's block to the working copy, as every gameplay frame does.
    pub(super) fn update_working_copy(&mut self) {
        self.ram.copy_within(PLAYER..PLAYER + PLAYER_SIZE, WORKING_COPY);
    }

    /// The new buttons of this frame's poll.
    pub(super) fn pressed(&self) -> Buttons {
        Buttons::from_bits(self.ram[NEW_BUTTONS])
    }

    /// The buttons down at this frame's poll.
    pub(super) fn held(&self) -> Buttons {
        Buttons::from_bits(self.ram[HELD_BUTTONS])
    }

    /// The playfield's page of RAM.
    pub(super) fn page(&self) -> &[u8; PAGE] {
        self.ram[PLAYFIELD..PLAYFIELD + PAGE].try_into().expect("a page is 256 bytes of the 2048")
    }

    /// Notes that the run is no longer modelled exactly; the first reason stays.
    pub(super) fn leave_scope(&mut self, into: &'static str) {
        self.out_of_scope.get_or_insert(into);
    }
}
