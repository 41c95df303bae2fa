//! The colours of the panel and of what is drawn into the picture.

use super::canvas::Rgb;

pub(super) const PAPER: Rgb = [17, 18, 28];
pub(super) const FIELD: Rgb = [7, 7, 13];
pub(super) const RULE: Rgb = [52, 55, 80];
pub(super) const TRACK: Rgb = [40, 42, 62];
pub(super) const LABEL: Rgb = [138, 143, 176];
pub(super) const TEXT: Rgb = [226, 229, 245];
pub(super) const GOLD: Rgb = [255, 205, 84];
pub(super) const GOOD: Rgb = [120, 222, 140];
pub(super) const BAD: Rgb = [255, 107, 107];
/// A gamepad's case, and its buttons while they are up.
pub(super) const CASE: Rgb = [34, 36, 54];
pub(super) const KEY: Rgb = [74, 78, 110];
pub(super) const ROUND_KEY: Rgb = [126, 48, 62];
/// Where the plan puts the falling piece, and the next one.
pub(super) const TARGET: Rgb = [255, 255, 255];
pub(super) const NEXT_TARGET: Rgb = [150, 156, 196];
