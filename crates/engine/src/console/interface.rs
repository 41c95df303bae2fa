//! What every console can do, and what can go wrong.

use super::picture::{Picture, Video};
use super::saved_state::SavedState;
use crate::gamepad::Buttons;
use crate::ram::Ram;
use crate::state::StateError;

/// What can go wrong while a console runs.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A faulty program stopped the emulated processor.
    #[error("the emulated console stopped in frame {frame}: {reason}")]
    Stopped {
        /// Frames since power-on.
        frame: u64,
        /// What the emulator says.
        reason: String,
    },
    /// A console in another program has failed or gone away.
    #[error("host {host}, frame {frame}: {problem}")]
    Host {
        /// What the other program calls itself.
        host: String,
        /// Frames that it has played.
        frame: u64,
        /// What was expected, and what was found.
        problem: String,
    },
    /// A console that cannot be saved.
    #[error("the state of the console cannot be saved: {0}")]
    Save(String),
    /// A saved state of another program version or console.
    #[error(transparent)]
    State(#[from] StateError),
}

/// What the processor is doing at the end of a frame, as far as it shows a crash.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Processor {
    /// The low byte of the stack pointer: the stack is at `$0100-$01FF` and grows downwards.
    pub stack_pointer: u8,
    /// Has an opcode stopped it that only a reset ends?
    pub is_stopped: bool,
}

/// Ways to restart a console.
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
///
/// A console that changes what another one does has the rest of its methods from [`pass_on!`](crate::pass_on).
pub trait Console: Send {
    /// What the console is, for logs: name and version.
    fn name(&self) -> &'static str;

    /// Advances exactly one frame with these buttons down, and samples RAM at its end.
    ///
    /// # Errors
    /// [`Error::Stopped`] when the program has crashed the processor; [`Error::Host`] when a host fails.
    fn step(&mut self, buttons: Buttons) -> Result<(), Error>;

    /// Restarts the console; the next step is the first frame after it.
    fn reset(&mut self, reset: Reset);

    /// Does [`Console::reset`] restart it? Not in an emulator that only takes buttons.
    fn resets(&self) -> bool {
        true
    }

    /// Did the program read a gamepad in the last frame? In a frame without (a lag frame) the
    /// buttons did nothing. False before the first frame.
    fn polled(&self) -> bool;

    /// The buttons that a person pressed in the last step, in place of the given ones. `None` for a
    /// console on which nobody else can press any.
    fn taken_over(&self) -> Option<Buttons> {
        None
    }

    /// Can somebody else reset it, load a saved state or rewind it between two steps?
    fn is_shared(&self) -> bool {
        false
    }

    /// Did that happen before the last step, as far as the console knows? In a shared console a run
    /// also looks at the frame counter.
    fn jumped(&self) -> bool {
        false
    }

    /// Work RAM `$0000-$07FF` at the last sample.
    fn ram(&self) -> &Ram;

    /// The processor at the last sample; `None` for a console that has none or does not show it.
    fn processor(&self) -> Option<Processor> {
        None
    }

    /// Writes one byte of work RAM, `address` below `$0800`. Never used in honest play.
    fn poke(&mut self, address: u16, value: u8);

    /// Begins or ends drawing pictures, from the next frame on; this changes nothing else. A
    /// console that cannot draw ignores it.
    fn set_video(&mut self, _video: Video) {}

    /// The picture of the last frame, or `None` where the console draws none.
    fn picture(&mut self) -> Option<Picture> {
        None
    }

    /// Everything needed to go on from here.
    ///
    /// # Errors
    /// [`Error::Save`] when the console cannot be saved.
    fn save_state(&self) -> Result<SavedState, Error> {
        Err(Error::Save(format!("{} has none", self.name())))
    }

    /// Goes back to a state saved from the same program.
    ///
    /// # Errors
    /// [`Error::State`] when the state is of another console, [`Error::Save`] when the console cannot be
    /// saved.
    fn restore_state(&mut self, _state: &SavedState) -> Result<(), Error> {
        Err(Error::Save(format!("{} has none", self.name())))
    }
}
