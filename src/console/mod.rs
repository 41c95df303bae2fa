//! The console: something that runs a game one NTSC frame at a time.
//!
//! ```no_run
//! use maxout::console::{Console, Emulator, Rom};
//! use maxout::gamepad::Buttons;
//!
//! let mut console = Emulator::new(&Rom::cartridge()).unwrap();
//! for _frame in 0..300 {
//!     console.step(Buttons::NONE).unwrap();
//! }
//! println!("random number: {:02X}{:02X}", console.ram()[0x17], console.ram()[0x18]);
//! ```

mod emulator;
mod picture;
mod rom;
mod simulated;

pub use emulator::{Emulator, LOG_TARGET as EMULATOR_LOG_TARGET, Video, colours};
pub use picture::Picture;
pub use rom::{Error as RomError, Identity, Rom};
pub use simulated::Simulated;

use crate::game::simulation::Simulation;
use crate::gamepad::Buttons;
use crate::ram::Ram;

/// Frames from the choice of a button to the frame in which the game sees it newly pressed.
///
/// A sample is taken when the last visible line is drawn, just before the interrupt that
/// polls the gamepad: a button chosen after sample *n* acts in frame *n + 1*.
pub const INPUT_DELAY_FRAMES: u64 = 0;

/// What can go wrong while a console runs.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The emulator refused the ROM.
    #[error("the emulator cannot load this ROM: {0}")]
    Load(String),
    /// The emulated processor stopped, as a broken program makes it.
    #[error("the emulated console stopped in frame {frame}: {reason}")]
    Stopped {
        /// Frames since power-on.
        frame: u64,
        /// What the emulator says.
        reason: String,
    },
    /// A saved state of another program version or console.
    #[error("this saved state does not fit the console: {0}")]
    State(String),
}

/// A saved state of a console; only the console that made it can read it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SavedState(State);

#[derive(Debug, Clone, PartialEq, Eq)]
enum State {
    Emulator(Vec<u8>),
    Simulated(Box<Simulation>),
}

/// Ways to start a console anew.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reset {
    /// The reset button: RAM stays as it is.
    Button,
    /// Power off and on: RAM is all zero.
    Power,
}

/// A console with a game in it, switched on.
///
/// Work RAM is all zero at power-on, nothing is written to disk, and the same buttons give
/// the same RAM, byte for byte.
pub trait Console: Send {
    /// What the console is, for logs: name and version.
    fn name(&self) -> &'static str;

    /// Advances exactly one frame with these buttons down, and samples RAM at its end.
    ///
    /// # Errors
    /// [`Error::Stopped`] when the program has crashed the processor.
    fn step(&mut self, buttons: Buttons) -> Result<(), Error>;

    /// Starts the console anew; the next step is the first frame after it.
    fn reset(&mut self, reset: Reset);

    /// Did the program read a gamepad in the last frame? In a frame without (a lag frame) the
    /// buttons did nothing. False before the first frame.
    fn polled(&self) -> bool;

    /// Work RAM `$0000-$07FF` at the last sample.
    fn ram(&self) -> &Ram;

    /// Writes one byte of work RAM, `address` below `$0800`. Never used in honest play.
    fn poke(&mut self, address: u16, value: u8);

    /// The picture of the last frame, or `None` where the console draws none.
    fn picture(&mut self) -> Option<Picture>;

    /// Everything needed to go on from here.
    ///
    /// # Errors
    /// [`Error::State`] when the console cannot be saved.
    fn save_state(&self) -> Result<SavedState, Error>;

    /// Goes back to a state saved from the same program.
    ///
    /// # Errors
    /// [`Error::State`] when the state is of another console.
    fn restore_state(&mut self, state: &SavedState) -> Result<(), Error>;
}
