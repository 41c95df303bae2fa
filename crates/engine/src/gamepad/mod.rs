//! The NES gamepad: sets of buttons, and timelines of them frame by frame.
//!
//! Everything that presses or records buttons speaks these types; nothing in here knows
//! what game is being played.

mod buttons;
mod tapping;
mod timeline;

pub use buttons::{Buttons, ParseKeysError};
pub use tapping::{PressStyle, TapRate, TapRateError};
pub use timeline::InputTimeline;
