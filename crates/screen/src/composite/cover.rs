//! How much of a pixel a shape covers, in eighths.

/// Steps from nothing to all of a colour: few enough for a picture with 256 colours.
pub(super) const COVERS: u16 = 8;

/// A share of a pixel in eighths.
pub(super) fn cover(share: f32) -> u16 {
    (share.clamp(0.0, 1.0) * f32::from(COVERS)).round() as u16
}
