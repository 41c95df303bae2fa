//! A libretro core: NES Tetris that plays itself in RetroArch or any other libretro front end.
//!
//! The emulated console and the bot are inside. Without content it plays the built-in cartridge, with
//! content the ROM of the person; with the option `bot` off a person plays. The 25 functions of the
//! interface are in [`entry`]; [`api`] has the part of `libretro.h` that is used. This is the only
//! crate of the workspace with `unsafe` code, in two of its modules, each block with its reason.

pub mod api;
mod core;
#[expect(unsafe_code, reason = "functions that C calls, with its pointers")]
pub mod entry;
#[expect(unsafe_code, reason = "functions of the front end, which are C")]
mod frontend;
mod machine;
mod options;
mod pixels;
mod ram;
