//! Where a simulation begins: at power-on, at the start of a game, or at a sample of one.

use super::demo_table::{self, DemoTable};
use super::model::Simulation;
use super::task::Task;
use crate::game::crash::Crashes;
use crate::game::gravity::Ruleset;
use crate::game::memory::address::{
    CURRENT_PIECE, GAME_MODE, GAME_MODE_STATE, GAME_TYPE, NEXT_PIECE, NUMBER_OF_PLAYERS, PLAY_STATE, RENDER_MODE, RNG,
    SPAWN_COUNT, SPAWN_ID, START_LEVEL, TETRIMINO_X, TETRIMINO_Y,
};
use crate::game::memory::{GameMode, GameModeState, GameType, PlayState, RAM_SIZE, Ram, RenderMode};
use crate::game::piece::Orientation;
use crate::game::playfield::{ROWS, WIDTH};
use crate::game::randomizer::Randomizer;

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
        /// Its address.
        address: usize,
        /// The byte found there.
        found: u8,
    },
    /// The falling piece is at a place that no game can reach.
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
        Simulation::power_on_with_demo(&demo_table::CARTRIDGE)
    }

    /// [`Simulation::power_on`] with another table for the demo. [`Simulation::restore`] does not
    /// know it: a restored simulation has the built-in cartridge's.
    pub fn power_on_with_demo(demo: &'static DemoTable) -> Simulation {
        Simulation {
            ram: [0; RAM_SIZE],
            task: Task::PowerOn { frame: 0 },
            polled: false,
            out_of_scope: None,
            demo_over: false,
            demo,
            ruleset: Ruleset::Original,
            crashes: Crashes::Off,
        }
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
        simulation.ram[NUMBER_OF_PLAYERS] = 1;
        simulation.ram[SPAWN_COUNT] = spawn_count;
        [simulation.ram[RNG], simulation.ram[RNG + 1]] = randomizer.to_bytes();
        simulation.ram[START_LEVEL] = start_level;
        simulation.set_game_mode(GameMode::Play);
        simulation.start_game();
        simulation
    }

    /// Goes on from a sample of a running game.
    ///
    /// These are the samples with `gameMode` 4 and `renderMode` 3 from the frame before the first
    /// gameplay frame on (B-type: from the first gameplay frame), and those of a pause.
    ///
    /// # Errors
    /// When the sample is from a menu, an ending or the name entry, or holds values that no
    /// game can reach.
    pub fn from_ram(ram: &Ram) -> Result<Simulation, Error> {
        let [game_mode, render_mode, game_mode_state] = [ram[GAME_MODE], ram[RENDER_MODE], ram[GAME_MODE_STATE]];
        let modes = (
            GameMode::from_byte(game_mode),
            RenderMode::from_byte(render_mode),
            GameModeState::from_byte(game_mode_state),
        );
        let task = match modes {
            (Some(GameMode::Play), Some(RenderMode::Play), Some(GameModeState::SetUp))
                if ram[GAME_TYPE] == GameType::A.byte() =>
            {
                Task::Play
            }
            (Some(GameMode::Play), Some(RenderMode::Play), Some(GameModeState::Running)) => Task::Play,
            (Some(GameMode::Play), Some(RenderMode::Play), Some(GameModeState::PauseCheck)) => Task::HalfSpeed,
            (Some(GameMode::Play), Some(RenderMode::Still), Some(GameModeState::PauseCheck)) => Task::Paused,
            _ => return Err(Error::NotInGame { game_mode, render_mode, game_mode_state }),
        };
        let play_state = PlayState::from_byte(ram[PLAY_STATE]);
        let falling = matches!(play_state, Some(PlayState::Control | PlayState::Lock));
        for address in [CURRENT_PIECE, NEXT_PIECE, SPAWN_ID] {
            let found = ram[address];
            let hidden = address == CURRENT_PIECE && !falling && found == Orientation::HIDDEN_ID;
            if Orientation::from_id(found).is_none() && !hidden {
                return Err(Error::NotAPiece { address, found });
            }
        }
        let (x, y) = (ram[TETRIMINO_X], ram[TETRIMINO_Y]);
        if usize::from(x) >= WIDTH || usize::from(y) >= ROWS {
            return Err(Error::PieceOutside { x, y });
        }
        Ok(Simulation { ram: *ram, task, polled: true, ..Simulation::power_on() })
    }
}
