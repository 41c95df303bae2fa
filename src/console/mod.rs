//! What runs a game: the flags that name it, the console switched on, and the RAM map that decodes
//! it.

pub mod crashes;
pub mod fceux;
pub mod flags;
pub mod power;
pub mod ram_map;
pub mod watched;
