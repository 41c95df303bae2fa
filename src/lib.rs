//! `maxout` plays NES Tetris on an emulated console, frame by frame, to 999,999 and beyond.

#![warn(missing_docs)]
#![forbid(unsafe_code)]

pub mod game;
pub mod gamepad;
pub mod record;
