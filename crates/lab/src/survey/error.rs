//! Why a survey cannot be finished.

use maxout_engine::console::Error as ConsoleError;

/// Why a survey cannot be finished.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The console failed.
    #[error(transparent)]
    Console(#[from] ConsoleError),
    /// The game does not follow the rules.
    #[error(
        "this game does not keep step with the rules of NES Tetris (NTSC): no byte of its RAM behaves like the \
         playfield. Expected one after \"{lost_in}\", found none; it is another game or has other timing"
    )]
    OutOfStep {
        /// The experiment that ruled the last address out.
        lost_in: &'static str,
    },
    /// The rules model itself did not reach the next step of the tour: a bug of this program.
    #[error("the tour of the rules model is stuck; this is a bug of maxout, please report it")]
    Stuck,
}
