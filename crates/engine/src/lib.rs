//! NES Tetris and the bot that plays it.

pub mod bot;
pub mod clock;
pub mod console;
pub mod game;
pub mod gamepad;
pub mod judge;
pub mod movegen;
pub mod parallel;
pub mod planner;
pub mod ram;
pub mod seed;
pub mod state;
pub mod text;
mod toml_fields;
pub mod toml_line;
