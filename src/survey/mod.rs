//! Survey of a game's RAM: proves a RAM map against a ROM, or finds one from nothing.

mod demo;
mod discover;
mod recording;
mod resolve;
mod search;
mod tour;
mod trials;

pub use discover::{Discovery, Finding, discover};
pub use search::Elimination;

use crate::console::Error as ConsoleError;

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
