//! Survey of a game's RAM: proves a RAM map against a ROM, or finds one without knowing any address.
//!
//! Both take the console on a tour from power-on: menus, games of both types, a topout, a name, a
//! bot's play, the demo. The rules model gets the same buttons. An address belongs to an entry if
//! it is the only one that shows what the model shows in every frame of the tour. Where several
//! bytes always show the same, a poke shows which of them the game reads.

mod agreement;
mod demo;
mod discover;
mod lockstep;
mod program;
mod relations;
mod resolve;
mod search;
mod tables;
mod tour;
mod trials;
mod validate;
mod validation;

pub use discover::{Discovery, EntryCandidates, discover};
pub use program::Program;
pub use search::Elimination;
pub use validate::{Settings, validate};
pub use validation::{Check, CheckResult, Layer, Validation};

use maxout_engine::console::Error as ConsoleError;

/// Why a survey cannot be finished.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The console failed.
    #[error(transparent)]
    Console(#[from] ConsoleError),
    /// The game goes other ways than the rules.
    #[error(
        "this game does not keep step with the rules of NES Tetris (NTSC): no byte of its RAM behaves as the \
         playfield must. Expected one after \"{lost_in}\", found none; it is another game or has other timing"
    )]
    OutOfStep {
        /// The experiment that ruled the last address out.
        lost_in: &'static str,
    },
    /// The rules themselves did not come to the next step: a fault of this program.
    #[error("the tour of the rules model is stuck; this is a fault of maxout, please report it")]
    Stuck,
}
