//! The console: something that runs a game one NTSC frame at a time.
//!
//! ```
//! use maxout_engine::console::{Console, Simulated};
//! use maxout_engine::game::memory::address::RNG;
//! use maxout_engine::gamepad::Buttons;
//!
//! let mut console = Simulated::power_on();
//! for _frame in 0..300 {
//!     console.step(Buttons::NONE).unwrap();
//! }
//! println!("random number: {:02X}{:02X}", console.ram()[RNG], console.ram()[RNG + 1]);
//! ```

mod picture;
mod simulated;

pub use picture::{Picture, Video};
pub use simulated::Simulated;

use crate::gamepad::Buttons;
use crate::ram::Ram;
use crate::state::StateError;

/// What can go wrong while a console runs.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The emulated processor stopped, as a broken program makes it.
    #[error("the emulated console stopped in frame {frame}: {reason}")]
    Stopped {
        /// Frames since power-on.
        frame: u64,
        /// What the emulator says.
        reason: String,
    },
    /// A console that cannot be saved.
    #[error("the state of the console cannot be saved: {0}")]
    Save(String),
    /// A saved state of another program version or console.
    #[error(transparent)]
    State(#[from] StateError),
}

/// A saved state of a console. Only a console of the same kind, with the same ROM, can go on from it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SavedState(Vec<u8>);

impl SavedState {
    /// A state of a console of this [name](Console::name).
    pub fn new(console: &'static str, state: &[u8]) -> SavedState {
        let mut bytes = vec![console.len() as u8];
        bytes.extend_from_slice(console.as_bytes());
        bytes.extend_from_slice(state);
        SavedState(bytes)
    }

    /// The state, for a console of this name.
    ///
    /// # Errors
    /// When it is of another kind of console.
    pub fn of(&self, console: &'static str) -> Result<&[u8], Error> {
        let state = self.0.strip_prefix(&[console.len() as u8]).and_then(|rest| rest.strip_prefix(console.as_bytes()));
        state.ok_or_else(|| StateError::new("a state of the same console", "one of another kind").into())
    }

    /// The state as bytes, with the name of its console.
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// The state with these [bytes](SavedState::bytes). What they are is seen when a console goes on from them.
    pub fn from_bytes(bytes: Vec<u8>) -> SavedState {
        SavedState(bytes)
    }
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

    /// Begins or ends drawing pictures, from the next frame on; whether they are drawn changes
    /// nothing else. A console that cannot draw goes on without.
    fn set_video(&mut self, _video: Video) {}

    /// The picture of the last frame, or `None` where the console draws none.
    fn picture(&mut self) -> Option<Picture>;

    /// Everything needed to go on from here.
    ///
    /// # Errors
    /// [`Error::Save`] when the console cannot be saved.
    fn save_state(&self) -> Result<SavedState, Error>;

    /// Goes back to a state saved from the same program.
    ///
    /// # Errors
    /// [`Error::State`] when the state is of another console.
    fn restore_state(&mut self, state: &SavedState) -> Result<(), Error>;
}
