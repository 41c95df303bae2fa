//! The whole game as seen from outside the console, one frame at a time and without a console.
//!
//! [`Simulation`] holds the console's 2048 bytes of work RAM and advances them exactly as the
//! cartridge does: menus, games, pauses, topouts, name entry. Golden traces in the tests pin
//! it byte for byte. Training and the simulated console run on it.
//!
//! One frame is an interrupt, which polls the gamepad and clocks the random
//! number generator, and then the main program, which runs until it next waits for an
//! interrupt. Where it waits is the `Task`; everything else is in RAM.
//!
//! What it does not have: the demo's data, the endings' animations, sound, screen output, and
//! the frames above level 150 or so in which the cartridge runs out of time and may crash.
//! [`Simulation::out_of_scope`] says when a run has entered something that is only
//! approximated.

pub mod address;
mod bulk;
mod game_start;
mod high_scores;
mod interrupt;
mod landing;
mod menus;
mod page;
mod pass;
mod save;
pub mod scope;
mod task;
#[cfg(test)]
mod tests;
mod topout;

use std::fmt;

use self::address::*;
use self::task::Task;
use super::piece::Orientation;
use super::position::Position;
use super::randomizer::Randomizer;
use super::scoring::{Progress, Score};
use super::{Piece, Playfield};
use crate::gamepad::Buttons;

/// The bytes of work RAM that a sample consists of.
pub type Ram = [u8; RAM_SIZE];

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
    ram: Ram,
    task: Task,
    /// Did the last frame begin with an interrupt, which polls the gamepad?
    polled: bool,
    out_of_scope: Option<&'static str>,
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

/// Why a RAM image cannot be continued.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The sample is not from a running game.
    #[error(
        "expected a sample of a running game (gameMode 4, renderMode 3 or a pause, gameModeState 1, 2 or 7), \
         found gameMode {game_mode}, renderMode {render_mode}, gameModeState {game_mode_state}"
    )]
    NotInGame {
        /// `$C0`
        game_mode: u8,
        /// `$BD`
        render_mode: u8,
        /// `$A7`
        game_mode_state: u8,
    },
    /// A byte that must name a piece does not.
    #[error("expected an orientation id $00-$12 at ${address:04X}, found ${found:02X}")]
    NotAPiece {
        /// Where it stands.
        address: usize,
        /// What stands there.
        found: u8,
    },
    /// The falling piece is somewhere that no game can bring it to.
    #[error("expected the piece inside the playfield, found its origin at x ${x:02X}, y ${y:02X}")]
    PieceOutside {
        /// `$60`
        x: u8,
        /// `$61`
        y: u8,
    },
}

impl Simulation {
    /// The console at the moment of power-on, all RAM zero; the first step is frame 0.
    pub fn power_on() -> Simulation {
        Simulation { ram: [0; RAM_SIZE], task: Task::PowerOn { frame: 0 }, polled: false, out_of_scope: None }
    }

    /// An A-type game without the menus: the sample before its first gameplay frame.
    ///
    /// `start_level` is 0 to 19 on the console. `randomizer` is the generator in the frame
    /// that sets the game up: it draws the first two pieces.
    pub fn new_game(start_level: u8, randomizer: Randomizer) -> Simulation {
        Simulation::later_game(start_level, randomizer, 0)
    }

    /// [`Simulation::new_game`] on a console that has drawn pieces before: `spawn_count`
    /// (`$1A`) counts them, survives from game to game, and enters every draw.
    pub fn later_game(start_level: u8, randomizer: Randomizer, spawn_count: u8) -> Simulation {
        let mut simulation = Simulation::power_on();
        simulation.clear_ram();
        simulation.ram[SPAWN_COUNT] = spawn_count;
        [simulation.ram[RNG], simulation.ram[RNG + 1]] = randomizer.to_bytes();
        simulation.ram[START_LEVEL] = start_level;
        simulation.ram[GAME_MODE] = 4;
        simulation.start_game();
        simulation
    }

    /// Goes on from a sample of a running game.
    ///
    /// Such are the samples with `gameMode` 4 and `renderMode` 3 from the frame before the
    /// first gameplay frame on (B-type: from the first gameplay frame), and those of a pause.
    ///
    /// # Errors
    /// When the sample is from a menu, an ending or the name entry, or holds values that no
    /// game can reach.
    pub fn from_ram(ram: &Ram) -> Result<Simulation, Error> {
        let [game_mode, render_mode, game_mode_state] = [ram[GAME_MODE], ram[RENDER_MODE], ram[GAME_MODE_STATE]];
        let task = match (game_mode, render_mode, game_mode_state) {
            (4, 3, 1) if ram[GAME_TYPE] == 0 => Task::Play,
            (4, 3, 2) => Task::Play,
            (4, 3, 7) => Task::HalfSpeed,
            (4, 0, 7) => Task::Paused,
            _ => return Err(Error::NotInGame { game_mode, render_mode, game_mode_state }),
        };
        let falling = matches!(ram[PLAY_STATE], 1 | 2);
        for address in [CURRENT_PIECE, NEXT_PIECE, SPAWN_ID] {
            let found = ram[address];
            let hidden = address == CURRENT_PIECE && !falling && found == Orientation::HIDDEN_ID;
            if Orientation::from_id(found).is_none() && !hidden {
                return Err(Error::NotAPiece { address, found });
            }
        }
        let (x, y) = (ram[X], ram[Y]);
        if x >= 10 || y >= 20 {
            return Err(Error::PieceOutside { x, y });
        }
        Ok(Simulation { ram: *ram, task, polled: true, out_of_scope: None })
    }

    /// Advances one frame with these buttons down.
    pub fn step(&mut self, buttons: Buttons) {
        self.polled = !self.task.loses_interrupt();
        if self.polled {
            self.interrupt(buttons);
        }
        self.resume();
    }

    /// Presses the console's reset button before the next step: RAM stays until the game
    /// clears it, and high scores survive.
    pub fn press_reset(&mut self) {
        self.task = Task::PowerOn { frame: 0 };
        self.polled = false;
        self.out_of_scope = None;
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
    /// In the demo nothing moves until Start leads back to the title. The endings take the
    /// shortest times that were measured. From then on the frame numbers of a console may
    /// differ, so the random numbers may too.
    pub fn out_of_scope(&self) -> Option<&'static str> {
        self.out_of_scope
    }

    /// Is a game running? True from the first gameplay frame, in pauses too, until the wait
    /// after the topout curtain ends.
    pub fn in_game(&self) -> bool {
        matches!(self.task, Task::Play | Task::HalfSpeed | Task::Paused)
    }

    /// Is the game paused?
    pub fn paused(&self) -> bool {
        self.task == Task::Paused
    }

    /// Has the game topped out? True from the frame that finds no room for the piece.
    pub fn topped_out(&self) -> bool {
        self.in_game() && matches!(self.ram[PLAY_STATE], 0 | 10)
    }

    /// The score, `$73-$75`.
    pub fn score(&self) -> Score {
        Score([self.ram[SCORE], self.ram[SCORE + 1], self.ram[SCORE + 2]])
    }

    /// Lines and level, `$70,$71` and `$64`.
    pub fn progress(&self) -> Progress {
        Progress { lines_low: self.ram[LINES], lines_high: self.ram[LINES + 1], level: self.ram[LEVEL] }
    }

    /// The level, `$64`.
    pub fn level(&self) -> u8 {
        self.ram[LEVEL]
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
    pub fn falling_piece(&self) -> Option<super::control::FallingPiece> {
        if self.ram[PLAY_STATE] == 1 { self.load_piece() } else { None }
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

    /// The new buttons of this frame's poll.
    fn pressed(&self) -> Buttons {
        Buttons::from_bits(self.ram[PRESSED])
    }

    /// The buttons down at this frame's poll.
    fn held(&self) -> Buttons {
        Buttons::from_bits(self.ram[HELD])
    }

    fn page(&self) -> &[u8; PAGE] {
        self.ram[PLAYFIELD..PLAYFIELD + PAGE].try_into().expect("a page is 256 bytes of the 2048")
    }

    fn leave_scope(&mut self, into: &'static str) {
        self.out_of_scope.get_or_insert(into);
    }
}
