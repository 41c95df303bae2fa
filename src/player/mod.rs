//! Who plays: the flags that describe a player, its weights file, and the players made of both.

pub mod flags;
pub mod source;
pub mod values;
pub mod weights;
