//! Drawing a [`ViewModel`] on a ratatui frame: a pure function of the model and the colours.
//!
//! Two views. The panels: three columns (panels, playfield, panels) of 22 rows between a title and
//! a footer; taller terminals get a list of messages below. The screen: the console's own picture,
//! and a column of panels where there is room beside it.
//!
//! [`ViewModel`]: crate::ViewModel

mod bars;
mod field;
mod gamepad;
mod overlay;
mod palette;
mod panels;
mod parts;
mod screen;
mod sizes;
#[cfg(test)]
mod tests;
mod view;

pub use palette::ColourMode;
pub(super) use palette::block_rgb;
pub use screen::Pictures;
pub use sizes::{MIN_HEIGHT, MIN_WIDTH};
pub use view::{draw, draw_with, picture_area};
