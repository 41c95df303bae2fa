//! Child filters: which placements the search may look at, with any judge.
//!
//! A filter sees the playfield and the placements within reach on it, for the current piece and
//! again for the next one. Where it allows nothing, the search looks at all of them and logs that.

mod children;
mod choice;
mod drawing;
mod pattern;
mod well;

pub use children::Filter;
pub use choice::{FilterChoice, ParseFilterError};
pub use drawing::{Drawing, DrawingError};
pub use pattern::Pattern;
pub use well::Well;
