//! Colours of pixels.

/// A colour: red, green, blue.
pub type Rgb = [u8; 3];
