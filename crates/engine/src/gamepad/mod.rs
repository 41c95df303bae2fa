//! The NES gamepad: sets of buttons, and timelines of them frame by frame.
//!
//! All code that presses or stores buttons uses these types. Nothing here knows the game.

mod buttons;
mod gaps;
mod rhythm;
mod tapping;
mod timeline;

pub use buttons::{Buttons, ParseKeysError};
pub use gaps::{TapGaps, TapGapsError};
pub use rhythm::{TapRhythm, TapRhythmError};
pub use tapping::{PressStyle, TapRate, TapRateError, Tapping, TappingError};
pub use timeline::InputTimeline;
