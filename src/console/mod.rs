//! What runs a game: the flags that name it, the console switched on, the RAM map it is read with.

pub mod flags;
pub mod power;
pub mod ram_map;
