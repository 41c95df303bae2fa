//! The NES that runs inside the program: an emulator behind the engine's
//! [`Console`](maxout_engine::console::Console) trait, ROM files and what they are, the built-in
//! cartridge, and the clock of the machine.
//!
//! ```
//! use maxout_console::{Emulator, Rom};
//! use maxout_engine::console::Console;
//! use maxout_engine::gamepad::Buttons;
//!
//! let mut console = Emulator::new(&Rom::cartridge())?;
//! for _frame in 0..60 {
//!     console.step(Buttons::NONE)?;
//! }
//! println!("random number: {:02X}{:02X}", console.ram()[0x17], console.ram()[0x18]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Nothing here knows what a byte of RAM means. One file, `emulator.rs`, names the emulator's crate.

mod clock;
mod emulator;
mod rom;

pub use clock::WallClock;
pub use emulator::{Emulator, LOG_TARGET as EMULATOR_LOG_TARGET, LoadError, colours};
pub use rom::{Error as RomError, Identity, Rom};
