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

mod forward;
mod interface;
mod picture;
mod saved_state;
mod simulated;

pub use interface::{Console, Error, Processor, Reset};
pub use picture::{Picture, Video};
pub use saved_state::SavedState;
pub use simulated::Simulated;
